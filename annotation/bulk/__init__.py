"""Rows by the million: how they are written without a model object each, on SQLite and on PostgreSQL.

`tables` fills tables, temporary ones too, and knows the two databases; `labels` writes the labels of a file. What is
written is checked before, by those who call: the database's own constraints hold whatever comes.
Imports annotation's rows and label files; annotation's flows and scoring's import call it, no page does.
To add a kind of row: a module that fills temporary tables by `tables`, then takes them in by a few statements.
"""
