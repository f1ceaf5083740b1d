"""docs/ as the site shows it: which pages there are (shelf), each read from its Markdown (reading), a search.

To show one more page: its line in GROUPS of `shelf.py`.
"""
