"""People beside models: agreement, accuracy, the nearest model, and the files that take it all away.

`statistics` is pure, `frame` reads rows into it, `figures` are what comes out, and `page`, `exports`, `bundle` and
`across` show it.
Imports scoring, annotation and corpus; has no rows and no addresses of its own (those are researcher's).
To add a figure: its statistic first, then one file in `figures`.
"""
