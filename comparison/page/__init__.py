"""What the comparison page shows: a module for each of its parts, read in one flow by `page`.

`findings` has every figure, `reading` the verdict that comes first, `charts` the Vega-Lite; the templates are in
templates/comparison and the views in researcher/views. Imports frame and statistics; no request, no HTML.
To add a part: a module that returns a frozen dataclass, a field of it in `page`, a template that draws it.
"""
