"""A study of a million labels, from its files to every page of its results: `python -m bench.analysis`, which says how.

`made_study` makes the files, `loading` brings them in and exports them, `pages` asks for the researcher's pages.
"""
