"""How far people agree with one another: coefficients from counts (`from_counts`, `alpha`) and from labels one by one.

`coefficient` is what those from counts share, `coded_labels` labels one by one. May import resampling.
To add a coefficient: beside those of its kind, and its line in comparison/figures/people/coefficients.py.
"""
