"""What annotators of a BoolQ study read first, in our own words."""

WITH_PASSAGE = """\
You will read a short passage and a question about it. Answer with Yes or No.

Go by what the passage says, even where it surprises you or you know better. You may have to put two facts together.

The questions were typed into a search engine, so many are in lower case and some are clumsy. Answer what is meant.
"""

QUESTION_ALONE = """\
You will read a question. Answer with Yes or No, from what you know; please do not look it up.

If you do not know, choose the answer that seems more likely to you.

The questions were typed into a search engine, so many are in lower case and some are clumsy. Answer what is meant.
"""
