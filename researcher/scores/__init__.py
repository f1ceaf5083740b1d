"""What the page of a study's runs shows of those that could be: models by metrics (`grid`).

To show more of a cell: a property of `grid.Cell`, and templates/researcher/studies/_grid.html.
"""
