"""Who has a part in a study (`members`, `inviting`), what was done in it (`history`), and what is given away of it.

Files leave with an act (`sent`). Results are read by a link (`shares` makes it, `shared` is what it opens,
`within` what of a page is left there).

The verbs are those of annotation/access/, which the command calls too. To add one: a file here and a line in
researcher/urls.py.
"""
