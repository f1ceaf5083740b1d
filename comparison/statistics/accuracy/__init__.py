"""Decisions held against labels: hits, one person beside them, and what is confused with what.

`hits` is what the others are read beside, `crossed` the table that some are made of.
May import aggregation, agreement and resampling.
To add a measure of decisions: a file here named after it, and its line in comparison/figures/models/run_figures.py.
"""
