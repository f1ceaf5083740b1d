"""The page of all models, and the one on which a model of one's own is added.

What they show is researcher/library/'s.
"""
