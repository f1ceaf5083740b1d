"""Pages on which a researcher decides about one item after the other: its words, or its label.

The rules are those of researcher.views. To add one: a function here and a line in researcher/urls.py.
"""
