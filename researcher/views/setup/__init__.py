"""The pages on which a study's path is set up: the overview, one page a part, one for each row that a part lists.

They parse and render; what may change, and how, is decided by annotation.editing. To add one: a view here, its address
in researcher.urls.
"""
