"""Randomization (section 4.1): a group's words change together, by word analogy from one that was drawn."""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from corpus.word_vectors.raw import Matrix
from stimuli.constructions.altboolq.kinds import UNKNOWN, Likeness
from stimuli.constructions.altboolq.selection import Group
from stimuli.constructions.altboolq.vectors.clusters import Clusters
from stimuli.constructions.altboolq.vectors.table import WordVectors

Mask = NDArray[np.bool_]
NO_KINDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class Space:
    """Where replacements are looked for. `structural` words never take another's place."""

    vectors: WordVectors
    clusters: Clusters
    structural: frozenset[str]
    likeness: Likeness | None = None

    def levels(self, word: str, kinds: Mapping[str, str]) -> list[Mask]:
        """Which words of the vocabulary are like this one: the strictest first, and all where none need be."""
        if self.likeness is None or not self.likeness.applies:
            return [np.ones(len(self.vectors.words), dtype=np.bool_)]
        kind, row = kinds.get(word, UNKNOWN), self.vectors.index[word]
        return [self.likeness.like(kind, row), self.likeness.of_kind(kind)]


@dataclass(frozen=True, slots=True)
class NewGroup:
    """A group's new words in its order, the share of them in the old word's cluster, and their mean similarity.

    `of_kind` and `in_band`: the share of new words of the old word's kind, and about as frequent.
    """

    words: Group
    new: Group
    cluster_match: float
    similarity: float
    of_kind: float = 0.0
    in_band: float = 0.0


def replace_group(
    words: Group, space: Space, *, avoid: Collection[str], rng: random.Random, kinds: Mapping[str, str] = NO_KINDS
) -> NewGroup | None:
    """New words for a group; None if none of its clusters has a word to draw. `kinds`: those of the document's words.

    The group's clusters are tried in random order, with one word drawn from each. The first whose new words are
    all in the old words' clusters is taken; else the one with the best cluster match and similarity. Where words
    are exchanged for words like them and no cluster has one, it comes from any cluster.
    """
    old = space.clusters.of[space.vectors.rows(words)]
    order = sorted(set(old.tolist()))
    rng.shuffle(order)
    tried: list[NewGroup] = []
    must_be_alike = space.likeness is not None and space.likeness.applies
    for number in [*order, None] if must_be_alike else order:
        if number is None and tried:
            break
        candidates = [word for word, label in zip(words, old, strict=True) if number in (label, None)]
        if must_be_alike:
            # What is drawn is of one word's kind, and stands for that word.
            candidates = [rng.choice(candidates)]
        drawn = draw(number, words, space, avoid=avoid, rng=rng, levels=space.levels(candidates[0], kinds))
        if drawn is None:
            continue
        new, similarity = best_analogy(words, candidates, drawn, space, avoid=avoid, kinds=kinds)
        match = float(np.mean(space.clusters.of[space.vectors.rows(new)] == old))
        tried.append(NewGroup(words, new, match, similarity, *_alike(words, new, space, kinds)))
        if match == 1.0:
            return tried[-1]
    return max(tried, key=lambda one: (one.cluster_match, one.similarity), default=None)


def draw(
    number: int | None,
    words: Group,
    space: Space,
    *,
    avoid: Collection[str],
    rng: random.Random,
    levels: Sequence[Mask] = (),
) -> str | None:
    """A word of this cluster, as often as it was selected anywhere, but none of the group or of `avoid`.

    Where no selected word is left, any word of the vocabulary in this cluster; None if there is none either. Each of
    `levels` is tried in turn: the rows of the vocabulary to draw from. `number` None is any cluster.
    """

    def free(pool: Iterable[str]) -> list[str]:
        return [word for word in pool if word not in words and word not in avoid and word not in space.structural]

    here = space.clusters.of == number if number is not None else np.ones(len(space.vectors.words), dtype=np.bool_)
    members = () if number is None else space.clusters.members[number]
    for level in levels or [np.ones(len(space.vectors.words), dtype=np.bool_)]:
        pool = free(word for word in members if level[space.vectors.index[word]])
        if not pool:
            rows = np.flatnonzero(here & space.vectors.may_replace & level)
            pool = free(space.vectors.words[row] for row in rows)
        if pool:
            return rng.choice(pool)
    return None


def best_analogy(
    words: Group,
    candidates: list[str],
    drawn: str,
    space: Space,
    *,
    avoid: Collection[str],
    kinds: Mapping[str, str] = NO_KINDS,
) -> tuple[Group, float]:
    """Each candidate in turn is the word that `drawn` stands for; the one whose analogies are closest is taken."""
    tried = [analogies(words, candidate, drawn, space, avoid=avoid, kinds=kinds) for candidate in candidates]
    return max(tried, key=lambda one: (one[1], one[0]))


def analogies(
    words: Group,
    candidate: str,
    drawn: str,
    space: Space,
    *,
    avoid: Collection[str],
    kinds: Mapping[str, str] = NO_KINDS,
) -> tuple[Group, float]:
    """`drawn` for `candidate`, and for each other word x_j the word closest to w_j - w_candidate + w_drawn.

    Closest by cosine, over unit vectors (Mikolov et al. 2013), among words that may replace others and are not in
    the group or in `avoid`, and like x_j where they must be; different words get different ones. The mean similarity
    counts `drawn` as 1.
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
            best = _closest(similarity, _first_with_any([level & free for level in space.levels(word, kinds)], free))
            free[best] = False
            new[word] = space.vectors.words[best]
            total += float(similarity[best])
    return tuple(new[word] for word in words), total / len(words)


def _first_with_any(levels: Sequence[Mask], otherwise: Mask) -> Mask:
    return next((level for level in levels if level.any()), otherwise)


def _alike(words: Group, new: Group, space: Space, kinds: Mapping[str, str]) -> tuple[float, float]:
    """The share of new words of the old word's kind, and that of those in its frequency band."""
    if space.likeness is None:
        return 0.0, 0.0
    old_rows, rows = space.vectors.rows(words), space.vectors.rows(new)
    same = [space.likeness.kinds[row] == kinds.get(word, UNKNOWN) for word, row in zip(words, rows, strict=True)]
    near = [space.likeness.like(UNKNOWN, old)[row] for old, row in zip(old_rows, rows, strict=True)]
    return float(np.mean(same)), float(np.mean(near))


def _cosines(targets: Matrix, unit: Matrix) -> Matrix:
    # A target is zero only if word, candidate and drawn cancel out; then nothing is close to it.
    lengths = np.maximum(np.linalg.norm(targets, axis=1, keepdims=True), np.finfo(np.float32).tiny)
    found: Matrix = (targets / lengths) @ unit.T
    return found


def _closest(similarity: Matrix, free: Mask) -> int:
    return int(np.argmax(np.where(free, similarity, -np.inf)))
