"""A made crowd at the real pages of a study with every stage, and what became of each beside what ought to have.

`study` is what they come to, `personas` who they are, `walk` what one of them does at the pages, in a browser over
HTTP (the tests walk with Django's own instead), `coming` who comes when, and the forecast beside it; `holding` holds
what the installation says against what they saw, and `table` prints it.
To add a way of taking part: a line in `PERSONAS` and in `MIX`.
"""
