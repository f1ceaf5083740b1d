"""Pictures that a page writes itself: rows and marks with their places along x in per cent, ready for a template.

Pure: figures in, marks out; no Django. Each kind has a template under its name in templates/comparison/figures/, and
its look in static/css/figures.css. Charts for papers and slides are drawn apart, by comparison/pictures.
To add a kind: a module here that gives its marks, a template beside the others, a test that counts and places them.
"""
