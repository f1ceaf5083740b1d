"""What becomes of a study as a whole: opened and closed, put aside, tagged. Verbs of a kind stand in one module.

May import all of annotation but its pages. To add a verb: a function here, which pages, commands and tasks
call.
"""
