"""Items whose labels do not agree, and what a researcher decides of them. No label, majority or reference changes.

`disputed` finds them, `deciding` stores a decision, `decision_file` reads many from a file. Pages, the command and the
export call these. Imports annotation's rows.
To decide by another rule: a column of Item that is kept with the tally, as `agreed` is, and its index.
"""
