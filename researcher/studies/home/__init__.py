"""What somebody comes to first: their studies at a glance, what waits over all of them, and the samples before that.

To draw one more thing of a study: a `Glance` in `glance.py`, its column in `templates/researcher/studies/_row.html`.
"""
