"""What a page of results asks when its figures are remembered, and that what is remembered follows the data."""

import json
from dataclasses import asdict, replace

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from comparison.figures.models import alternative
from comparison.figures.models.alternative import RIVALS, listed
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page import page as page_of_results
from comparison.page.page import read_part
from tests.comparison.cast import give_labels, give_run
from tests.comparison.page.visiting import page
from tests.studies import open_small_study, plausibility_rows


@pytest.fixture(autouse=True)
def nothing_remembered():
    cache.clear()


def charts(study, part="overview", **asked):
    found = read_part(select(study, Selection(**asked)), part).charts
    return json.dumps({name: asdict(chart) for name, chart in found.items()})


@pytest.mark.slow
def test_models_asks_the_same_few_queries_and_sums_items_up_once(logged_in, study):
    page(logged_in, study, "models")
    with CaptureQueriesContext(connection) as caught:
        page(logged_in, study, "models")
    asked = [one["sql"] for one in caught]
    # Who is asking (2), the study, their role in it, what it has gathered (5), the names of its few annotators, and
    # whether it has adjudications to compare with.
    assert len(asked) == 11
    assert sum('SUM("annotation_item"."counted")' in one for one in asked) == 1
    assert not any("annotation_judgment" in one or "scoring_score" in one for one in asked)


@pytest.mark.slow
@pytest.mark.parametrize("part", ["overview", "people", "items", "breakdown", "export"])
def test_every_part_sums_items_up_once(logged_in, study, part):
    page(logged_in, study, part)
    with CaptureQueriesContext(connection) as caught:
        page(logged_in, study, part)
    assert sum('SUM("annotation_item"."counted")' in one["sql"] for one in caught) == 1


@pytest.mark.slow
def test_people_looks_up_repeated_labels_once_and_not_by_all_assignments(logged_in, study):
    page(logged_in, study, "people")
    with CaptureQueriesContext(connection) as caught:
        page(logged_in, study, "people")
    (asked,) = [one["sql"] for one in caught if "annotation_repeatedlabel" in one["sql"]]
    with connection.cursor() as cursor:
        (first, *_) = cursor.execute(f"EXPLAIN QUERY PLAN {asked}").fetchall()
    assert "annotation_repeatedlabel" in first[-1]


@pytest.mark.slow
def test_a_remembered_chart_is_not_drawn_again(study, monkeypatch):
    def drawings():
        parts = ("overview", "models", "breakdown")
        return {part: read_part(select(study, Selection()), part).drawings for part in parts}

    before = drawings()
    assert all(before.values())
    monkeypatch.setattr(page_of_results, "draw", lambda spec: pytest.fail("a chart was drawn again"))
    assert drawings() == before


@pytest.mark.slow
def test_a_chart_follows_labels(study):
    before = charts(study)
    give_labels(study, [("target-6", who, "less_likely") for who in ("late", "later")])
    after = charts(study)
    assert after != before
    cache.clear()
    assert charts(study) == after


@pytest.mark.slow
def test_a_chart_is_of_its_address(study):
    found = {charts(study, against=against) for against in ("majority", "reference")}
    assert len(found) == 2
    by = {charts(study, "breakdown", run=str(run.pk)) for run in study.runs.all()}
    assert len(by) == study.runs.count()


@pytest.fixture
def crowd(db, tmp_path):
    """Four people and a run on forty items."""
    made = open_small_study(tmp_path / "crowd", plausibility_rows(40), collection={"labels_per_item": 4})
    people = [(f"target-{number}", f"p{who}", "less_likely") for number in range(1, 41) for who in range(4)]
    give_labels(made, people)
    give_run(made, [(f"target-{number}", "less_likely", None, "") for number in range(1, 41)], key="parrot")
    return made


@pytest.mark.slow
def test_the_page_lists_the_first_people_and_the_download_has_all(logged_in, crowd, monkeypatch):
    monkeypatch.setattr(alternative.listed, "__defaults__", (3,))
    text = " ".join(page(logged_in, crowd, "alternative").content.decode().split())
    assert "The first 3; all are in the download." in text
    rows = logged_in.get(reverse("export", args=[crowd.slug, "alternative"]))
    lines = b"".join(rows.streaming_content).decode().splitlines()
    assert sum("p_adjusted" in line and ",accuracy," in line for line in lines) == 4
    (run,) = RIVALS.read(select(crowd, Selection()))
    (short,) = listed([run], 3)
    assert [len(one.rivals) for one in short.scored] == [3] * len(run.scored)
    assert short.scored[0] == replace(run.scored[0], rivals=run.scored[0].rivals[:3], unlisted=1)
