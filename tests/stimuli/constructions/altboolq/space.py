"""Spaces of a few words in two or three dimensions, in which AltBoolQ's replacements can be worked out by hand."""

import numpy as np

from corpus.word_vectors import RawVectors
from stimuli.constructions.altboolq.vectors import Clusters, Space, WordVectors, unit_vectors


def vectors(table: dict[str, list[float]], *, center: bool = False) -> WordVectors:
    raw = RawVectors({word: np.array(numbers, dtype=np.float32) for word, numbers in table.items()}, set(table), ())
    return unit_vectors(raw, may_replace=set(table), center=center)


def space(table: dict[str, list[float]], clusters: dict[str, int], *, structural: tuple[str, ...] = ()) -> Space:
    known = vectors(table)
    of = np.array([clusters[word] for word in known.words], dtype=np.intp)
    members = [
        tuple(word for word in known.words if clusters[word] == one) for one in range(max(clusters.values()) + 1)
    ]
    return Space(known, Clusters(of, tuple(members)), frozenset(structural))


# A plural is its singular turned upwards, in every family the same way.
PLURALS: dict[str, list[float]] = {
    "king": [1, 0, 0], "kings": [0.8, 0, 0.6],
    "lamp": [0, 1, 0], "lamps": [0, 0.8, 0.6],
    "moon": [-1, 0, 0],
}  # fmt: skip
NOUNS = {"king": 0, "lamp": 0, "moon": 0, "kings": 1, "lamps": 1}
