"""Tables whose columns somebody names: `--map WHAT=COLUMN`, the same for items, labels and scores. Free of Django.

`registry` lists the forms of table and says which a file is; `opening` reads them: Excel (`sheet`), delimited text
(`heads`, `quotes`) in any encoding, JSON.
`columns` says how a column may be named, `cells` reads a table row by row into what was asked for.
To add a form of table: `registry`. To add a way to name a column: `columns.text_of` for records, `cells` for delimited
lines.
"""
