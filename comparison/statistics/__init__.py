"""The statistics, in files and folders by what they are about: arrays and plain values in, an `Estimate` out.

Each names its source and says *undefined, because …* where it has no value; `resampling.bootstrap` gives the intervals.
Imports NumPy, SciPy and statsmodels, and of ours scoring.ranks; no pandas, no Django, no row.
To add one: in the file or the folder of its kind, a test against a published worked example, a section in
docs/statistics.md.
"""
