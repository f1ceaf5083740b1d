"""Pictures of figures: `charts` writes Vega-Lite specifications, `engine` draws them as SVG that stands in a page.

Imports statistics. What is drawn, each figure says; files for papers are comparison/bundle/figures.py. vl-convert and
Altair are loaded when something is drawn, and not before.
"""
