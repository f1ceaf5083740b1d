"""What annotators' templates ask for.

Lives here: the language and direction of a researcher's words (spoken.py). Imports Django and the models.
One more tag or filter is one more file, named after what it writes.
"""
