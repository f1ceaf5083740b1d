"""The addresses, one module for each kind of row. Each finds its study by the caller, calls a verb, and answers.

`shapes` says what the rows look like as JSON. To add one: a function beside those of its kind, as `api/__init__.py`
says; a new kind is a module here and a line in `api/v1.py`.
"""
