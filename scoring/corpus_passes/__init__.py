"""Passes over a corpus by workers on any machine, which share a database, a queue and a store of what is found.

`part` is the row of a part that waits, `working` what a worker does with it, `asking` how a command asks for parts, and
`lending` how a process without Django does. What a part is stands in corpus/parts.py, and the pass in corpus/shared/.
To share the passes of another finder: its class in `FINDERS` (part.py; that of a construction in
stimuli/making/registry.py), where its fields are tuples, or what JSON knows.
"""
