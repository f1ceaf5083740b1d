"""Classifiers trained here: what they read, from which items, with which settings, and the row that remembers it.

`starting` and `queue` send a training to its worker, `working` does one, `loop` knows texts and folders only.
Nothing here loads torch until a worker trains (`loop`).
To add a recipe: its texts in scoring/scorers/recipes.py, its numbers in `settings`, its rule in docs/metrics.md.
"""
