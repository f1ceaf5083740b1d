"""From the database to what statistics take: the frame `item, rater, rater_kind, label`, and the panel made of it.

People and models stand in the same columns. `filters/` is what a reader asked to see, `selected` what that is of a
study: figures that are remembered for each state of the data (`cache/`), and computed from the panel where not.
Imports the rows of annotation and scoring, and statistics; nothing that draws.
To add a reading: a module that asks a constant number of queries, however large the study is.
"""
