"""Files that others have published, each with a folder here that reads them: `manage.py import_study DATASET FILE`.

A folder's load.py is the importer (stimuli/making/contract.py), its README says where the file is to be had and what
was decided. What several folders read by stands beside them: published.py for tables, adjective_list.py.
A data set may import corpus, stimuli.making and the words of a construction; another data set, never.
To add one: the three steps in stimuli/making/registry.py.
"""
