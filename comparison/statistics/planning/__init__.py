"""How many items and labels a study needs, when collecting may stop, and where the next label tells the most.

`plan` draws studies; `stopping` reads the study as it is.
May import agreement, aggregation, accuracy and resampling.
To add a question: a file here named after it, and its place in comparison/figures/people/planning.py.
"""
