"""Intensifier or negation: a corpus's sentences that end in adverb and adjective (Lorge and Pierrehumbert 2023)."""
