"""Files that others have published, each with a module here that reads them: `manage.py import_study DATASET FILE`.

A module's `IMPORTER` is a DataSet (published.py), which makes study and manifest of what it reads; the page beside it
says where the file is to be had and what was decided. `table` reads any table, `adjective_list` a list of adjectives.
A data set may import corpus, stimuli.making and the words of a construction; another data set, never.
To add one: the three steps in stimuli/making/registry.py.
"""
