"""The ten made studies whose verdicts are held to the word."""

import numpy as np

from comparison.statistics.counts import Ints
from comparison.statistics.verdict.evidence import Evidence
from tests.comparison.statistics.verdict.made import (
    baseline,
    entrant,
    evidence,
    labels_like,
    like,
    like_the_majority,
    models,
    nothing,
    rho,
)


def chance() -> Evidence:
    """Two options, 200 items, three models that toss a coin, and a baseline that does."""
    rng = np.random.default_rng(1)
    truth = rng.integers(0, 2, 200)
    counts = labels_like(truth, values=2, share=0.85, each=3, rng=rng)
    runs = models({name: rng.integers(0, 2, 200) for name in ("Ash", "Birch", "Cedar")})
    return evidence(counts, (*runs, baseline(9, "Random", rng.integers(0, 2, 200))))


def tie_of_three() -> Evidence:
    """Three models are right on .75, one on .55; a baseline on .35 of three options."""
    rng = np.random.default_rng(32)
    counts = labels_like(rng.integers(0, 3, 300), values=3, share=0.85, each=5, rng=rng)
    shares = {"Ash": 0.75, "Birch": 0.75, "Cedar": 0.75, "Dogwood": 0.55}
    runs = models({name: like_the_majority(counts, share=share, rng=rng) for name, share in shares.items()})
    return evidence(counts, (*runs, baseline(9, "Random", rng.integers(0, 3, 300))))


def one_clear_best() -> Evidence:
    rng = np.random.default_rng(3)
    counts = labels_like(rng.integers(0, 3, 300), values=3, share=0.8, each=5, rng=rng)
    shares = {"Ash": 0.92, "Birch": 0.7, "Cedar": 0.6}
    return evidence(counts, models({n: like_the_majority(counts, share=s, rng=rng) for n, s in shares.items()}))


def skewed() -> Evidence:
    """.96 of the items are one option, as in the published sheet of intensifiers; people seldom give the other."""
    rng = np.random.default_rng(4)
    truth = (np.arange(100) >= 96).astype(np.int64)
    counts = labels_like(truth, values=2, share=0.95, each=3, rng=rng)
    runs = models({"Ash": rng.integers(0, 2, 100), "Birch": like(truth, values=2, share=0.6, rng=rng)})
    words = ("intensifier", "negation")
    return evidence(counts, (*runs, baseline(9, "Random", rng.integers(0, 2, 100))), words=words)


def people_at_chance() -> Evidence:
    rng = np.random.default_rng(5)
    counts = labels_like(rng.integers(0, 2, 150), values=2, share=0.5, each=3, rng=rng)
    return evidence(counts, models({"Ash": rng.integers(0, 2, 150), "Birch": rng.integers(0, 2, 150)}))


def one_label_an_item() -> Evidence:
    """No majority, and references."""
    rng = np.random.default_rng(6)
    truth = rng.integers(0, 2, 120)
    counts = labels_like(truth, values=2, share=0.8, each=1, rng=rng)
    shares = {"Ash": 0.85, "Birch": 0.6}
    runs = models({name: like(truth, values=2, share=share, rng=rng) for name, share in shares.items()})
    return evidence(counts, runs, truth=truth)


def strengths_only() -> Evidence:
    """Five degrees; a model by cut points, and two whose strengths could not be cut."""
    rng = np.random.default_rng(7)
    truth = rng.integers(0, 5, 200)
    counts = labels_like(truth, values=5, share=0.7, each=5, rng=rng)
    cut = entrant(
        1,
        "Ash",
        like_the_majority(counts, share=0.45, rng=rng),
        how="labels by cut points, each as frequent as in the labels of 200 items",
        strength=rho(0.48, n=200),
    )
    some = entrant(2, "Birch", nothing(200), strength=rho(0.2, n=40))
    return evidence(counts, (cut, some), ordered=True)


def below_a_constant() -> Evidence:
    """Half of the items are one of three labels; the models know something, and less than that."""
    rng = np.random.default_rng(8)
    truth = np.where(np.arange(300) < 180, 1, np.where(np.arange(300) < 240, 0, 2))
    counts = labels_like(truth, values=3, share=0.9, each=3, rng=rng)
    shares = {"Ash": 0.5, "Birch": 0.48, "Cedar": 0.33}
    return evidence(counts, models({n: like_the_majority(counts, share=s, rng=rng) for n, s in shares.items()}))


def twelve_items() -> Evidence:
    rng = np.random.default_rng(9)
    counts = labels_like(np.arange(12) % 2, values=2, share=0.95, each=3, rng=rng)
    best: Ints = counts.argmax(axis=1).copy()
    best[:2] = 1 - best[:2]
    worse: Ints = counts.argmax(axis=1).copy()
    worse[:5] = 1 - worse[:5]
    return evidence(counts, models({"Ash": best, "Birch": worse}))


def twenty_thousand_items() -> Evidence:
    """Differences of a hundredth can be told."""
    rng = np.random.default_rng(10)
    counts = labels_like(rng.integers(0, 2, 20_000), values=2, share=0.85, each=3, rng=rng)
    shares = {"Ash": 0.72, "Birch": 0.719, "Cedar": 0.70, "Dogwood": 0.51}
    runs = models({name: like_the_majority(counts, share=share, rng=rng) for name, share in shares.items()})
    level = baseline(9, "Bigrams", like_the_majority(counts, share=0.72, rng=rng))
    return evidence(counts, (*runs, level))


TEN = {
    made.__name__: made
    for made in (
        chance,
        tie_of_three,
        one_clear_best,
        skewed,
        people_at_chance,
        one_label_an_item,
        strengths_only,
        below_a_constant,
        twelve_items,
        twenty_thousand_items,
    )
}
