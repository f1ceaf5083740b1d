"""Files of labels that people gave in another tool, and their way into a study.

`lines` reads a file into labels, one by one. To read one more kind of table, add a branch to `of_table`. `names` knows
ids and annotators in any form; `outcome` says what was imported; `labelfile` is our own form of such a file. These are
free of Django; `label_import` puts the labels into a study.
"""
