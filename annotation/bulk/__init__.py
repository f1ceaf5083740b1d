"""Rows by the million: how they are written without a model object each, on SQLite and on PostgreSQL.

`tables` fills tables, temporary ones too, and knows the two databases; `labels` writes the labels of a file. What is
written is checked before, by those who call: the database's own constraints hold whatever comes.
"""
