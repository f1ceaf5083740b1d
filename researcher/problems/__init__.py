"""What annotators say of items beside their labels, as the study's page shows it: that they cannot judge one, and what
they report of it.

Imports models and comparison.frame.
"""
