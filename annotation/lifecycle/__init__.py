"""What becomes of a study as a whole: opened and closed, put aside, tagged. One module a verb.

May import all of annotation but its pages. To add a verb: a module here; the page, the command and whoever else wants
it call that one.
"""
