"""What researchers do in the browser and by command: set up studies, collect, run models, train, revise, compare.

`views` answer addresses, `studies`, `library` and `trainings` read what a page shows, `tasks` is what a worker does.
Views and forms only: a deed is written once, in the room that owns the rows, and called from here.
Imports every room below. To add a page: a view, a line in researcher/urls.py, a template in templates/researcher.
"""
