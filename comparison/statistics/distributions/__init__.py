"""Whole distributions of labels beside one another.

`shares` is what is held against what. May import accuracy and resampling.
To add a distance: a file here named after it, and its line in comparison/figures/models/run_figures.py.
"""
