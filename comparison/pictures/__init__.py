"""Pictures of figures: `vega_lite` and `charts` write specifications, `engine` draws them as SVG that stands in a page.

Imports statistics. What is drawn, each figure says; files for papers are comparison/bundle/figures.py. vl-convert is
loaded when something is drawn, and not before.
"""
