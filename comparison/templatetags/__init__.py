"""What templates ask of the comparison.

Lives here: the “?” beside a figure's name (glossary.py), and charts in their place (drawings.py). Imports Django, the
glossary and the drawing of page/, and scoring's metrics.
One more tag is one more file, named after what it writes.
"""
