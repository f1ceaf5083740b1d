"""The items of a study in its setup: the list (`items`), one as a form (`one`), many from a file (`file`).

What they show is researcher/drafting/'s, what they do annotation/drafting/'s.
"""
