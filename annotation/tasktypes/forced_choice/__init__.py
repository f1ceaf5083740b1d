"""Forced choice: which of the words, or of the sentences, is chosen."""
