"""What is read together in which order, and which tokens of it are hidden: everything follows from seed and numbers.

Rows of one line or of several stand in batches of equal length, without padding; the seed and the number of the pass
decide them, so that a training that was stopped knows where it was from two numbers.

Tokens are hidden anew in every step of a training, and for ever the same in held-out text. The rule is BERT's (Devlin
et al. 2019, section 3.1): 15 % of a row's tokens, at least one, of which 80 % become [MASK], 10 % another token, and
10 % stay. A training may hide more (Wettig et al. 2023: more is learned from each pass); what is judged is always at
15 %.
Drawn by numpy on the CPU, so that every machine draws the same.
"""

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.masked.reading import Corpus, Vocabulary
from training.masked.settings import Settings

# A shorter line is always joined with others: nothing can be told from the rest of it.
FEWEST_ALONE = 6
SHARE, HIDDEN, REPLACED = 0.15, 0.8, 0.1


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
        ids: NDArray[np.int64] = corpus.ids[self.begins[:, None] + np.arange(self.length)].astype(np.int64)
        return ids


def steps(corpus: Corpus, settings: Settings, epoch: int) -> list[list[Batch]]:
    """One pass over all of the text: the batches of each optimizer step, of different lengths, in order."""
    rng = np.random.default_rng([settings.seed, 1, epoch])
    batches = list(_batches(_rows(corpus, settings, rng), settings.batch, rng))
    groups: list[list[Batch]] = [[]]
    tokens = 0
    for place in rng.permutation(len(batches)):
        if tokens >= settings.step:
            groups.append([])
            tokens = 0
        groups[-1].append(batches[place])
        tokens += batches[place].tokens
    if len(groups) > 1 and tokens < settings.step // 2:
        # A step of few tokens would weigh as much as one of many.
        rest = groups.pop()
        groups[-1] += rest
    return groups


def _rows(corpus: Corpus, settings: Settings, rng: np.random.Generator) -> NDArray[np.int64]:
    """(rows, 2): where each begins and ends. A row of several lines takes what follows in its file while it fits."""
    longest = settings.rows - 2
    ends, opens = corpus.ends.tolist(), corpus.opens.tolist()
    is_alone = (rng.random(len(opens)) < settings.alone).tolist()
    rows, piece = [], 0
    while piece < len(opens):
        begin, following = ends[piece], piece + 1
        if not is_alone[piece] or ends[following] - begin < FEWEST_ALONE:
            while following < len(opens) and not opens[following] and ends[following + 1] - begin <= longest:
                following += 1
        rows.append((begin, ends[following]))
        piece = following
    return np.array(rows, dtype=np.int64)


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


@dataclass(frozen=True, slots=True)
class Masked:
    """Rows as a model reads them, with start and end: `ids` (rows, length), `places` and `wanted` (rows, hidden)."""

    ids: NDArray[np.int64]
    places: NDArray[np.int64]
    wanted: NDArray[np.int64]


def for_training(
    rows: NDArray[np.int64],
    vocabulary: Vocabulary,
    *,
    seed: int,
    step: int,
    batch: int,
    share: float = SHARE,
    words: bool = False,
) -> Masked:
    """Masks for `share` of the rows (rows, length) of one batch of one step; its number and the seed decide them.

    `words`: all tokens of a word are hidden together. As many are hidden as else, so that of one a row a part may be.
    """
    rng = np.random.default_rng([seed, 2, step, batch])
    places = _places(rows.shape, rng, share, _words(rows, vocabulary) if words else None)
    targets = np.take_along_axis(rows, places, axis=1)
    chance = rng.random(places.shape)
    others = vocabulary.ordinary[rng.integers(len(vocabulary.ordinary), size=places.shape)]
    instead = np.where(chance < HIDDEN, vocabulary.mask, np.where(chance < HIDDEN + REPLACED, others, targets))
    return _masked(rows, places, targets, instead, vocabulary)


def for_judging(pieces: Sequence[tuple[int, ...]], vocabulary: Vocabulary) -> Masked:
    """Masks for held-out pieces of one length, by the sha256 of each piece alone. All that is asked for is [MASK]."""
    rows = np.array(pieces, dtype=np.int64)
    places = np.concatenate([_places((1, rows.shape[1]), _rng_of(piece), SHARE) for piece in pieces])
    targets = np.take_along_axis(rows, places, axis=1)
    return _masked(rows, places, targets, np.full_like(places, vocabulary.mask), vocabulary)


def hidden_in(length: int, share: float = SHARE) -> int:
    """How many of that many tokens are hidden."""
    return max(1, round(share * length))


def _rng_of(piece: tuple[int, ...]) -> np.random.Generator:
    digest = hashlib.sha256(np.array(piece, dtype="<i4").tobytes()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _words(rows: NDArray[np.int64], vocabulary: Vocabulary) -> NDArray[np.int64]:
    """Of each token, where its word begins; a row that is cut within a word begins with one."""
    begins = np.where(vocabulary.goes_on[rows], 0, np.arange(rows.shape[1]))
    starts: NDArray[np.int64] = np.maximum.accumulate(begins, axis=1)
    return starts


def _places(
    shape: tuple[int, ...], rng: np.random.Generator, share: float, words: NDArray[np.int64] | None = None
) -> NDArray[np.int64]:
    hidden, order = hidden_in(shape[1], share), rng.random(shape)
    if words is not None:
        order = np.take_along_axis(order, words, axis=1)
    chosen: NDArray[np.int64] = np.argsort(order, axis=1, kind="stable")[:, :hidden]
    return np.sort(chosen, axis=1)


def _masked(
    rows: NDArray[np.int64],
    places: NDArray[np.int64],
    targets: NDArray[np.int64],
    instead: NDArray[np.int64],
    vocabulary: Vocabulary,
) -> Masked:
    ids = np.empty((rows.shape[0], rows.shape[1] + 2), dtype=np.int64)
    ids[:, 0], ids[:, -1] = vocabulary.start, vocabulary.end
    ids[:, 1:-1] = rows
    np.put_along_axis(ids, places + 1, instead, axis=1)
    return Masked(ids, places + 1, targets)
