"""One table over several studies: who is right how often, people, models and imported scores side by side.

`table` computes it, `pooled` makes one column of several studies, `layout` puts it on paper; `manage.py accuracy_table`
calls them.
Imports frame and statistics. To add a layout: a function in `layout` and a value of the command's --format.
"""
