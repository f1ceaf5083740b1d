"""`make run`: everything on one machine. Nothing in here is imported by a deployed installation.

`install` makes .venv, `prepare` the database and the samples; `supervisor` keeps the servers up and stops them all.
Only bench and tests import it, which start servers as it does. To add a process: a program in `__main__`.
"""
