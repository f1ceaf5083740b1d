"""What a study asks to be spread evenly over its annotators: variants of one source, and the places of options.

`squares` says on which list an item lies, `lists` which items one annotator may be drawn, `orders` in which order an
item's options stand. The last two are asked under the study's lock, while a sitting is laid out. Imports annotation's
rows; annotation.assignment calls it.
To add a way of balancing: a setting in studyfile/tables.py, and a module here that assignment asks.
"""
