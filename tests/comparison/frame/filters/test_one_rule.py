"""An address is refused or taken by what the study has: before figures are kept as after."""

from collections import Counter

import pytest
from celery import current_app
from django.http import QueryDict
from django.urls import reverse

from comparison import tasks
from comparison.frame import outline, reading, selected
from comparison.frame.filters.address import read_selection
from comparison.frame.filters.selection import Selection
from comparison.frame.names import read_attributes
from comparison.frame.selected import select
from comparison.statistics.counts import WITHOUT
from researcher.views.comparison import PARTS
from scoring.models import Score
from tests.comparison.cast import give_labels, give_run
from tests.comparison.conftest import labels
from tests.comparison.page.visiting import address
from tests.studies import open_small_study, plausibility_row

SIZE = 15
NAMES = [f"target-{number}" for number in range(1, SIZE + 1)]
GOOD = (
    "attribute=class&value=odd",
    "attribute=rare&value==",
    "attribute=noun&value=nowhere",
    "by=noun&across=rare&unit=class&condition=class",
    "predictors=class&predictors=length",
    "bins=2",
    "bins=1.5, 9&by=length",
    "merged=odd&merged=even&by=class",
    "merged=noun1&merged=noun14&by=noun",
    f"merged=yes&merged={WITHOUT}",
    "within=odd&by=class",
    "shares_of=majority&sort=surprisal",
    "run={parrot}&beside={smol}&runs={smol}&shares_of={parrot}",
    "true=impossible&given=none&right=wrong",
    "beside_right=right",
    "ranked={smol}",
    "assessors={somebody}",
    "surprisal_min=1",
    "surprisal_min=1&surprisal_of=original",
    "surprisal_min=1&run={smol}",
    "classes=coarse&page=99",
)
BAD = (
    "sort=x",
    "page=0",
    "attribute=nothing&value=x",
    "attribute=class&value=third",
    "by=nothing",
    "across=nothing",
    "unit=nothing",
    "condition=nothing",
    "predictors=nothing",
    "predictors=noun",
    "bins=1",
    "bins=0200000000&by=length",
    "bins=2&by=class",
    "merged=odd&merged=third&by=class",
    "merged=odd&by=class",
    "merged=2&merged=3&by=length",
    "merged=noun1&merged=noun99&by=noun",
    "shares_of=0",
    "run=0",
    "beside=0",
    "runs=0",
    "true=x",
    "given=x",
    "ranked=0",
    "ranked={parrot}",
    "assessors=nobody",
    f"assessors={'&assessors='.join(f'a{number}' for number in range(1, 12))}",
    "surprisal_min=1&run={parrot}",
    "surprisal_min=1&surprisal_of=word",
    "jensen_shannon_min=0",
)


@pytest.fixture(autouse=True)
def no_worker(monkeypatch, settings, tmp_path):
    settings.VAR_DIR = tmp_path / "var"
    monkeypatch.setattr(current_app, "send_task", lambda name, asked, **options: None)


@pytest.fixture
def wide_study(db, tmp_path, monkeypatch):
    """Its nouns are too many for a regression and for a list to choose from; one run of two ranks the sentences."""
    monkeypatch.setattr(outline, "MOST_VALUES", 13)
    made = open_small_study(tmp_path / "wide", [_row(number) for number in range(1, SIZE + 1)], slug="wide")
    made.numbers = ["length"]
    made.save()
    give_labels(made, labels())
    right = [(name, "less_likely", None, "") for name in NAMES]
    give_run(made, right, key="parrot", metric="label", family="classifier")
    smol = give_run(made, [(name, None, 1.0, "") for name in NAMES], key="smol", family="causal")
    ranks = {role: {"text": role, "logprob": -2.0, "rank": 2} for role in ("original", "modified")}
    ranks |= {label: {"text": label, "rank": 2} for label in made.task.scale.values}
    Score.objects.filter(run=smol).update(detail={"options": ranks})
    return made


def _row(number):
    rare = {"rare": "yes"} if number > 9 else {}
    own = {"class": "odd" if number % 2 else "even", "noun": f"noun{number}", "length": str(number % 4), **rare}
    return plausibility_row(number, reference="less_likely", attributes=own)


def spelled(study, query):
    runs = {run.model.key: run.pk for run in study.runs.select_related("model")}
    return query.format(**runs, somebody="a1")


def answered(client, study, query):
    """Whether each address takes the query."""
    item, two = reverse("comparison_item", args=[study.slug, "target-3"]), reverse("two_runs", args=[study.slug])
    files = [reverse("export", args=[study.slug, what]) for what in ("items", "confusion")]
    pages = [address(study, "models"), item, two, *files]
    return {page: client.get(f"{page}?{query}").status_code for page in pages}


@pytest.mark.slow
@pytest.mark.parametrize(("query", "taken"), [*((one, True) for one in GOOD), *((one, False) for one in BAD)])
def test_an_address_is_answered_alike_before_figures_are_kept_and_after(
    logged_in, wide_study, monkeypatch, query, taken
):
    query = spelled(wide_study, query)
    monkeypatch.setattr(selected, "QUICK", 0)
    with monkeypatch.context() as waiting:
        waiting.setattr(reading, "read_panel", lambda *given, **named: pytest.fail("the panel was read"))
        before = answered(logged_in, wide_study, query)
    _ = select(wide_study, Selection(classes="coarse" if "coarse" in query else "")).outline
    assert answered(logged_in, wide_study, query) == before
    assert {status < 400 for status in before.values()} == {taken}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("query", "taken"),
    [
        *((one, True) for one in ("merged=noun1&merged=noun14&by=noun", "ranked={smol}", "surprisal_min=1")),
        *((one, False) for one in ("predictors=noun", "ranked={parrot}", "assessors=nobody&agreement=majority")),
    ],
)
def test_no_part_answers_otherwise_once_a_worker_has_computed_it(logged_in, wide_study, monkeypatch, query, taken):
    query = spelled(wide_study, query)

    def statuses():
        return {part: logged_in.get(f"{address(wide_study, part)}?{query}").status_code for part in PARTS}

    expected = dict.fromkeys(PARTS, 200 if taken else 400)
    monkeypatch.setattr(selected, "QUICK", 0)
    assert statuses() == expected
    asked = read_selection(dict(QueryDict(query).lists()))
    tasks.compute(wide_study.pk, "overview", asked.query())
    assert statuses() == expected
    monkeypatch.setattr(selected, "QUICK", 10**9)
    assert statuses() == expected


@pytest.mark.slow
def test_without_an_attribute_no_value_of_one_can_be_asked_for(logged_in, db, tmp_path, monkeypatch):
    study = open_small_study(tmp_path / "plain", [plausibility_row(1)], slug="plain")
    for most in (0, 10**9):
        monkeypatch.setattr(selected, "QUICK", most)
        for query in ("within=x", "merged=x&merged=y", "bins=2", "right=wrong", "beside_right=right", "by=class"):
            assert logged_in.get(f"{address(study, 'items')}?{query}").status_code == 400, query
        assert logged_in.get(f"{address(study, 'items')}?sort=surprisal").status_code == 200


def test_the_database_counts_the_values_that_a_panel_has(wide_study):
    panel = select(wide_study, Selection()).whole
    assert {name: dict(Counter(column.tolist())) for name, column in panel.attributes.items()} == {
        name: dict(found) for name, found in read_attributes(wide_study).items()
    }
    assert [list(found) for found in read_attributes(wide_study).values()] == [
        list(dict.fromkeys(column.tolist())) for column in panel.attributes.values()
    ]


@pytest.mark.slow
def test_of_the_runs_that_have_a_number_the_nearest_is_looked_at(wide_study):
    smol = str(wide_study.runs.get(model__key="smol").pk)
    chosen = select(wide_study, Selection(surprisal_min="1"))
    assert chosen.outline.nearest[0] != smol
    assert (chosen.selection.run, select(wide_study, Selection()).selection.run) == (smol, chosen.outline.nearest[0])


@pytest.mark.parametrize("query", ["ranked=0", "predictors=noun"])
def test_a_link_to_what_is_not_there_is_not_made_of_a_large_study(logged_in, wide_study, monkeypatch, query):
    monkeypatch.setattr(selected, "QUICK", 0)
    answer = logged_in.post(reverse("shares", args=[wide_study.slug]), {"name": "x", "query": query, "days": 7})
    assert answer.status_code == 422
    assert "cannot be shared" in answer.content.decode()
    assert not wide_study.shares.exists()
