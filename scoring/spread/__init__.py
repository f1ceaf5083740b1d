"""Passes over a corpus by workers on any machine, which share a database, a queue and a store of what is found.

`asking` cuts a corpus into parts, has workers do them and gives what is found in the order of the corpus; `row` is a
part that waits, and `working` a worker's part of it. What a part is, corpus/parts.py says; it has no Django.
To spread the passes of another finder: its class in `FINDERS` (row.py; that of a construction in
stimuli/making/registry.py), where its fields are few and JSON.
"""
