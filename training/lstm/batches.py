"""Which texts are computed together: nearly as long as each other, in an order that a seed decides. NumPy only."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from scoring.scorers.lstm_model.vocabulary import END_ID
from training.lstm.prepared import Texts

# Texts among which those of nearly one length are looked for; more would always meet the same neighbors.
POOL = 8192
# Where a row is filled up: nothing is to be predicted there.
NOTHING = -1

Rows = NDArray[np.int64]


def shuffled(texts: Texts, *, seed: int, epoch: int, budget: int) -> Iterator[Rows]:
    """Every text once: groups of at most `budget` words (or one text), filled up to the longest of the group."""
    rng = np.random.default_rng([seed, epoch])
    order = rng.permutation(len(texts))
    for start in range(0, len(order), POOL):
        groups = list(_grouped(order[start : start + POOL], texts, budget))
        for number in rng.permutation(len(groups)):
            yield groups[number]


def by_length(texts: Texts, *, budget: int) -> Iterator[Rows]:
    """Every text once, short ones first."""
    yield from _grouped(np.arange(len(texts)), texts, budget)


def filled(texts: Texts, rows: Rows) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """What is read and what is to be predicted, both (rows, longest): each text begins after a sentence's end.

    Where a row is filled up, the second is NOTHING.
    """
    lengths = texts.starts[rows + 1] - texts.starts[rows]
    targets = np.full((len(rows), int(lengths.max())), NOTHING, np.int64)
    for number, row in enumerate(rows):
        targets[number, : lengths[number]] = texts.tokens[texts.starts[row] : texts.starts[row + 1]]
    inputs = np.full_like(targets, END_ID)
    inputs[:, 1:] = np.where(targets[:, :-1] == NOTHING, END_ID, targets[:, :-1])
    return inputs, targets


def _grouped(rows: Rows, texts: Texts, budget: int) -> Iterator[Rows]:
    lengths = texts.starts[rows + 1] - texts.starts[rows]
    rows = rows[np.argsort(lengths, kind="stable")]
    begin = 0
    for place, row in enumerate(rows):
        longest = int(texts.starts[row + 1] - texts.starts[row])
        if place > begin and (place - begin + 1) * longest > budget:
            yield rows[begin:place]
            begin = place
    if begin < len(rows):
        yield rows[begin:]
