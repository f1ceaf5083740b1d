"""What a study asks of its annotators' answers: rules, verdicts, and what a verdict does to labels.

`answers`, `policy`, `rules` and `stretches` are pure; the others know rows, and `exclusion` changes them.
"""
