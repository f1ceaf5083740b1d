"""A made crowd at the real pages of a study with every stage, and what became of each beside what ought to have.

`study` is what they come to, `personas` who they are, `walk` what one of them does at the pages, `coming` who comes
when; `holding` and `payment` hold what the installation says against what they saw, `foreseen` the forecast against
what came, and `table` prints it. `browser` is a browser over HTTP; the tests walk with Django's own instead.
To add a way of taking part: a line in `PERSONAS` and in `MIX`.
"""
