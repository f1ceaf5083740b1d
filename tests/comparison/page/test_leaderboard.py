"""The leaderboard: every run once, from the best to the worst, with what it is read beside among them."""

import re
from random import Random

import pytest

from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from comparison.page.leaderboard import Entry, Yardstick
from comparison.statistics.accuracy.hits import share
from tests.comparison.cast import give_run
from tests.comparison.page.visiting import page, words
from tests.studies import open_small_study, plausibility_row

DEGREES = ["impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true"]


def numbers(study):
    """Of those who labeled, in order."""
    return list(study.sittings.order_by("annotator").values_list("annotator", flat=True))


def board(client, study, **query):
    return page(client, study, "models", **query).context["page"].leaderboard


def named(rows):
    return [row.run.model if isinstance(row, Entry) else row.name for row in rows]


@pytest.mark.slow
def test_runs_stand_from_the_best_to_the_worst_among_what_they_are_read_beside(logged_in, study):
    """On four items: parrot .75, one person nearly, the majority baseline and the constant .50, chance .20."""
    found = board(logged_in, study)
    assert named(found.placed) == ["parrot", "One person", "majority", "Best constant label", "Chance"]
    values = [row.value.value for row in found.placed]
    assert values == sorted(values, reverse=True)
    assert named(found.rest) == ["The majority of people", "smol", *(f"One person · a{n}" for n in numbers(study))]


@pytest.mark.slow
def test_every_run_stands_in_it_once(logged_in, study):
    found = board(logged_in, study)
    assert sorted(one.run.key for one in found.entries) == sorted(str(run.pk) for run in study.runs.all())


@pytest.mark.slow
def test_lines_have_their_figure_and_its_interval_where_it_has_one(logged_in, study):
    placed = board(logged_in, study).placed
    said = {row.name: f"{row.value}; {row.value.remarks}" for row in placed if isinstance(row, Yardstick) and row.value}
    assert said["Chance"] == ".2, n = 4; no interval: chance is computed, not measured"
    assert said["Best constant label"] == ".5, n = 4; no interval: the share of these items"
    assert said["One person"].startswith(".8 [.0, 1.0]")
    assert next(row.how for row in placed if row.value and row.value.no_interval) == "always “Less likely”"


@pytest.mark.slow
def test_by_distance_the_least_stands_first(logged_in, study):
    study.measure = "distance"
    study.save(update_fields=["measure"])
    found = board(logged_in, study)
    values = [row.value.value for row in found.placed]
    assert values == sorted(values)
    assert named(found.placed)[0] == "parrot"
    assert "From the best to the worst by mean distance" in words(page(logged_in, study, "models"))


@pytest.mark.slow
def test_the_nearest_are_marked_where_a_model_is_told_from_chance(logged_in, cut_study):
    found = board(logged_in, cut_study)
    assert [one.run.model for one in found.entries if one.is_nearest] == ["smol"]
    assert re.search(r"smol · pll\s*†\s*nearest", words(page(logged_in, cut_study, "models")))


@pytest.mark.slow
def test_what_is_no_better_than_chance_is_not_told_from_the_nearest(logged_in, tmp_path):
    """Fifty items, five runs: one of .18, with chance at .20, cannot be told from the best, and is not nearest."""
    rows = [plausibility_row(number, reference=DEGREES[number % 5]) for number in range(50)]
    study = open_small_study(tmp_path / "fifty", rows, slug="fifty")
    draw = Random(1)
    for key, right in {"ash": 20, "birch": 19, "cedar": 17, "dogwood": 15, "elm": 9}.items():
        at = set(draw.sample(range(50), right))
        said = [DEGREES[n % 5 if n in at else (n + draw.randint(1, 4)) % 5] for n in range(50)]
        labels = [(row.id, label, None, "") for row, label in zip(rows, said, strict=True)]
        give_run(study, labels, key=key, metric="label", family="classifier")
    found = {one.run.model: one for one in board(logged_in, study).entries}
    assert [name for name, one in found.items() if one.is_nearest] == ["ash", "birch", "cedar", "dogwood"]
    assert [name for name, one in found.items() if one.is_level] == ["elm"]
    text = words(page(logged_in, study, "models"))
    assert re.search(r"elm · label\W*difference not shown", text)
    assert not re.search(r"elm · label\W*nearest", text)


@pytest.mark.slow
def test_no_model_is_marked_where_none_is_told_from_chance(logged_in, study):
    assert not [one for one in board(logged_in, study).entries if one.is_nearest]


@pytest.mark.slow
def test_how_degrees_came_about_is_said_once_under_the_table(logged_in, cut_study):
    html = page(logged_in, cut_study, "models").content.decode()
    table, after = html[html.index('class="figures-table leaderboard"') :].split("</table>", 1)
    assert "cross-fitted" not in re.sub(r'title="[^"]*"', "", table)
    assert (
        "labels by cut points, each as frequent as among the labels of 120 items" in after[: after.index("</section>")]
    )


@pytest.mark.slow
def test_what_nothing_is_held_against_has_no_columns(logged_in, single_study):
    """One label an item: nothing has a majority, and that is said once."""
    assert board(logged_in, single_study).targets == ("reference",)
    text = words(page(logged_in, single_study, "models"))
    assert text.count("Nothing is held against a majority label") == 1
    assert "Against the majority label Accuracy" not in text


@pytest.mark.slow
def test_what_a_run_leaves_open_counts_as_wrong_over_all_items(logged_in, db, tmp_path):
    rows = [plausibility_row(n, reference="impossible") for n in range(1, 22)]
    study = open_small_study(tmp_path / "open", rows, slug="open")
    given = ["impossible"] * 12 + ["less_likely"] * 4 + [None] * 4
    reasons = [""] * 18 + ["a word is unknown"] * 2
    answers = zip(rows, given, reasons, strict=False)
    give_run(study, [(row.id, label, None if why else 0.0, why) for row, label, why in answers], key="shy")
    give_run(study, [(row.id, "impossible", 1.0, "") for row in rows], key="bold")
    give_run(study, [(row.id, None, 1.0, "") for row in rows], key="mute")
    found = {one.run.model: one.run for one in board(logged_in, study).entries}
    hits = found["shy"].against("reference").hits
    assert (hits.correct, hits.compared) == (12, 16)
    assert str(found["shy"].of_all("reference").accuracy) == str(share(12, 20, reason=""))
    assert found["bold"].of_all("reference") == found["bold"].against("reference").hits
    assert found["mute"].of_all("reference").accuracy.undefined
    said = words(page(logged_in, study, "models"))
    assert said.count("of all 20") == 1
    header, *lines = export("report")(study, Selection())
    kept = [dict(zip(header, line, strict=True)) for line in lines]
    of_all = [one for one in kept if one["statistic"] == "accuracy_all" and one["classes"] == len(DEGREES)]
    every = {one["rater"]: one for one in of_all if one["against"] == "reference"}
    assert (every["shy · pll"]["count"], every["shy · pll"]["n"], every["shy · pll"]["value"]) == (12, 20, 0.6)
    assert every["mute · pll"]["undefined"]
