"""The ground floor: studies, items, the people who judge them, their sittings and their labels.

`itemfile`, `labelfile`, `studyfile` and `tasktypes` are free of Django; `models` holds the rows, and `bulk` writes them
by the million; the other modules are one flow each, named after what is done (`assignment`, `recording`, `exclusion`).
Imports Django, accounts and corpus.
To add a flow: a module named after its verb, called by pages and commands alike. A task type: see annotation/tasktypes.
"""
