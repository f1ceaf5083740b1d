"""Rating: a sentence or a pair on ordered points."""
