"""The items of a study in its setup: all of them as a list (`listed`), one as a form (`item_form`), many from a file
(`columns_form`).

The verbs are annotation/drafting/'s; how a file is read, stimuli/datasets/table/'s, as for a new study.
"""
