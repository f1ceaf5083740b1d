"""Decisions held against labels: hits, one person beside them, and what is confused with what."""
