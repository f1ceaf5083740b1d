"""What a construction found out while it made a study: kept with the study, drawn, shown, and given away as files.

`keeping` stores and reads the rows, `drawing` says how one looks, `page` what the page of a study shows, `files` makes
the same as CSV, SVG, PDF and PNG for pages and for `build_study --figures`. To add a figure: a construction yields one
more (stimuli/making/contract.py); to add a way to draw one: a Form there, its line in LOOKS of `drawing`.
"""
