"""What the page of trainings shows: the form that starts one, the table of them, and the curves of each.

Imports training's settings and rows, never its loops: the web process loads no torch.
To add a setting to the form: its field in training/classifier/settings.py, of which `form` is made.
"""
