"""Accuracy with fewer classes: worked by hand on eight items, on the page, and nowhere that has one way only."""

import re

import numpy as np
import pandas as pd
import pytest
from django.urls import reverse

from annotation.tasktypes import task_type
from annotation.tasktypes.contract import Label, Scale
from comparison.figures.models.classes import CLASSES, class_table, ways
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.reading import read_panel
from comparison.frame.selected import select
from comparison.statistics.counts import MISSING
from scoring.models import Score

DEGREES = task_type("plausibility").configured({}).scale
# Impossible, less, equally, more, necessarily: 0 to 4.
TRUTH = [0, 0, 1, 2, 2, 3, 4, MISSING]
RUN = [0, 1, 0, 2, 1, 4, 3, 2]


def column(decided: list[int], *, key: str = "1", family: str = "classifier") -> RunColumn:
    size = len(decided)
    return RunColumn(
        key=key,
        short=key,
        model=f"model {key}",
        metric="label",
        family=family,
        is_baseline=family == "baseline",
        state="finished",
        decided=np.array(decided),
        strengths=np.full(size, np.nan),
        unscored=np.full(size, "", dtype=object),
        scored=np.ones(size, dtype=bool),
    )


def panel(truth: list[int], runs: list[RunColumn], counts: list[list[int]] | None = None) -> Panel:
    size = len(truth)
    names = np.array([f"item-{place}" for place in range(size)], dtype=object)
    return Panel(
        items=names,
        texts=names,
        lengths=np.ones(size),
        groups=names,
        attributes={},
        values=DEGREES.values,
        words={value: value for value in DEGREES.values},
        ordered=True,
        people=pd.DataFrame({"item": [], "rater": [], "label": []}),
        counts=np.array(counts or [[0] * 5] * size),
        truth=np.array(truth),
        published=np.full(size, np.nan),
        runs=tuple(runs),
    )


def counted(table, rater: str) -> list[tuple[int, int]]:
    line = next(line for line in table.lines if line.rater == rater)
    return [(hits.correct, hits.compared) for hits in line.hits]


def test_three_ways_by_hand():
    """Right on the first and fourth of seven; without impossible ones on the fourth; merged on all but the fifth."""
    table = class_table(panel(TRUTH, [column(RUN)]), DEGREES, against="reference")
    assert table is not None
    assert [way.words for way in table.ways] == [
        "5 classes",
        "4 classes: without items labeled impossible",
        "3 classes: extremes merged",
    ]
    assert counted(table, "model 1 · label") == [(2, 7), (1, 5), (6, 7)]


def test_people_are_merged_before_their_majority_is_taken():
    """Impossible and less likely, one label each, are no majority of five degrees, and both less likely of three."""
    counts = [[1, 1, 0, 0, 0], [2, 0, 0, 1, 0], [0, 0, 3, 0, 0]]
    table = class_table(panel([0, 0, 2], [column([1, 0, 2])], counts), DEGREES, against="majority")
    assert table is not None
    assert counted(table, "model 1 · label") == [(2, 2), (1, 1), (3, 3)]
    table = class_table(panel([0, 0, 2], [column([1, 0, 2])], counts), DEGREES, against="reference")
    assert table is not None
    # The majority label, held against the reference.
    assert counted(table, "Majority of all labels") == [(2, 2), (1, 1), (3, 3)]


def test_three_classes_are_those_of_the_merged_page(study):
    """The same figures as where the whole study is read with merged labels."""
    run = study.runs.get(model__key="parrot")
    Score.objects.filter(run=run, item__external_id__in=["target-1", "target-4"]).update(decision="impossible")
    whole, merged = (read_panel(study, coarse=coarse) for coarse in (False, True))
    for target in ("majority", "reference"):
        table = class_table(whole, study.task.scale, against=target)
        assert table is not None
        truth = merged.truth if target == "reference" else merged.majority
        for one in merged.runs:
            if (one.decided != MISSING).any() and one.cuts is None:
                both = (one.decided != MISSING) & (truth != MISSING)
                right = int((one.decided[both] == truth[both]).sum())
                assert counted(table, one.name)[2] == (right, int(both.sum()))


def test_raters_that_name_no_labels_are_not_among_them(study):
    table = class_table(read_panel(study, coarse=False), study.task.scale, against="reference")
    assert table is not None
    assert [line.rater for line in table.lines] == ["Majority of all labels", "parrot · label", "majority · label"]


def test_there_is_no_table_with_one_way_only_or_without_labels():
    scale = Scale((Label("yes", "Yes", "1"), Label("no", "No", "2")))
    assert len(ways(scale)) == 1
    assert class_table(panel(TRUTH, [column(RUN)]), scale, against="reference") is None
    assert class_table(panel(TRUTH, [column([MISSING] * 8)]), DEGREES, against="reference") is None


def in_order(*decided):
    """Over forty items of three degrees that people would merge: less, equally, more likely."""
    runs = [column(list(own), key=str(place)) for place, own in enumerate(decided)]
    found = class_table(panel([1, 2, 3, 2] * 10, runs), DEGREES, against="reference")
    assert found is not None
    return found.in_order


def test_an_order_is_said_only_where_tests_show_it():
    right = [1, 2, 3, 2] * 10
    half = [1, 2, 1, 4] * 10
    slightly = [1, 2, 3, 2] * 9 + [1, 2, 3, 3]
    assert in_order(right, half) is True
    assert in_order(right, slightly) is None, "right once more is not shown to be more"
    assert in_order(right, right) is None
    assert in_order(right) is None, "one model has no order"


def test_an_order_that_turns_round_is_said_to_change():
    """Impossible and less likely are one of three classes: the first is right there alone, the other on the scale."""
    turned = class_table(
        panel([0] * 60, [column([1] * 60), column([0] * 30 + [3] * 30, key="2")]), DEGREES, against="reference"
    )
    assert turned is not None
    assert turned.in_order is False


def test_without_two_models_nothing_is_said_of_an_order(logged_in, study):
    assert CLASSES.state(select(study, Selection())) is None, "one model and a baseline"


@pytest.mark.slow
@pytest.mark.parametrize(("query", "is_shown"), [({"against": "reference"}, True), ({"classes": "coarse"}, False)])
def test_the_page_shows_them_beside_each_other(logged_in, study, query, is_shown):
    response = logged_in.get(reverse("results", args=[study.slug, "classes"]), query)
    text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.content.decode()))
    assert ("Accuracy with fewer classes" in text) == is_shown
    if is_shown:
        # Equally likely is right on three of six, however they are counted: none is extreme.
        assert "majority (baseline) 3 .5 [.2, .8] 3 .5 [.2, .8] 3 .5 [.2, .8] 6" in text
        assert "4 classes: without items labeled impossible" in text
