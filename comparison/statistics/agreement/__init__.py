"""How far people agree with one another: one coefficient a file, from counts or from labels one by one.

`coefficient` is what those from counts share, `chance` their form beyond chance, `said` labels one by one. May import
resampling.
To add a coefficient: a file here named after it, and its line in comparison/figures/people/coefficients.py.
"""
