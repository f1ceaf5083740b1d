"""Pages on which a researcher goes from one item to the next: its words, its label, its variants.

The rules are those of researcher.views. To add one: a function here and a line in researcher/urls.py.
"""
