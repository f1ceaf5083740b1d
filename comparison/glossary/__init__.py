"""What every figure of the results is, in two sentences, and where docs/ has more: pure data, and the only place.

`entries.GLOSSARY` has them by key. To add one: a Term in the file of what it is about, and in docs/statistics.md a
section, a line of a table or a point that its anchor names. Metrics bring their words from scoring/metrics.py.
"""
