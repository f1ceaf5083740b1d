"""Scores that were computed elsewhere become runs like any other, with the file they come from."""
