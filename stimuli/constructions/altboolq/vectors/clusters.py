"""Clusters of the selected words: a Gaussian mixture with spherical covariances on unit vectors (section 4.1)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from corpus.errors import BuildError
from stimuli.constructions.altboolq.parameters import Parameters
from stimuli.constructions.altboolq.vectors.table import WordVectors

# `auto` tries 1, 1 + STEP, …: a curve that is fine enough to see its bend.
STEP = 10


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
        here: (curve[after] - curve[here]) / (after - here) - (curve[here] - curve[before]) / (here - before)
        for before, here, after in zip(numbers, numbers[1:], numbers[2:], strict=False)
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
