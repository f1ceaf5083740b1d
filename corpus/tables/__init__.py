"""Tables whose columns somebody names: `--map WHAT=COLUMN`, the same for items, labels and scores. Free of Django.

`columns` says how a column may be named, `cells` reads a file line by line into what was asked for.
To add a way to name a column: `columns.text_of` for records, `cells` for delimited lines.
"""
