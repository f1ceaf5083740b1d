"""Scores that were computed elsewhere become runs like any other, with the file they come from.

`reading` says which column is what, `lines` reads the file and lists its faults, `matching` finds each line's item, and
`storing` writes the run. Models and task types may be imported, scorers never: nothing is computed here.
To add a kind of column: its name in `reading`, its check in `lines`, and what it says of an item in `matching`.
"""
