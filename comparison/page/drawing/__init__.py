"""From Vega-Lite specifications to SVG that stands in a page.

Lives here: the engine (engine.py), the words that it is given (words.py), and what of its drawing goes into a page
(trimmed.py). What is drawn, the modules
beside this room say (charts.py, calibration_chart.py, drawn.py); files for papers are comparison/bundle/figures.py.
May import nothing of the house. vl-convert is imported when something is drawn, and not before.
"""
