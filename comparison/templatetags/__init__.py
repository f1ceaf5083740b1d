"""What templates ask of the comparison.

Lives here: the “?” beside a figure's name (glossary.py), charts in their place (drawings.py), and figures that no line
ends in (unbroken.py). Imports Django, the glossary, the drawing and the figures of page/, and scoring's metrics.
One more tag is one more file, named after what it writes.
"""
