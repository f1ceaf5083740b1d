"""Five studies as a reader meets them: one model is nearest, two are tied, ratings, labels that are noise, and pairs
of which one side is right.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.random import Generator

from annotation.itemfile import ItemRow
from annotation.models import Study
from tests.comparison.cast import Label, give_labels, give_run
from tests.studies import open_small_study

ITEMS, PEOPLE, LABELS = 60, 8, 4
YES_NO, POINTS = ("yes", "no"), 7
RIGHT, OTHER = "good", "bad"
PAIR = {"type": "forced_choice", "question": "Which is better?", "options": [RIGHT, OTHER]}
RATING = {"type": "rating", "question": "How natural is it?", "points": POINTS, "low": "Not", "high": "Completely"}
ASKED = {"labels_per_item": LABELS, "sitting_length": 20, "max_items_per_annotator": ITEMS}

Said = Callable[[int, str], str]


def given(said: Said, items: int = ITEMS) -> Iterator[Label]:
    """Each item goes to the next few people in turn."""
    for item in range(items):
        for place in range(LABELS):
            who = f"p{(item * 3 + place) % PEOPLE + 1}"
            yield f"i{item}", who, said(item, who)


def mostly(rng: Generator, truth: Sequence[str], values: Sequence[str], share: float) -> Said:
    def said(item: int, who: str) -> str:
        return truth[item] if rng.random() < share else str(rng.choice(values))

    return said


def rows(content: Callable[[int], dict[str, object]], reference: str | None = None) -> list[ItemRow]:
    """With two attributes: a value for each half of the items, and one for each third."""
    return [
        ItemRow(f"i{n}", content(n), reference=reference, attributes={"half": "ab"[n % 2], "third": "xyz"[n % 3]})
        for n in range(ITEMS)
    ]


def question(number: int) -> dict[str, object]:
    return {"question": f"Did baker number {number} follow the choir?"}


def add_labeling(study: Study, said: dict[str, Said], *, metric: str = "label") -> None:
    for key, one in said.items():
        answers = [(f"i{n}", one(n, ""), 1.0, "") for n in range(ITEMS)]
        give_run(study, answers, key=key, metric=metric, family="classifier")


def yes_no(folder: Path, *, people: float, runs: dict[str, float], slug: str) -> Study:
    rng = np.random.default_rng(5)
    truth = [str(one) for one in rng.choice(YES_NO, ITEMS)]
    task = {"type": "yes_no"}
    study = open_small_study(
        folder, rows(question), slug=slug, task=task, quality={"gold_distance": 1}, collection=ASKED
    )
    give_labels(study, given(mostly(rng, truth, YES_NO, people)))
    add_labeling(study, {key: mostly(rng, truth, YES_NO, share) for key, share in runs.items()})
    return study


def winner(folder: Path) -> Study:
    return yes_no(folder, people=0.9, runs={"falcon": 0.98, "osprey": 0.4, "wren": 0.1}, slug="winner")


def tie(folder: Path) -> Study:
    return yes_no(folder, people=0.85, runs={"falcon": 0.75, "osprey": 0.75, "wren": 0.2}, slug="tie")


def noise(folder: Path) -> Study:
    return yes_no(folder, people=0.0, runs={"falcon": 0.0, "osprey": 0.0, "wren": 0.0}, slug="noise")


def ratings(folder: Path) -> Study:
    """Of seven points; of three runs with scores one follows them, one does a little, one does not."""
    rng = np.random.default_rng(4)
    worth = rng.random(ITEMS)

    def said(item: int, who: str) -> str:
        return str(int(np.clip(round(worth[item] * 6 + 1 + rng.normal(0, 1.0)), 1, POINTS)))

    sentences = rows(lambda n: {"sentence": f"Baker number {n} sleeps the soup."})
    study = open_small_study(folder, sentences, slug="ratings", task=RATING, collection=ASKED)
    give_labels(study, given(said))
    for key, spread in {"heron": 0.3, "plover": 0.5, "dunlin": 9.0}.items():
        scores = worth + rng.normal(0, spread, ITEMS)
        give_run(study, [(f"i{n}", None, float(score), "") for n, score in enumerate(scores)], key=key)
    return study


def minimal_pairs(folder: Path) -> Study:
    """The good one is right in every item."""
    rng = np.random.default_rng(6)
    pairs = rows(
        lambda n: {"sentence": f"The {n} bakers ____.", "options": {RIGHT: "sleep", OTHER: "sleeps"}}, reference=RIGHT
    )
    study = open_small_study(folder, pairs, slug="pairs", task=PAIR, quality={"gold_distance": 1}, collection=ASKED)
    truth = [RIGHT] * ITEMS
    give_labels(study, given(mostly(rng, truth, (RIGHT, OTHER), 0.9)))
    for key, share in {"falcon": 0.95, "osprey": 0.7, "wren": 0.1}.items():
        said = mostly(rng, truth, (RIGHT, OTHER), share)
        give_run(study, [(f"i{n}", said(n, ""), float(rng.normal()), "") for n in range(ITEMS)], key=key)
    return study


FIVE = (winner, tie, ratings, noise, minimal_pairs)
