"""What researchers have done in a study: one Act for each deed, written with it and never changed.

`deeds` names what is kept and in which words, `acting` knows who acts (a reader of a page, a command), `acts` writes
one and says in short what has become of a study's settings, `history` reads them a page at a time. Imports
models and nothing else of annotation but its study files. To keep one more deed: a line in `deeds.Deed`, and `record`
in the verb that does it, inside its transaction; tests/house/walk/test_acts.py asks each address for one.
"""
