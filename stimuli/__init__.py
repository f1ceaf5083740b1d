"""Where studies come from: published data sets, and constructions of our own.

Studies are made here and written as folders; researcher's commands load them. Imports text (corpus) and the files of a
study with its task types (annotation.itemfile, .labelfile, .studyfile, .tasktypes), no Django and no other room.
To add a data set or a construction: the three steps in stimuli/making/registry.py.
"""
