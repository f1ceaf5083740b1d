"""Word vectors that others have made: a counted store's, a language model's input embeddings, fastText's and GloVe's.

`reading` tells which of them a path is. To add a form: its reader beside `from_text`, and a case there.
"""
