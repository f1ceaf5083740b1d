"""What the pages of collecting show: how far a study is, its annotators, links, and what they said and gave.

Frozen dataclasses for templates/researcher/studies, each read in a constant number of queries. Imports the rows and
readings of the rooms below; no request. To add a part of the first page: a module that reads it, a field in `page`,
a template that draws it; marks of pictures stand in `drawn`.
"""
