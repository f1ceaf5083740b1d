"""Every task type has a comparison page, an item page and exports, with nothing written for it here."""

import csv
import io

import pytest
from django.urls import reverse

from annotation.itemfile import ItemRow
from annotation.tasktypes import TASK_TYPES, task_type
from comparison.exports.cells import lines
from comparison.exports.registry import FILES, export
from comparison.frame.filters.selection import Selection
from tests.comparison.cast import give_labels, give_run
from tests.comparison.learned import learn_at_once
from tests.studies import open_small_study


@pytest.fixture(params=TASK_TYPES)
def any_study(db, tmp_path, request):
    kind = task_type(request.param)
    values = kind.configured(kind.example_settings).scale.values
    names = [f"item-{number}" for number in range(6)]
    study = open_small_study(
        tmp_path,
        [ItemRow(name, kind.example, attributes={"class": name[-1]}) for name in names],
        task={"type": request.param, **kind.example_settings},
        quality={"gold_distance": 1},
    )
    give_labels(
        study,
        [(name, f"p{who}", values[(place + who // 2) % 2]) for place, name in enumerate(names) for who in range(3)],
    )
    scores = [(name, values[place % 2], float(place), "") for place, name in enumerate(names)]
    give_run(study, scores, key="model")
    return study


# Every item has all its labels here, so that none waits for one, and nobody has decided anything.
# They declare no numbers, and have no pairs of words.
EMPTY = {"next-labels", "adjudications", "reports", "numbers", "pairs"}
# Of ordered labels alone.
ORDERED = {"same-item"}


@pytest.mark.slow
def test_the_pages_and_exports_of_a_task_type(logged_in, any_study, monkeypatch):
    learn_at_once(monkeypatch)
    response = logged_in.get(reverse("results", args=[any_study.slug]))
    assert response.status_code == 200
    assert response.context["page"].verdict.runs.models[0].name.startswith("model ")
    assert logged_in.get(reverse("comparison_item", args=[any_study.slug, "item-0"])).status_code == 200
    for what in FILES:
        header, *rows = csv.reader(io.StringIO("".join(lines(export(what)(any_study, Selection())))))
        empty = EMPTY if any_study.task.scale.ordered else EMPTY | ORDERED
        assert {len(row) for row in rows} == (set() if what in empty else {len(header)}), what


@pytest.mark.slow
def test_three_classes_are_offered_only_where_the_scale_has_them(logged_in, any_study):
    html = logged_in.get(reverse("results", args=[any_study.slug])).content.decode()
    assert ('name="classes"' in html) == bool(any_study.task.scale.coarse)
