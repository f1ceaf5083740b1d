"""The dot table: who stands in which group, and where marks are."""

from dataclasses import replace
from typing import Any

import numpy as np

from comparison.page.drawn.axis import Axis
from comparison.page.drawn.dots import apart_table, dot_table
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.measure import RHO
from comparison.statistics.verdict.odds import Constant
from comparison.statistics.verdict.parts import Placed, Runs, Settling

SURE, UNSURE = 0.01, 0.6


def placed(run, at, **named):
    found = Estimate(at, at - 0.05, at + 0.05, n=100)
    nothing = Estimate.none("not asked")
    given: dict[str, Any] = {
        "name": f"run-{run}", "is_baseline": False, "how": "", "value": found, "joint": found, "rank": (1, 1),
        "best": 0.5, "chance": 0.2, "over_chance": UNSURE, "over_dealt": UNSURE, "under_chance": UNSURE,
        "under_constant": UNSURE, "nearest": False, "level": False, "beside": nothing,
    }  # fmt: skip
    return Placed(run=run, **(given | named))


BEATS = {"over_chance": SURE, "over_dealt": SURE}
FIELD = (
    placed(1, 0.8, nearest=True, **BEATS),
    placed(2, 0.79, nearest=True, **BEATS),
    placed(3, 0.6, **BEATS),
    placed(4, 0.5, over_chance=SURE),
    placed(5, 0.25),
    placed(6, 0.1, under_chance=SURE),
    placed(7, 0.55, is_baseline=True, rank=None, best=None, **BEATS),
)


def table(*, measure="accuracy", is_judged=True, may_be_near=True, annotators=None, outliers=(), **named):
    runs = Runs(
        items=100, chance=0.2, constant=Constant(0, 0.55, beats_chance=True), placed=FIELD, outside=(), strengths=(),
        person=Estimate(0.9, 0.85, 0.95, n=300, unit="labels"), settling=Settling(what="", difference=0.0, items=None),
    )  # fmt: skip
    return dot_table(
        replace(runs, **named), {}, measure=measure, head="Accuracy", description="it", truth="people",
        one="One annotator", annotators=annotators or {}, outliers=outliers, is_judged=is_judged,
        may_be_near=may_be_near,
    )  # fmt: skip


def reaching(value, *, n=40):
    return Estimate(value, None, None, n=n)


def groups(found):
    return {group.title: [row.name for row in group.rows] for group in found.groups}


def test_each_run_stands_once_under_what_is_shown_of_it():
    found = table()
    assert groups(found) == {
        "Nearest to people": ["run-1", "run-2"],
        "Also beats chance, and not by favoring common labels": ["run-3"],
        "Also beats chance": ["run-4"],
        "Not shown to beat chance": ["run-5"],
        "Worse than chance": ["run-6"],
        "Baselines": ["run-7"],
    }
    assert [group.is_tie for group in found.groups] == [True, False, False, False, False, False]
    assert [row.look for group in found.groups for row in group.rows] == ["m", "m", *["m open"] * 4, "b"]


def test_one_nearest_is_no_tie():
    found = table(placed=(FIELD[0], *FIELD[2:]))
    assert groups(found)["Nearest to people"] == ["run-1"]
    assert not found.groups[0].is_tie


def test_of_one_model_alone_and_of_labels_that_may_be_noise_none_is_nearest():
    alone = table(placed=(FIELD[0], FIELD[-1]))
    assert groups(alone) == {"Beats chance, and not by favoring common labels": ["run-1"], "Baselines": ["run-7"]}
    assert "m" not in table(may_be_near=False).looks


def test_where_no_model_does_more_than_favor_labels_the_nearest_is_so_among_models_alone():
    placed_ = (placed(1, 0.5, nearest=True, over_chance=SURE), placed(2, 0.3, over_chance=SURE))
    assert groups(table(placed=placed_))["Nearest among the models"] == ["run-1"]


def test_where_no_label_can_be_favored_to_beat_chance_is_one_group():
    assert "Also beats chance" in groups(table(can_favor=False, placed=FIELD[:3]))


def test_on_items_that_were_chosen_by_a_result_nothing_is_shown_of_a_model():
    found = table(is_judged=False)
    assert list(groups(found)) == ["Models", "Baselines"]
    assert "m" not in found.looks


def test_ratings_are_followed():
    found = table(measure=RHO, constant=None)
    assert groups(found)["Follows people best"] == ["run-1", "run-2"]
    assert groups(found)["Also follows people"] == ["run-3", "run-4"]


def test_marks_stand_where_their_numbers_are():
    found = table(annotators={"a1": reaching(0.7), "a2": reaching(0.9), "a3": reaching(0.9)})
    first = found.groups[0].rows[0]
    assert (first.mark.low, first.mark.at, first.mark.high) == ("75%", "80%", "85%")
    assert (first.number, first.interval) == (".80", "[.75, .85]")
    assert (found.band.at, found.band.width) == ("85%", "10%")
    assert [(line.kind, line.at, line.words) for line in found.lines] == [
        ("chance", "20%", "chance .20"),
        ("const", "55%", "best constant .55"),
    ]
    assert [(one.at, one.said) for one in found.people.ticks] == [
        ("70%", "1 annotator: .70"),
        ("90%", "2 annotators: .90"),
    ]


def test_where_one_option_is_right_in_every_item_there_is_no_constant():
    assert [line.kind for line in table(constant=None).lines] == ["chance"]


def test_labels_by_cut_points_have_a_chance_of_their_own():
    cut = placed(8, 0.3, how="by cut points", chance=0.31)
    found = table(placed=(cut,), constant=None)
    assert found.lines == (), "no run is tested against the common chance"
    assert found.groups[0].rows[0].chance == "31%"
    assert found.has_cut


def test_what_is_undefined_has_no_mark_and_says_why():
    found = table(placed=(placed(1, 0.5, value=Estimate.none("only one label was used")),))
    row = found.groups[0].rows[0]
    assert (row.mark, row.number, row.why_not) == (None, "", "only one label was used")


def test_names_of_lines_that_are_near_stand_one_above_the_other():
    near = table(chance=0.5).lines
    far = table(chance=0.05, constant=Constant(0, 0.9, beats_chance=True)).lines
    assert near[0].y != near[1].y
    assert far[0].y == far[1].y


def test_names_of_lines_half_a_phone_apart_do_not_run_into_one_another():
    """“chance .50” in the middle and “best constant 1.00” at the end of 232 pixels."""
    one, other = table(chance=0.5, constant=Constant(1, 1.0, beats_chance=True)).lines
    assert (one.y, other.y, other.anchor) == ("10", "24", "end")


def test_ticks_are_as_many_as_places_however_many_annotators():
    crowd = {
        f"a{number}": reaching(value) for number, value in enumerate(np.random.default_rng(1).uniform(0, 1, 10_000))
    }
    assert len(table(annotators=crowd).people.ticks) <= 201


def test_of_few_labels_a_tick_is_faint():
    found = table(annotators={"a1": reaching(0.9), "a2": reaching(0.0, n=2), "a3": reaching(0.9, n=9)})
    assert [(one.said, one.is_faint) for one in found.people.ticks] == [
        ("1 annotator of under 10 labels: .00", True),
        ("1 annotator: .90", False),
        ("1 annotator of under 10 labels: .90", True),
    ]


def test_who_stands_out_has_a_tick_alone_with_a_name():
    found = table(annotators={"a1": reaching(0.9), "a2": reaching(0.9), "a3": reaching(0.02)}, outliers=["a3"])
    assert [(one.said, one.name, one.anchor) for one in found.people.ticks] == [
        ("2 annotators: .90", "", ""),
        ("a3: .02", "a3", "start"),
    ]


def test_what_goes_below_0_has_an_axis_that_does():
    low = placed(1, -0.1, value=Estimate(-0.1, -0.32, 0.12, n=50))
    assert table(measure="quadratic_kappa", placed=(low,)).axis == Axis(-0.4, 1.0)


def test_without_any_run_to_compare_there_is_no_table():
    assert apart_table([], head="Accuracy", description="it") is None


def test_of_many_runs_the_first_stand_there_and_the_rest_are_counted():
    few = table().first(3)
    assert [row.name for group in few.groups for row in group.rows] == ["run-1", "run-2", "run-3"]
    assert (few.left, few.runs, table().first(50)) == (4, 7, table())


def test_two_far_apart_could_be_nearest_and_are_no_tie():
    ahead = placed(1, 0.8, nearest=True, **BEATS)
    behind = placed(2, 0.6, nearest=True, **BEATS)
    found = table(placed=(ahead, behind))
    assert groups(found) == {"Could be nearest to people": ["run-1", "run-2"]}
    assert not found.groups[0].is_tie
    assert (found.nearest, table().nearest) == ("could be nearest", "nearest model")
