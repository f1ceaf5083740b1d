"""What several machines share: files in a store that all of them reach, and passes over a corpus.

`passing` asks for the parts of a pass and gives what is found in their order, `lent` is that for a process without
Django. What a part is stands in corpus/parts.py; the rows of parts are scoring/corpus_passes, which nothing here knows.
"""
