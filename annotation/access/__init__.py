"""Who may do what in a study: rights by role (`matrix`), the studies of a user (`visible`), giving roles and
inviting somebody by e-mail (`members`), and showing results to anyone who has a link (`sharing`).

`matrix` is data, free of Django; the others import models and nothing else of annotation. Code that reaches rows for a
user starts at `visible.studies_for`. To add a right: a line in `matrix.RIGHTS`, where a view asks for it, and the table
in docs/rights.md, which `manage.py member --rights` prints.
"""
