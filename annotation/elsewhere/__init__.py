"""Files of labels that people gave elsewhere: what a file says, its names, and what came of it. Free of Django.

`lines` gives labels one by one, whoever wrote the file; to read one more kind of table, a branch of `of_table` there.
`names` knows ids and annotators in any form; `outcome` says what was imported. Imports corpus and tasktypes alone.
"""
