"""How fast the API lists the rows of a large study: `python -m bench.listing`, which says how.

`python -m bench.listing.drafting` measures how long one item of a large draft takes to be added, changed or taken out.
Uses the study of bench.million and a web server of its own. Another list is a word in `LISTS`.
"""
