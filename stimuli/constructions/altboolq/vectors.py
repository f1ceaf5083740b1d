"""Word vectors of the selected words, their clusters, and the words that take their places (section 4.1).

Clusters are a Gaussian mixture with spherical covariances on unit vectors. A group's words change together, by word
analogy from one that was drawn.
"""

import random
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import BuildError
from corpus.word_vectors import Matrix, RawVectors
from stimuli.constructions.altboolq.kinds import UNKNOWN, Likeness
from stimuli.constructions.altboolq.parameters import Parameters

Group = tuple[str, ...]
Mask = NDArray[np.bool_]
# `auto` tries 1, 1 + STEP, …: a curve that is fine enough to see its bend.
STEP = 10
NO_KINDS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True, slots=True, eq=False)
class WordVectors:
    """Unit vectors, a row a word. `may_replace` marks the words of the vocabulary that can stand for others.

    `index` gives a word's row; a word without one is out of vocabulary. `files` are what they were read from.
    """

    words: tuple[str, ...]
    unit: Matrix
    may_replace: NDArray[np.bool_]
    index: dict[str, int]
    files: tuple[Path, ...]

    def rows(self, words: Sequence[str]) -> NDArray[np.intp]:
        return np.array([self.index[word] for word in words], dtype=np.intp)


def unit_vectors(raw: RawVectors, *, may_replace: Collection[str], center: bool) -> WordVectors:
    """The vectors at length 1, in alphabetical order; with `center`, relative to the mean of the frequent words.

    Input embeddings of language models have a common direction that makes all cosines high; subtracting the
    mean takes it out (Mu and Viswanath 2018). Words whose vector is zero are left out.
    """
    words = sorted(raw.vectors)
    matrix = np.stack([raw.vectors[word] for word in words]).astype(np.float32)
    if center:
        common = sorted(set(raw.frequent) & set(words))
        matrix -= np.stack([raw.vectors[word] for word in common]).mean(axis=0, dtype=np.float64).astype(np.float32)
    lengths = np.linalg.norm(matrix, axis=1)
    matrix, words = matrix[lengths > 0], [word for word, length in zip(words, lengths, strict=True) if length > 0]
    lengths = lengths[lengths > 0]
    return WordVectors(
        words=tuple(words),
        unit=matrix / lengths[:, None],
        may_replace=np.array([word in may_replace for word in words], dtype=np.bool_),
        index={word: row for row, word in enumerate(words)},
        files=raw.files,
    )


@dataclass(frozen=True, slots=True, eq=False)
class Clusters:
    """`of` is the cluster of each word with a vector; `members` the selected words of each, as often as selected."""

    of: NDArray[np.intp]
    members: tuple[tuple[str, ...], ...]
    bic_curve: dict[int, float] = field(default_factory=dict)

    @property
    def number(self) -> int:
        return len(self.members)


def cluster(selected: Sequence[str], vectors: WordVectors, parameters: Parameters, *, seed: int) -> Clusters:
    """Clusters of the selected words, which are given as often as documents selected them.

    The mixture is fitted to each word once, the words drawn from it are as frequent as they were selected (README.md
    says why). BuildError if there are fewer different words than clusters.
    """
    different = len(set(selected))
    if different < max(parameters.components, 2):
        raise BuildError(
            f"Only {different} different words were selected, too few for {parameters.components or 2} clusters. "
            "Take more documents or set --components."
        )
    words = sorted(set(selected))
    points = vectors.unit[vectors.rows(words)].astype(np.float64)
    curve = _bic_curve(points, parameters, most=min(parameters.most_components, different), seed=seed)
    number = parameters.components or bend(curve)
    model = _fitted(points, number, n_init=parameters.n_init, seed=seed)
    of = model.predict(vectors.unit.astype(np.float64)).astype(np.intp)
    members: list[list[str]] = [[] for _ in range(number)]
    for word in selected:
        members[of[vectors.index[word]]].append(word)
    return Clusters(of, tuple(tuple(sorted(words)) for words in members), curve)


def bend(curve: dict[int, float]) -> int:
    """The number of clusters that a BIC curve speaks for: its minimum, if that lies inside the range tried.

    Where BIC only falls, as in the paper, the number at which its fall slows most: the largest second difference.
    """
    numbers = sorted(curve)
    least = min(numbers, key=lambda number: (curve[number], number))
    if least != numbers[-1] or len(numbers) < 3:
        return least
    slowing = {
        middle: (curve[after] - curve[middle]) / (after - middle) - (curve[middle] - curve[before]) / (middle - before)
        for before, middle, after in zip(numbers, numbers[1:], numbers[2:], strict=False)
    }
    return max(slowing, key=lambda number: (slowing[number], -number))


def _bic_curve(points: NDArray[np.float64], parameters: Parameters, *, most: int, seed: int) -> dict[int, float]:
    if parameters.components:
        return {}
    from tqdm import tqdm

    numbers = tqdm(range(1, most + 1, STEP), desc="clusters", disable=None)
    return {number: float(_fitted(points, number, n_init=1, seed=seed).bic(points)) for number in numbers}


def _fitted(points: NDArray[np.float64], number: int, *, n_init: int, seed: int) -> Any:
    from sklearn.mixture import GaussianMixture

    model = GaussianMixture(
        n_components=number, covariance_type="spherical", n_init=n_init, random_state=seed, max_iter=200
    )
    return model.fit(points)


def about(vectors: WordVectors) -> dict[str, Any]:
    return {
        "words": len(vectors.words),
        "dimensions": int(vectors.unit.shape[1]),
        "words_that_may_replace": int(vectors.may_replace.sum()),
    }


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

    in_cluster = (
        space.clusters.of == number if number is not None else np.ones(len(space.vectors.words), dtype=np.bool_)
    )
    members = () if number is None else space.clusters.members[number]
    for level in levels or [np.ones(len(space.vectors.words), dtype=np.bool_)]:
        pool = free(word for word in members if level[space.vectors.index[word]])
        if not pool:
            rows = np.flatnonzero(in_cluster & space.vectors.may_replace & level)
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
            levels = [level & free for level in space.levels(word, kinds)]
            level = next((level for level in levels if level.any()), free)
            best = int(np.argmax(np.where(level, similarity, -np.inf)))
            free[best] = False
            new[word] = space.vectors.words[best]
            total += float(similarity[best])
    return tuple(new[word] for word in words), total / len(words)


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
    cosines: Matrix = (targets / lengths) @ unit.T
    return cosines
