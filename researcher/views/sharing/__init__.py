"""Who has a part in a study, and what is theirs to give away (`members`, `inviting`).

The verbs are those of annotation/access/, which the command calls too. To add one: a file here and a line in
researcher/urls.py.
"""
