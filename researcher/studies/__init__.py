"""What the list of studies and most pages of one study show, each read in a constant number of queries.

Frozen dataclasses for templates/researcher/studies. Imports the rows and readings of the rooms below; no request.
What the pages of collecting show stands in researcher/collecting. To add a page: a module that reads it, a template.
"""
