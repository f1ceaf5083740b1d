"""What must always hold (docs/design.md), as far as rows can show it: every fault in a sentence, as it is found.

`labels` has those of items, labels, runs and scores, `records` those of what is written down of people and of
researchers: starts, ids, payment, imports, acts; `faults` reads them all. To add one: a generator beside its like, and
a row that breaks it in tests/researcher/integrity.
"""
