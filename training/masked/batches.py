"""The order in which text is trained on: rows of one line or of several, in batches of equal length, without padding.

Everything follows from the seed and the number of the pass over the text, so that a training that was stopped knows
where it was from two numbers.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.masked.reading import Corpus
from training.masked.settings import Settings

# A shorter line is always joined with others: nothing can be told from the rest of it.
FEWEST_ALONE = 6


@dataclass(frozen=True, slots=True)
class Batch:
    """Rows of one length: `begins` (rows) are places in the corpus; each row is the `length` tokens from there."""

    begins: NDArray[np.int64]
    length: int

    @property
    def tokens(self) -> int:
        """With start and end."""
        return len(self.begins) * (self.length + 2)

    def ids(self, corpus: Corpus) -> NDArray[np.int64]:
        """(rows, length), without start and end."""
        found: NDArray[np.int64] = corpus.ids[self.begins[:, None] + np.arange(self.length)].astype(np.int64)
        return found


def steps(corpus: Corpus, settings: Settings, epoch: int) -> list[list[Batch]]:
    """One pass over all of the text: the batches of each optimizer step, of different lengths, in order."""
    rng = np.random.default_rng([settings.seed, 1, epoch])
    batches = list(_batches(_rows(corpus, settings, rng), settings.batch, rng))
    found: list[list[Batch]] = [[]]
    tokens = 0
    for place in rng.permutation(len(batches)):
        if tokens >= settings.step:
            found.append([])
            tokens = 0
        found[-1].append(batches[place])
        tokens += batches[place].tokens
    if len(found) > 1 and tokens < settings.step // 2:
        # A step of few tokens would weigh as much as one of many.
        rest = found.pop()
        found[-1] += rest
    return found


def _rows(corpus: Corpus, settings: Settings, rng: np.random.Generator) -> NDArray[np.int64]:
    """(rows, 2): where each begins and ends. A row of several lines takes what follows in its file while it fits."""
    longest = settings.rows - 2
    ends, opens = corpus.ends.tolist(), corpus.opens.tolist()
    alone = (rng.random(len(opens)) < settings.alone).tolist()
    found, piece = [], 0
    while piece < len(opens):
        begin, following = ends[piece], piece + 1
        if not alone[piece] or ends[following] - begin < FEWEST_ALONE:
            while following < len(opens) and not opens[following] and ends[following + 1] - begin <= longest:
                following += 1
        found.append((begin, ends[following]))
        piece = following
    return np.array(found, dtype=np.int64)


def _batches(rows: NDArray[np.int64], budget: int, rng: np.random.Generator) -> Iterator[Batch]:
    """All rows, those of one length together, at most `budget` tokens at a time."""
    lengths = rows[:, 1] - rows[:, 0]
    # By chance within a length, so that other rows stand together in every pass.
    order = np.lexsort((rng.random(len(rows)), lengths))
    begins, lengths = rows[order, 0], lengths[order]
    edges = np.flatnonzero(np.diff(lengths)) + 1
    for group in np.split(np.arange(len(begins)), edges):
        length = int(lengths[group[0]])
        most = max(1, budget // (length + 2))
        for first in range(0, len(group), most):
            yield Batch(begins[group[first : first + most]], length)
