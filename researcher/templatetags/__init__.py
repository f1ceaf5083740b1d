"""What templates of a study ask of the researcher's pages.

Lives here: the rail of a study (frame.py). Imports Django and the researcher's own modules.
One more tag is one more file, named after what it writes.
"""
