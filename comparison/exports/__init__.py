"""The downloads of a study, which are streamed as CSV: `registry` has every one.

Imports figures, page, frame and statistics. `cells` is how a value is written and how lines leave; `stored` and `items`
are rows of the database, and `report` goes through the figures. A figure's own file is declared with it.
To add one that is no figure: a File beside these, and its line in the registry.
"""
