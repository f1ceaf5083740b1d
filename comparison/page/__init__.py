"""What a study's results show: a module for each section, put together by `page`.

A figure is read when it is asked for: `reading` has every one that is remembered, `drawn` and `charts` the Vega-Lite.
Imports frame and statistics; no request, no HTML.
To add a section: a module that returns a frozen dataclass, a reading of it, a property in `page` and its name in
FIGURES under the part that shows it, and a template, included in that of its part in templates/comparison.
"""
