"""Passes over a corpus by workers on any machine, which share a database, a queue and a store of what is found.

`asking` cuts a corpus into parts, has workers do them and gives what is found in the order of the corpus; `part` is the
row of a part that waits, and `working` what a worker does with it. What a part is stands in corpus/parts.py.
To share the passes of another finder: its class in `FINDERS` (part.py; that of a construction in
stimuli/making/registry.py), where its fields are tuples, or what JSON knows.
"""
