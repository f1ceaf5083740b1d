"""What a study asks of its annotators' answers: rules, verdicts, and what a verdict does to labels.

Rules are pure; `exclusion` alone knows rows.
"""
