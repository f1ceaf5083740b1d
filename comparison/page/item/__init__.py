"""The page of one item: everything known of it, everybody's answers in one table, and the items beside it.

May import what the pages of results may, and their table of items. To add a section: a module here, its line in `page`.
"""
