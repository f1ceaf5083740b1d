"""Tables whose columns somebody names: `--map WHAT=COLUMN`, the same for items, labels and scores. Free of Django.

`opening` finds the table in a file: Excel (`sheet`), delimited text (`heads`, `quotes`) in any encoding, JSON.
`columns` says how a column may be named, `cells` reads a table row by row into what was asked for.
To add a way to name a column: `columns.text_of` for records, `cells` for delimited lines.
"""
