"""What becomes of one who has taken part: whether they are paid (`queue`), and what is kept of them (`person`).

The verbs are those of annotation/paying/ and annotation/privacy/, which the commands call too.
"""
