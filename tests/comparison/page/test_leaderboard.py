"""The leaderboard: every run once, grouped by what is shown of it, each row with its further metrics."""

from random import Random

import pytest

from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from comparison.page.models import SHOWN
from comparison.statistics.accuracy.hits import share
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import page, words
from tests.studies import open_small_study, plausibility_row

DEGREES = ["impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true"]
pytestmark = pytest.mark.slow


def board(client, study, **query):
    found = page(client, study, "models", **query).context["page"].models.whole
    return {group.title: [row.name for row in group.rows] for group in found.groups}


def rows(client, study):
    found = page(client, study, "models").context["page"].models.whole
    return {row.name: row for group in found.groups for row in group.rows}


def test_runs_stand_in_groups_and_those_not_compared_last(logged_in, study):
    found = board(logged_in, study)
    assert list(found)[-2:] == ["Baselines", "Not compared"]
    assert [found["Baselines"], found["Not compared"]] == [["majority"], ["smol pll"]]
    names = [name for group in found.values() for name in group]
    assert len(names) == study.runs.count()


def test_a_row_unfolds_to_its_further_metrics(logged_in, study):
    found = rows(logged_in, study)
    more = dict(found["parrot"].more)
    assert more["Accuracy vs. majority label"].endswith("3 of 4")
    assert more["Accuracy vs. reference"].endswith("6 of 6")
    assert more["Unscored"] == "0"
    assert found["parrot"].kappa
    assert "gives scores and no labels" in dict(found["smol pll"].more)["Labels"]


def test_those_that_tie_are_one_group(logged_in, tmp_path):
    """Of five runs, two cannot be separated from the best but are not shown to beat chance: they are not nearest."""
    items = [plausibility_row(number, reference=DEGREES[number % 5]) for number in range(50)]
    study = open_small_study(tmp_path / "fifty", items, slug="fifty")
    draw = Random(1)
    for key, right in {"ash": 20, "birch": 19, "cedar": 17, "dogwood": 15, "elm": 9}.items():
        at = set(draw.sample(range(50), right))
        said = [DEGREES[n % 5 if n in at else (n + draw.randint(1, 4)) % 5] for n in range(50)]
        labels = [(row.id, label, None, "") for row, label in zip(items, said, strict=True)]
        give_run(study, labels, key=key, metric="label", family="classifier")
    groups = list(board(logged_in, study).values())
    assert set(groups[0]) == {"ash", "birch", "cedar"}
    assert any({"dogwood", "elm"} <= set(group) for group in groups[1:])


def test_how_labels_by_cut_points_came_about_is_said_once(logged_in, cut_study):
    text = words(page(logged_in, cut_study, "models"))
    assert text.count("each as frequent as in the labels of 120 items") == 1


def test_of_many_runs_the_nearest_are_shown_and_a_count(logged_in, study):
    names = [f"target-{number}" for number in range(1, 7)]
    for number in range(SHOWN + 3):
        given = [(name, DEGREES[number % 5], None, "") for name in names]
        give_run(study, given, key=f"more-{number}", metric="label", family="classifier")
    every = study.runs.count()
    text = words(page(logged_in, study, "models"))
    assert f"{every - SHOWN} more runs. Show all {every}" in text
    assert "Show all" not in words(page(logged_in, study, "models", open="all"))


def test_what_a_run_leaves_open_counts_as_wrong_over_all_items(logged_in, db, tmp_path):
    items = [plausibility_row(n, reference="impossible") for n in range(1, 22)]
    study = open_small_study(tmp_path / "open", items, slug="open")
    given = ["impossible"] * 12 + ["less_likely"] * 4 + [None] * 4
    reasons = [""] * 18 + ["a word is unknown"] * 2
    answers = zip(items, given, reasons, strict=False)
    give_run(study, [(row.id, label, None if why else 0.0, why) for row, label, why in answers], key="shy")
    give_run(study, [(row.id, "impossible", 1.0, "") for row in items], key="bold")
    give_run(study, [(row.id, None, 1.0, "") for row in items], key="mute")
    found = rows(logged_in, study)
    assert dict(found["shy pll"].more)["All items vs. reference"].endswith("12 of 20")
    assert "All items vs. reference" not in dict(found["bold pll"].more)
    header, *lines = export("report")(study, Selection())
    kept = [dict(zip(header, line, strict=True)) for line in lines]
    of_all = [one for one in kept if one["statistic"] == "accuracy_all" and one["classes"] == len(DEGREES)]
    every = {one["rater"]: one for one in of_all if one["against"] == "reference"}
    assert (every["shy · pll"]["count"], every["shy · pll"]["n"], every["shy · pll"]["value"]) == (12, 20, 0.6)
    assert every["mute · pll"]["undefined"]
    assert share(12, 20, reason="").value == 0.6
