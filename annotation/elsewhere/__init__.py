"""Files of labels that people gave in another tool: reading them, their names, and the result. Free of Django.

`lines` reads a file into labels, one by one. To read one more kind of table, add a branch to `of_table`.
`names` knows ids and annotators in any form; `outcome` says what was imported. Imports corpus and tasktypes alone.
"""
