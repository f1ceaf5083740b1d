"""What a study's results show: the figures of a part, put together by `page`, and what is no figure.

A figure is read when it is asked for: `page.figures.KEY` in a template. Imports figures, frame and statistics; no
request, no HTML. A section is its figure (`comparison/figures/`) and a template under its key in templates/comparison.
"""
