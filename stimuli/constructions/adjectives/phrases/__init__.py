"""Phrases of English, put together and inflected: which words, in which form, with which article."""
