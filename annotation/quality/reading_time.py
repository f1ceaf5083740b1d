"""How soon an answer is too soon for anybody who has read the item: no rule, it excludes nobody, but asks for a look.

Adults read some 240 words a minute, and nobody takes in 1,000 (Brysbaert 2019, doi:10.1016/j.jml.2019.104047): 60 ms a
word, and 200 ms to press. Of a long item no more than MOST_WORDS count, as much of it may be known from the one before.
"""

from statistics import median_low

from annotation.models import Item, Study

PRESS_MS, WORD_MS, MOST_WORDS = 200, 60, 15
# As many items say how long those of a study are.
ITEMS = 200
# Fewer answers may be slips of the finger.
ENOUGH_ANSWERS = 5


def seconds_to_read(words: int) -> float:
    """The least that an answer takes.

    >>> seconds_to_read(5), seconds_to_read(300)
    (0.5, 1.1)
    """
    return (PRESS_MS + WORD_MS * min(words, MOST_WORDS)) / 1000


def least_seconds(study: Study) -> float:
    """Of the study's items, by the middle length."""
    targets = study.items.filter(kind=Item.Kind.TARGET).order_by("position")
    contents = targets.values_list("content", flat=True)[:ITEMS]
    words = [len(study.task.text(content).split()) for content in contents]
    return seconds_to_read(median_low(words)) if words else 0.0
