"""Labels of made and of real crowds, as arrays."""

import csv
from dataclasses import dataclass

import numpy as np

from comparison.statistics.counts import Ints
from tests.shared_data import shared


@dataclass(frozen=True)
class Crowd:
    """Labels one by one, and what is true of each item."""

    items: Ints
    raters: Ints
    labels: Ints
    truth: Ints
    values: int
    people: int

    @property
    def arrays(self):
        return self.items, self.raters, self.labels

    @property
    def sizes(self):
        return {"size": len(self.truth), "values": self.values, "people": self.people}


def made(*, size: int = 200, people: int = 12, each: int = 5, values: int = 3, seed: int = 1) -> Crowd:
    """People who are right from 30 to 95 % of the time, and guess otherwise."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(values, size=size)
    items = np.repeat(np.arange(size), each)
    raters = np.argsort(rng.random((size, people)), axis=1)[:, :each].ravel()
    right = rng.random(len(items)) < np.linspace(0.3, 0.95, people)[raters]
    labels = np.where(right, truth[items], rng.integers(values, size=len(items)))
    return Crowd(items, raters, labels, truth, values, people)


def snow(name: str) -> Crowd:
    """One task of Snow et al. (2008), with its gold labels."""
    rows = list(csv.DictReader(shared(f"crowd_labels/{name}.csv").open()))
    return _crowd([(row["item"], row["worker"], row["response"]) for row in rows], {r["item"]: r["gold"] for r in rows})


def adult_content() -> Crowd:
    """The toy set of Get-Another-Label: five people, of whom the last is always wrong."""
    labels, gold = (
        [line.split("\t") for line in shared(f"crowd_labels/adultcontent_toy_{part}.txt").read_text().splitlines()]
        for part in ("labels", "evaluation")
    )
    return _crowd([(item, worker, label) for worker, item, label in labels], dict(gold))


def _crowd(rows: list[tuple[str, str, str]], gold: dict[str, str]) -> Crowd:
    items, raters, labels = (sorted({row[place] for row in rows}) for place in range(3))
    item, rater, label = (
        np.array([names.index(row[place]) for row in rows]) for place, names in enumerate((items, raters, labels))
    )
    truth = np.array([labels.index(gold[name]) for name in items])
    return Crowd(item, rater, label, truth, len(labels), len(raters))
