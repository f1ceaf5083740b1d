"""One table over several studies: who is right how often, people, models and imported scores side by side.

`reading` makes a study's column of its rows, and one of several studies', `table` computes it, and `layout` puts it on
paper; `manage.py accuracy_table` and the page of two studies (researcher/library/two_studies.py) call them.
Imports frame and statistics. To add a layout: a function in `layout` and a value of the command's --format.
"""
