"""Randomization (section 4.1): a group's words change together, by word analogy from one that was drawn."""

import random
from collections.abc import Collection, Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stimuli.constructions.altboolq.selection import Group
from stimuli.constructions.altboolq.vectors.clusters import Clusters
from stimuli.constructions.altboolq.vectors.table import Matrix, WordVectors


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Where replacements are looked for. `structural` words never take another's place."""

    vectors: WordVectors
    clusters: Clusters
    structural: frozenset[str]


@dataclass(frozen=True, slots=True)
class NewGroup:
    """A group's new words in its order, the share of them in the old word's cluster, and their mean similarity."""

    words: Group
    new: Group
    cluster_match: float
    similarity: float


def replace_group(words: Group, space: Space, *, avoid: Collection[str], rng: random.Random) -> NewGroup | None:
    """New words for a group; None if none of its clusters has a word to draw.

    The group's clusters are tried in random order, with one word drawn from each. The first whose new words are
    all in the old words' clusters is taken; else the one with the best cluster match and similarity.
    """
    old = space.clusters.of[space.vectors.rows(words)]
    order = sorted(set(old.tolist()))
    rng.shuffle(order)
    tried: list[NewGroup] = []
    for number in order:
        drawn = draw(number, words, space, avoid=avoid, rng=rng)
        if drawn is None:
            continue
        candidates = [word for word, label in zip(words, old, strict=True) if label == number]
        new, similarity = best_analogy(words, candidates, drawn, space, avoid=avoid)
        match = float(np.mean(space.clusters.of[space.vectors.rows(new)] == old))
        tried.append(NewGroup(words, new, match, similarity))
        if match == 1.0:
            return tried[-1]
    return max(tried, key=lambda one: (one.cluster_match, one.similarity), default=None)


def draw(number: int, words: Group, space: Space, *, avoid: Collection[str], rng: random.Random) -> str | None:
    """A word of this cluster, as often as it was selected anywhere, but none of the group or of `avoid`.

    Where no selected word is left, any word of the vocabulary in this cluster; None if there is none either.
    """

    def free(pool: Iterable[str]) -> list[str]:
        return [word for word in pool if word not in words and word not in avoid and word not in space.structural]

    pool = free(space.clusters.members[number])
    if not pool:
        rows = np.flatnonzero((space.clusters.of == number) & space.vectors.may_replace)
        pool = free(space.vectors.words[row] for row in rows)
    return rng.choice(pool) if pool else None


def best_analogy(
    words: Group, candidates: list[str], drawn: str, space: Space, *, avoid: Collection[str]
) -> tuple[Group, float]:
    """Each candidate in turn is the word that `drawn` stands for; the one whose analogies are closest is taken."""
    tried = [analogies(words, candidate, drawn, space, avoid=avoid) for candidate in candidates]
    return max(tried, key=lambda one: (one[1], one[0]))


def analogies(words: Group, candidate: str, drawn: str, space: Space, *, avoid: Collection[str]) -> tuple[Group, float]:
    """`drawn` for `candidate`, and for each other word x_j the word closest to w_j - w_candidate + w_drawn.

    Closest by cosine, over unit vectors (Mikolov et al. 2013), among words that may replace others and are not in
    the group or in `avoid`; different words get different ones. The mean similarity counts `drawn` as 1.
    """
    others = [word for word in words if word != candidate]
    new = {candidate: drawn}
    total = 1.0
    if others:
        unit = space.vectors.unit
        row = space.vectors.index
        targets = unit[space.vectors.rows(others)] - unit[row[candidate]] + unit[row[drawn]]
        similarities = _cosines(targets, unit)
        free = space.vectors.may_replace.copy()
        free[[row[word] for word in (*words, *avoid, drawn) if word in row]] = False
        for word, similarity in zip(others, similarities, strict=True):
            best = _closest(similarity, free)
            free[best] = False
            new[word] = space.vectors.words[best]
            total += float(similarity[best])
    return tuple(new[word] for word in words), total / len(words)


def _cosines(targets: Matrix, unit: Matrix) -> Matrix:
    # A target is zero only if word, candidate and drawn cancel out; then nothing is close to it.
    lengths = np.maximum(np.linalg.norm(targets, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    found: Matrix = (targets / lengths) @ unit.T
    return found


def _closest(similarity: Matrix, free: NDArray[np.bool_]) -> int:
    return int(np.argmax(np.where(free, similarity, -np.inf)))
