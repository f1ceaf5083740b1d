"""The space of words: their vectors as they are compared (corpus/word_vectors reads them), clusters and analogies."""
