"""What attributes of items have to do with what is said of them: which labels, how often right, and by how much.

Lives here: a number as bins (bins.py), shares of labels (label_shares.py), and a model of several (logistic.py).
May import counts, estimates, accuracy, strengths, chance and resampling.
To add one: a file here named after it, with the paper that it is from, and a point in docs/statistics.md.
"""
