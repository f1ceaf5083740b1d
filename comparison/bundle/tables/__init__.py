"""Tables for readers: `table` is the contract, `order` names them all; people, runs and beside make them of a page.

Imports page and statistics; how a table is written (LaTeX, HTML) is not known here.
To add one: a function from a page to a Table or None, and its line in TABLES of `order`.
"""
