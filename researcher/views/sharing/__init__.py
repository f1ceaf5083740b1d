"""Who has a part in a study (`members`), what was done in it (`history`), and what is given away of it.

Results are read by a link (`shared`); other programs are told
(`webhooks`).

The verbs are those of annotation/access/, which the command calls too. To add one: a file here and a line in
researcher/urls.py.
"""
