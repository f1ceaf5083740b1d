"""Word vectors, read or trained on text, with their clusters and analogies."""
