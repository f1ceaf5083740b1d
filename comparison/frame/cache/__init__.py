"""What is kept of figures: as JSON text in the cache that all processes share, for each state of a study's data.

`gathered` says what that state is, `remembered` keeps a figure for it, `computing` says how far a worker is.
"""
