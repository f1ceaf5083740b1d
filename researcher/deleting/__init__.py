"""Deleting a study: what its page says will be lost (`asking`), and the deletion in every room (`going`).

The study's rows are annotation/lifecycle/deleting.py's, in whatever room they lie; what lies beside them, a room's own.
"""
