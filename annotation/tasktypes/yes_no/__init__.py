"""Yes or no: a question, with a passage or without."""
