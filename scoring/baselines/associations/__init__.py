"""Baselines from counted text: what a corpus says of verbs and their nouns, and the scores that follow from it.

`counting` fills a store and `growing` puts it in place; `reading` opens it; one module a method computes a score.
Pure: NumPy, SQLite and, where text is parsed, spaCy; no Django, and nothing of studies.
To add a method: see scoring/baselines/associations/methods.py.
"""
