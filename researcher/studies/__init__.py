"""What the list of studies and the page of one study show, each read in a constant number of queries.

Frozen dataclasses for templates/researcher/studies. Imports the rows and readings of the rooms below; no request.
To add a part of the study page: a module that reads it, a field in `page`, a template that draws it.
"""
