"""Which tokens are hidden: anew in every step of a training, and for ever the same in held-out text.

The rule is BERT's (Devlin et al. 2019, section 3.1): 15 % of a row's tokens, at least one, of which 80 % become
[MASK], 10 % another token, and 10 % stay. A training may hide more (Wettig et al. 2023: more is learnt from each
pass); what is judged is always at 15 %. Drawn by numpy on the CPU, so that every machine draws the same.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from training.masked.reading import Vocabulary

SHARE, HIDDEN, REPLACED = 0.15, 0.8, 0.1


@dataclass(frozen=True, slots=True)
class Masked:
    """Rows as a model reads them, with start and end: `ids` (rows, length), `places` and `wanted` (rows, hidden)."""

    ids: NDArray[np.int64]
    places: NDArray[np.int64]
    wanted: NDArray[np.int64]


def for_training(
    rows: NDArray[np.int64], vocabulary: Vocabulary, *, seed: int, step: int, batch: int, share: float = SHARE
) -> Masked:
    """Masks for `share` of the rows (rows, length) of one batch of one step; its number and the seed decide them."""
    rng = np.random.default_rng([seed, 2, step, batch])
    places = _places(rows.shape, rng, share)
    wanted = np.take_along_axis(rows, places, axis=1)
    chance = rng.random(places.shape)
    others = vocabulary.ordinary[rng.integers(len(vocabulary.ordinary), size=places.shape)]
    instead = np.where(chance < HIDDEN, vocabulary.mask, np.where(chance < HIDDEN + REPLACED, others, wanted))
    return _masked(rows, places, wanted, instead, vocabulary)


def for_judging(pieces: Sequence[tuple[int, ...]], vocabulary: Vocabulary) -> Masked:
    """Masks for held-out pieces of one length, by the sha256 of each piece alone. All that is asked for is [MASK]."""
    rows = np.array(pieces, dtype=np.int64)
    places = np.concatenate([_places((1, rows.shape[1]), _rng_of(piece), SHARE) for piece in pieces])
    wanted = np.take_along_axis(rows, places, axis=1)
    return _masked(rows, places, wanted, np.full_like(places, vocabulary.mask), vocabulary)


def hidden_in(length: int, share: float = SHARE) -> int:
    """How many of that many tokens are hidden."""
    return max(1, round(share * length))


def _rng_of(piece: tuple[int, ...]) -> np.random.Generator:
    digest = hashlib.sha256(np.array(piece, dtype="<i4").tobytes()).digest()
    return np.random.default_rng(int.from_bytes(digest[:16], "big"))


def _places(shape: tuple[int, ...], rng: np.random.Generator, share: float) -> NDArray[np.int64]:
    hidden = hidden_in(shape[1], share)
    chosen: NDArray[np.int64] = np.argsort(rng.random(shape), axis=1, kind="stable")[:, :hidden]
    return np.sort(chosen, axis=1)


def _masked(
    rows: NDArray[np.int64],
    places: NDArray[np.int64],
    wanted: NDArray[np.int64],
    instead: NDArray[np.int64],
    vocabulary: Vocabulary,
) -> Masked:
    ids = np.empty((rows.shape[0], rows.shape[1] + 2), dtype=np.int64)
    ids[:, 0], ids[:, -1] = vocabulary.start, vocabulary.end
    ids[:, 1:-1] = rows
    np.put_along_axis(ids, places + 1, instead, axis=1)
    return Masked(ids, places + 1, wanted)
