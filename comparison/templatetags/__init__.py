"""What templates ask of the comparison.

Lives here: the “?” beside a figure's name (glossary.py), tables and charts in their place, and figures that no line
ends in (tables.py). Imports Django, the glossary, figures, page, exports, and scoring's metrics.
"""
