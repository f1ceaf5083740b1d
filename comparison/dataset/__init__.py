"""A labeled study as a data set to train on: Parquet and JSON lines in three parts, with a card, for `datasets`.

`making` is the flow: `outset` reads once what is there, `parting` says which item goes where, `columns` and `labels`
what a row holds, `writing` how it gets on disk, `card` and `front` what is said of it. Imports bundle, page, frame and
statistics; what it writes is read again by `import_study table`.
To add a column: its line in `columns`, its type in the card by itself, its meaning in docs/exports.md.
"""
