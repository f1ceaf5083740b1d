"""Baselines from counted text: what a corpus says of verbs and their nouns, and the scores that follow from it."""
