"""Classifiers trained here: what they read, from which items, with which settings, and the row that remembers it.

Nothing here loads torch until a worker trains (`loop`).
"""
