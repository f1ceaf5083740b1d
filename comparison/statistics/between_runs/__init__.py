"""Whether two or more runs differ on the same items.

`pairs` has the test of two, which the others are built on. May import accuracy, aggregation and resampling.
To add a test: a file here named after it, and its place in comparison/figures/models/between_runs.py.
"""
