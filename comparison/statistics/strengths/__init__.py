"""What may be made of a run's strengths: correlations, ranks, and degrees by cut points.

Each file stands alone, but for the folds and accuracies that it asks for. May import accuracy, resampling and
scoring.ranks.
To add a reading of strengths: a file here named after it, and its place in comparison/figures/findings.py.
"""
