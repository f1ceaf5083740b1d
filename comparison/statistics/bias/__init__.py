"""What a run's answers follow besides what is true of the items: the label, the length of the text, the place.

Pure, as all statistics. To add one: a file beside these, a line in `comparison/figures/models/biases.py`, a section
in docs/statistics.md, a world with it planted in `bench/biases.py`.
"""
