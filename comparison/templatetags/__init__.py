"""What templates ask of the comparison.

Lives here: the “?” beside a figure's name (glossary.py), tables and charts in their place (tables.py), and figures that
no line ends in (unbroken.py). Imports Django, the glossary, figures, page, exports, and scoring's metrics.
One more tag is one more file, named after what it writes.
"""
