"""How fast the API lists the rows of a large study: `python -m bench.listing`, which says how.

Uses the study of bench.million and a web server of its own. Another list is a word in `LISTS`.
"""
