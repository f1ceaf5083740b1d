"""A small study that every endpoint's tests share: six sentences, three people, three runs."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from annotation.adjudicating import adjudicate
from annotation.models import ItemReport, Study
from annotation.tasktypes.contract import PromptNumbers
from annotation.tasktypes.readouts import answered
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from scoring.models import Score
from tests.comparison.cast import give_labels, give_run
from tests.comparison.cuts import cut_study
from tests.studies import open_small_study, owning, plausibility_row
from tests.worlds import world

__all__ = ["cut_study"]

EQUAL, LESS, MORE = "equally_likely", "less_likely", "more_likely"
# Two unanimous, two by majority, one tie, one that nobody labeled.
LABELS = {
    "target-1": [LESS, LESS, LESS],
    "target-2": [EQUAL, EQUAL, EQUAL],
    "target-3": [LESS, LESS, EQUAL],
    "target-4": [EQUAL, MORE, EQUAL],
    "target-5": [LESS, EQUAL, MORE],
}
REFERENCES = [LESS, EQUAL, LESS, MORE, EQUAL, EQUAL]


def rows():
    return [
        plausibility_row(number, reference=reference, attributes={"class": "odd" if number % 2 else "even"})
        for number, reference in enumerate(REFERENCES, 1)
    ]


def labels():
    return [(item, f"p{place}", label) for item, given in LABELS.items() for place, label in enumerate(given, 1)]


def give_runs(study: Study) -> None:
    names = [f"target-{number}" for number in range(1, 7)]
    give_run(study, [(name, EQUAL, None, "") for name in names], key="majority", metric="label", family="baseline")
    right = [(name, reference, None, "") for name, reference in zip(names, REFERENCES, strict=True)]
    give_run(study, right, key="parrot", metric="label", family="classifier")
    strengths = [(name, None, float(place), "") for place, name in enumerate(names[:5])]
    give_run(study, [*strengths, (names[5], None, None, "too long for the model")], key="smol", family="causal")


def give_decision(study: Study) -> None:
    """On the item without a majority, by a researcher."""
    judge, _ = User.objects.get_or_create(username="judge")
    adjudicate(study.items.get(external_id="target-5"), EQUAL, note="", by=judge, seen=None)


def give_report(study: Study) -> None:
    """On the same item, by the first who labeled it."""
    first = study.sittings.earliest("pk")
    ItemReport.objects.create(sitting=first, item=study.items.get(external_id="target-5"), text="A word is missing.")


@pytest.fixture(autouse=True)
def nothing_remembered() -> Iterator[None]:
    """One test's study has the key of another's."""
    cache.clear()
    yield
    cache.clear()


def compared(folder: Path) -> Study:
    """Labeled by people, scored by three runs."""
    made = open_small_study(folder, rows())
    give_labels(made, labels())
    give_runs(made)
    give_decision(made)
    give_report(made)
    return outlined(made)


def outlined(made: Study) -> Study:
    """With the figures that nearly every page has."""
    assert select(made, Selection()).outline
    return made


@pytest.fixture
def study(db, tmp_path) -> Study:
    return world("compared", lambda: compared(tmp_path / "small"))


@pytest.fixture
def grouped_study(db, tmp_path) -> Study:
    """The same, where the items two by two share a group."""
    made = open_small_study(tmp_path / "grouped", [replace(row, group=f"g{n // 2}") for n, row in enumerate(rows())])
    give_labels(made, labels())
    give_runs(made)
    return made


@pytest.fixture
def asked_study(db, tmp_path) -> Study:
    """`study` with a run that was asked in both orders."""
    return world("asked", lambda: asked(compared(tmp_path / "small")))


def asked(study: Study) -> Study:
    """Six items; the first five degrees are answered one item each, always with half a place's lead for the first."""
    scale = study.task.scale
    items = [f"target-{number}" for number in range(1, 7)]
    run = give_run(
        study, [(name, None, None, "") for name in items], key="instruct", metric="prompted", family="causal"
    )
    for place, score in enumerate(Score.objects.filter(run=run).order_by("item__position")):
        shown = [-0.5 if degree == place % 5 else -3.0 - degree / 10 for degree in range(5)]
        turned = [-2.0, *shown[::-1][1:]]
        numbers = PromptNumbers((scale.values, scale.values[::-1]), (tuple(shown), tuple(turned)))
        readout = answered(scale, [(label.value, label.text) for label in scale.labels], numbers)
        Score.objects.filter(pk=score.pk).update(
            decision=readout.decision, strength=readout.strength, detail=readout.detail
        )
    return outlined(study)


@pytest.fixture
def synthetic_study(db, tmp_path) -> Study:
    made = open_small_study(tmp_path / "synthetic", rows(), slug="synthetic")
    give_labels(made, labels(), profile="careful")
    give_runs(made)
    give_decision(made)
    return made


@pytest.fixture
def single_study(db, tmp_path) -> Study:
    """One label an item, on all but the last, and references: people have no majority."""
    made = open_small_study(tmp_path / "single", rows(), slug="single")
    give_labels(made, [(item, "p1", given[0]) for item, given in LABELS.items()])
    give_runs(made)
    return made


@pytest.fixture
def bare_study(db, tmp_path) -> Study:
    """Items, and nothing else."""
    return open_small_study(tmp_path / "bare", [plausibility_row(1)], slug="bare")


@pytest.fixture
def researcher(db) -> Iterator[User]:
    """The owner of every study."""
    made = get_user_model().objects.create_user("researcher", password="long-and-dull")
    with owning(made):
        yield made


@pytest.fixture
def logged_in(client: Client, researcher: User) -> Client:
    client.force_login(researcher)
    return client
