"""People's labels of one item, as a stacked bar."""

from collections.abc import Sequence
from dataclasses import dataclass

from comparison.statistics.counts import Ints

# Five degrees of the house, from lowest to highest; of fewer labels those that are furthest apart.
DEGREES = {1: (3,), 2: (1, 5), 3: (1, 3, 5), 4: (1, 2, 4, 5), 5: (1, 2, 3, 4, 5)}
# The bar is drawn in a box this wide.
BAR = 100
SHORT_SCALE = 5


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of the stacked bar: `tone`, from 1 to 10, is darker the higher the value stands on the scale."""

    word: str
    count: int
    tone: int
    x: float
    width: float


@dataclass(frozen=True, slots=True)
class Bar:
    segments: tuple[Segment, ...]

    @property
    def words(self) -> str:
        return ", ".join(f"{segment.word}: {segment.count}" for segment in self.segments)


def bar(counts: Ints, words: Sequence[str]) -> Bar:
    """People's labels of one item, counts of shape (values,), as parts of a bar BAR wide."""
    total = int(counts.sum())
    # Short scales take every other tone, so that neighbors are told apart.
    step = 2 if len(words) <= SHORT_SCALE else 1
    segments, x = [], 0.0
    for place, (word, count) in enumerate(zip(words, counts.tolist(), strict=True)):
        if count:
            width = BAR * count / total
            segments.append(Segment(word, count, 1 + step * place, round(x, 2), round(width, 2)))
            x += width
    return Bar(tuple(segments))
