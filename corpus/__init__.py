"""The ground floor: files and text, read so that every fault has its place, and one pass over a large corpus.

Imports nothing of the house and no Django; every room may import it (README.md says what is where).
"""
