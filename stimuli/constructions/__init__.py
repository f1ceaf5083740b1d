"""Items made of raw material, one folder a construction: `manage.py build_study CONSTRUCTION …`.

A folder's build.py is the builder (stimuli/making/contract.py), its README gives the rule, its figures and decisions.
Text is read by the pass of corpus; the same sources, options and seed give the same bytes.
A construction may import corpus, stimuli.making and the reader of a data set that it starts from; another one, never.
To add one: the three steps in stimuli/making/registry.py.
"""
