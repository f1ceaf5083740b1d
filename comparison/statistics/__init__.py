"""The statistics, in files and folders by what they are about: arrays and plain values in, an `Estimate` out.

Each names its source and says *undefined, because …* where it has no value; `resampling.bootstrap` gives the intervals.
Imports NumPy, SciPy and statsmodels, and of ours scoring.ranks; no pandas, no Django, no row. SciPy is imported whole,
as `sp`, and loads a part when it is named: a web process that shows what is remembered loads none.
To add one: in the file or the folder of its kind, a test against a published worked example, a section in
docs/statistics.md.
"""
