"""One pass over a large text corpus, on all cores, in bounded memory, that goes on where it was stopped."""
