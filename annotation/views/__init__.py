"""What an annotator opens: the welcome page, one item to a screen, and the last page. No login, no model, no score.

A view reads the request, calls one flow of the ground floor and renders; `stage` decides what is in front of a person.
Imports annotation only. To add a page: a view here, a line in annotation/urls.py, its template in templates/annotation,
and its address in docs/annotators.md.
"""
