"""What a study's results show: a module for each section, put together by `page`.

`findings` has every figure, `reading` what is remembered of them, the verdict too, `charts` the Vega-Lite. `further`
and some readings are costly: only the part that shows them asks for them (MORE in researcher/views/comparison.py).
Imports frame and statistics; no request, no HTML.
To add a section: a module that returns a frozen dataclass, a field of it in `page` or a line in MORE, and a template,
included in that of its part in templates/comparison.
"""
