"""What a model that answered every item adds to people who labeled some: narrower intervals, as valid as without it.

`mean` is the estimator. May import nothing of ours but counts and estimates.
To add an estimator: a file here named after it, and its place in comparison/figures/people/powered.py.
"""
