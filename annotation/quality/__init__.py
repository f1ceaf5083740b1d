"""What a study asks of its annotators' answers: rules, verdicts, and what a verdict does to labels.

`answers`, `policy` and `rules` are pure; the others know rows, and `exclusion` changes them.
"""
