"""Whole distributions of labels beside one another.

May import accuracy and resampling.
To add a distance: in `divergence`, and its line in comparison/figures/models/run_figures.py.
"""
