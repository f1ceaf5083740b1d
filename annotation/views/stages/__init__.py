"""The pages of the stages around the items, one module a stage: `show` draws it, `take` stores what it posts.

`take` returns a page where something is in the way, and None where the sitting has gone on (annotation/views/place.py
then shows where to). Imports the flows of annotation/stages. To add one: a module here, a line in `PAGES` of place.py,
and its template in templates/annotation/stages.
"""
