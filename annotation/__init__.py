"""The ground floor: studies, items, the people who judge them, their sittings and their labels.

`itemfile`, `studyfile` and `tasktypes` are free of Django; `models` holds the rows, and `bulk` writes them
by the million; `quality` holds answers against a study's policy; the other modules are one flow each, named after what
is done (`assignment`, `recording`).
Imports Django, accounts and corpus.
To add a flow: a module named after its verb, called by pages and commands alike. A task type: see annotation/tasktypes.
"""
