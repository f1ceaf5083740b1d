"""What a verdict must not say: of runs below chance, of items that people tie on, and of one group only."""

from dataclasses import replace

import numpy as np
import pytest

from comparison.statistics.chance import holm
from comparison.statistics.pairs import all_pairs
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.verdict.measure import ACCURACY, measure_of
from comparison.statistics.verdict.odds import against_chance, below_chance
from comparison.statistics.verdict.person import compare_with_person
from comparison.statistics.verdict.rule import verdict
from comparison.statistics.verdict.words.wording import number
from tests.comparison.statistics.verdict.made import baseline, entrant, evidence, labels_like, like, models

RNG = np.random.default_rng(11)
TRUTH = RNG.integers(0, 2, 60)
COUNTS = labels_like(TRUTH, values=2, share=0.95, each=3, rng=RNG)


def test_runs_below_chance_are_said_to_be_below_it():
    wrong, coin = like(TRUTH, values=2, share=0.1, rng=RNG), RNG.integers(0, 2, 60)
    found = verdict(evidence(COUNTS, models({"Ash": wrong, "Birch": coin})))
    assert found.headline == "No model beats chance; one does worse."
    [worse] = found.of("chance")
    assert worse.state.word == "Worse" and worse.statement.startswith("Ash does worse")
    assert "against .50" in worse.evidence
    assert found.short == "none beats chance"
    assert [one.over_chance_words for one in found.runs.placed] == ["not shown", "no, worse"]
    assert verdict(evidence(COUNTS, models({"Ash": wrong}))).headline == "Ash does worse than chance."


def test_each_side_of_chance_is_held_at_its_level_over_all_runs_by_itself():
    """As docs/statistics.md and methods.md say: Holm over the runs, once for better and once for worse."""
    decided = {
        name: like(TRUTH, values=2, share=share, rng=RNG) for name, share in zip("ABC", (0.7, 0.5, 0.3), strict=True)
    }
    found = verdict(evidence(COUNTS, models(decided)))
    truth, by = COUNTS.argmax(axis=1), measure_of(ACCURACY, ordered=False)
    for test, name in ((against_chance, "over_chance"), (below_chance, "under_chance")):
        alone = [test(by, codes, truth, 2, Sample()) for codes in decided.values()]
        reached = {one.name: getattr(one, name) for one in found.runs.placed}
        assert [reached[run] for run in decided] == pytest.approx(holm(alone)), name


def test_degrees_by_cut_points_beyond_chance_say_why_they_are_not_told_from_it():
    """Always the common label, in an order that has nothing to do with the items: .9 right, and it knows nothing."""
    truth = np.array([0] * 54 + [1] * 6)
    one = replace(entrant(1, "Ash", np.zeros(60, dtype=int)), how="labels by cut points")
    found = verdict(evidence(labels_like(truth, values=2, share=1.0, each=3, rng=RNG), (one,)))
    [told] = found.of("chance")
    assert told.state.word == "Not shown"
    assert "against .90" in told.evidence and "shuffled across items, cut-point labels score as well" in told.evidence
    assert "shuffled" not in verdict(evidence(COUNTS, models({"Ash": RNG.integers(0, 2, 60)}))).on("chance")


def test_better_than_chance_is_no_more_than_knowing_the_common_label_where_that_is_enough():
    truth = np.array([0] * 54 + [1] * 6)
    counts = labels_like(truth, values=2, share=1.0, each=3, rng=RNG)
    found = verdict(evidence(counts, models({"Ash": np.zeros(60, dtype=int)})))
    (placed,) = found.runs.placed
    assert (placed.over_chance_words, placed.over_dealt_words) == ("yes", "not shown")
    [told] = found.of("chance")
    assert told.state.kind == "warn" and "constant .90" in told.evidence
    assert "knowing the most common label is enough to beat chance" in told.evidence
    assert found.headline == "Ash is not shown to beat always answering “a”."


def test_one_person_stands_beside_runs_on_items_that_tie_too():
    """Half of the items tie two to two: each of their four labels is against the others' majority."""
    counts = np.array([[2, 2], [4, 0]] * 20)
    run = np.zeros(40, dtype=int)
    found = verdict(evidence(counts, models({"Ash": run})))
    (placed,) = found.runs.models
    apart = compare_with_person(run, counts)
    assert found.runs.person.value == apart.person == 0.5
    assert placed.beside.value == apart.difference.value
    assert found.runs.items == 20
    for one in (found.runs.person, placed.beside):
        assert (one.n, one.unit, one.note) == (160, "labels", "labels on 40 items")
        assert one.n == apart.difference.n


@pytest.mark.slow
def test_one_person_rests_on_the_labels_whose_others_agree():
    """Of two to one, only the one is held against a majority; of one to one, nobody is."""
    counts = np.array([[3, 0], [2, 1], [2, 0], [1, 1]] * 10)
    found = verdict(evidence(counts, models({"Ash": np.zeros(40, dtype=int)})))
    assert (found.runs.person.n, found.runs.person.note) == (40, "labels on 20 items")
    held = verdict(
        evidence(counts, models({"Ash": np.zeros(40, dtype=int)}), truth=np.zeros(40, dtype=int), against="reference")
    )
    assert (held.runs.person.n, held.runs.person.note) == (100, "labels on 40 items")


def test_alpha_on_an_ordered_scale_is_said_to_be_ordinal_beside_figures_that_are_not():
    said = verdict(evidence(COUNTS, models({"Ash": TRUTH}), ordered=True)).on("people")
    assert ", ordinal" in said
    assert ", nominal" in verdict(evidence(COUNTS, models({"Ash": TRUTH}))).on("people")


def test_of_one_group_nothing_is_said_to_be_best():
    runs = models({"Ash": TRUTH, "Birch": like(TRUTH, values=2, share=0.6, rng=RNG)})
    found = verdict(evidence(COUNTS, runs, sample=Sample(clusters=np.zeros(60, dtype=np.int64))))
    assert [(one.rank_words, one.best) for one in found.runs.placed] == [("1–2", None)] * 2
    assert all(one.nearest for one in found.runs.placed)
    assert [one.state.word for one in found.of("nearest")] in ([], ["Too few"])
    assert "resamples" not in found.on("nearest")
    assert all("only one item" not in one.value.no_interval for one in found.runs.placed)
    assert found.labels.needed is None


def test_few_items_of_groups_have_no_number_to_be_right_on():
    runs = models({"Ash": TRUTH[:12]})
    found = verdict(evidence(COUNTS[:12], runs, sample=Sample(clusters=np.repeat(np.arange(4), 3))))
    [few] = found.of("labels")
    assert (few.state.word, found.labels.needed) == ("Few", None)
    assert "12 items" in few.statement and "4 groups" in few.statement


def test_few_items_while_labels_come_in_do_not_deny_what_is_shown_on_them():
    """Random labels are not separated from a perfect run on so few; nobody says that they do as well."""
    truth = np.zeros(23, dtype=int)
    counts = np.column_stack([np.full(23, 2), np.zeros(23, dtype=int)])
    runs = (*models({"Ash": truth, "Birch": truth}), baseline(9, "Random", np.arange(23) % 2))
    found = verdict(evidence(counts, runs, share_in=0.54))
    [few] = [one for one in found.of("labels") if one.state.word == "Few"]
    assert few.text == "Only 23 items can be compared. 54 % of the labels wanted are in"
    assert [one.beats_chance for one in found.runs.models] == [True, True]
    assert "does as well" not in found.on("nearest")
    # The exact test of two runs tells Ash from Random now: nobody denies it, the verdict waits for the other labels.
    [pair] = all_pairs({"Ash": truth, "Random": np.arange(23) % 2}, truth)
    assert pair.differ
    assert "No model is yet shown to beat the baseline Random. .52" in found.on("nearest")
    assert found.on("nearest").endswith("tests allow for the labels still to come")


@pytest.mark.parametrize(
    ("names", "baselines", "said"),
    [
        (("Ash", "Birch"), ("Random",), "No model is shown to beat the baseline Random."),
        (("Ash", "Birch"), ("Random", "Lookup"), "Two baselines are not shown to be beaten by any model."),
        (("Ash",), ("Random",), "Ash is not shown to beat the baseline Random."),
        (("Ash",), ("Random", "Lookup"), "Two baselines are not shown to be beaten by Ash."),
    ],
)
def test_which_baselines_are_level_is_said_of_one_model_by_its_name(names, baselines, said):
    right = TRUTH.copy()
    right[:6] = 1 - right[:6]
    level = tuple(baseline(9 + place, name, right) for place, name in enumerate(baselines))
    found = verdict(evidence(COUNTS, (*models(dict.fromkeys(names, right)), *level)))
    assert said in found.on("nearest")
    # The headline has no room for who beats none of several.
    assert said.partition(" by ")[0] in found.headline


def test_a_baseline_that_beats_the_only_model_beats_it_by_name():
    found = verdict(
        evidence(
            COUNTS, (*models({"Ash": np.where(np.arange(60) < 16, 1 - TRUTH, TRUTH)}), baseline(9, "Lookup", TRUTH))
        )
    )
    assert "Lookup beats Ash." in found.on("nearest")
    assert "A baseline beats it." in found.headline


def test_figures_beside_one_person_say_which_items_they_are_on():
    """Two labels make a majority, and leave nobody whom two others agree with."""
    rng = np.random.default_rng(11)
    counts = labels_like(TRUTH, values=2, share=0.9, each=3, rng=rng)
    counts[:3], counts[3] = np.eye(2, dtype=int)[TRUTH[:3]] * 2, 1
    found = verdict(evidence(counts, models({"Ash": like(TRUTH, values=2, share=0.95, rng=rng)})))
    assert found.runs.items == 59
    assert "56 items (3+ labels)" in found.on("person")
    split = labels_like(TRUTH, values=2, share=0.9, each=3, rng=rng)
    split[0] = 2
    found = verdict(evidence(split, models({"Ash": like(TRUTH, values=2, share=0.95, rng=rng)})))
    assert found.runs.items == 59
    assert "60 items (split included)" in found.on("person")
    whole = verdict(evidence(COUNTS, models({"Ash": like(TRUTH, values=2, share=0.8, rng=rng)})))
    assert "60 items" in whole.on("person") and "labels)" not in whole.on("person")


@pytest.mark.slow
def test_degrees_that_know_how_common_each_label_is_are_tested_against_themselves_in_another_order():
    rng = np.random.default_rng(3)
    truth = rng.choice(3, 300, p=[0.1, 0.1, 0.8])
    counts = labels_like(truth, values=3, share=0.95, each=3, rng=rng)
    shuffled = rng.permutation(truth)
    named = verdict(evidence(counts, (entrant(1, "Ash", shuffled),), ordered=True)).runs.models[0]
    fitted = verdict(evidence(counts, (entrant(1, "Ash", shuffled, how="by cut points"),), ordered=True)).runs.models[0]
    assert named.beats_chance
    assert not fitted.beats_chance
    wrong = (truth + 1) % 3
    assert verdict(evidence(counts, (entrant(1, "Ash", wrong),), ordered=True)).runs.models[0].is_below_chance
    below = verdict(evidence(counts, (entrant(1, "Ash", wrong, how="by cut points"),), ordered=True))
    assert below.runs.models[0].is_below_chance
    share = np.bincount(truth, minlength=3) / 300
    assert named.chance == pytest.approx(1 / 3)
    assert fitted.chance == pytest.approx((share**2).sum(), abs=0.02)


def test_who_is_not_compared_stands_on_the_face_whatever_came_first():
    first, second = TRUTH.copy(), TRUTH.copy()
    first[30:], second[:30] = -1, -1
    for one, other in (("Ash", "Birch"), ("Birch", "Ash")):
        found = verdict(evidence(COUNTS, models({one: first, other: second})))
        assert f"Not compared: {other} (shares 0 of 60 items with the others)." in found.on("left_out")


def test_nearness_to_labels_that_may_be_noise_is_said_to_be_that_on_the_face():
    rng = np.random.default_rng(5)
    counts = labels_like(TRUTH, values=2, share=0.5, each=3, rng=rng)
    found = verdict(evidence(counts, models({"Copy": counts.argmax(axis=1)})))
    assert found.runs.nearest
    assert "no model can be called near" in found.headline
    assert not found.of("nearest", "person", "settling") and found.figure == ""
    assert "noise" in found.on("people")
    agreed = verdict(evidence(COUNTS, models({"Copy": TRUTH})))
    assert agreed.of("nearest") and "noise" not in " ".join(agreed.sentences)


def test_of_a_few_items_no_number_of_further_ones_is_named():
    two = labels_like(TRUTH[:2], values=2, share=1, each=3, rng=RNG)
    found = verdict(evidence(two, models({"Ash": TRUTH[:2]})))
    assert not found.on("settling")
    assert "more item" not in " ".join(found.sentences)


def test_a_best_set_is_shared_where_others_cannot_be_told_from_the_best():
    right, wrong = TRUTH, 1 - TRUTH
    for other, is_shared in ((right, True), (wrong, False)):
        assert verdict(evidence(COUNTS, models({"Ash": right, "Birch": other}))).runs.is_shared == is_shared


def test_a_skew_does_not_hide_that_people_agree_no_more_than_by_chance():
    """Each gives one label nine times in ten, whatever the item."""
    rng = np.random.default_rng(2)
    counts = labels_like(np.zeros(200, dtype=int), values=2, share=0.9, each=3, rng=rng)
    found = verdict(evidence(counts, models({"Ash": rng.integers(0, 2, 200)})))
    assert found.people.is_skewed
    [people] = found.of("people")
    assert people.state.word == "Not shown" and "of labels are “a”; agreement beyond that" in people.statement
    assert "may be noise" in people.evidence and "AC1" in people.evidence
    assert found.headline.startswith("People are not shown to agree beyond chance")
    assert found.on("settling") == ""


def test_noise_among_people_is_no_doubt_of_references():
    rng = np.random.default_rng(3)
    truth = rng.integers(0, 2, 80)
    counts = labels_like(rng.integers(0, 2, 80), values=2, share=0.5, each=2, rng=rng)
    found = verdict(evidence(counts, models({"Ash": truth}), truth=truth, against="reference"))
    assert [one.state.word for one in found.of("people")] == ["Not shown"]
    assert "noise" not in " ".join(found.sentences)
    assert "people" not in found.headline.lower()


@pytest.mark.parametrize("measure", ["accuracy", "distance", "quadratic_kappa"])
def test_beside_one_person_a_run_has_its_figure_on_the_same_labels(measure):
    """So that the difference is that of the two figures that stand beside it."""
    rng = np.random.default_rng(4)
    counts = labels_like(rng.integers(0, 4, 200), values=4, share=0.7, each=3, rng=rng)
    run = np.where(np.arange(200) % 5 == 0, counts.argmax(axis=1), rng.integers(0, 4, 200))
    found = verdict(evidence(counts, models({"Ash": run}), ordered=True, measure=measure))
    by, (placed,) = measure_of(measure, ordered=True), found.runs.models
    same = (found.runs.person.value or 0.0) + by.sign * (placed.beside.value or 0.0)
    [person] = found.of("person")
    assert person.state.word == "Below"
    assert f"{number(same)} against {number(found.runs.person.value or 0.0)}" in person.evidence
    assert found.runs.person.note.removeprefix("labels on ") in person.evidence


def test_where_one_role_is_always_right_no_constant_is_a_bar() -> None:
    """Pairs of a plausible and an implausible sentence: to answer “plausible” always is to know each answer."""
    rng = np.random.default_rng(61)
    truth = np.zeros(100, dtype=np.int64)
    counts = labels_like(truth, values=2, share=0.9, each=5, rng=rng)
    ash = entrant(1, "Ash", like(truth, values=2, share=0.85, rng=rng))
    given = evidence(counts, (ash,), truth=truth, words=("plausible", "implausible"))
    role, label = verdict(replace(given, one_role=True)), verdict(given)
    assert role.runs.constant is None and label.runs.constant is not None
    assert "Ash beats chance (.50)." in role.on("chance") and "is right in every item" in role.on("chance")
    assert [one.state.kind for one in (role.of("chance")[0], label.of("chance")[0])] == ["good", "warn"]
    few = labels_like(np.arange(100) // 98, values=2, share=0.99, each=5, rng=rng)
    assert verdict(evidence(few, (ash,), truth=truth)).runs.rare is not None
    assert verdict(replace(evidence(few, (ash,), truth=truth), one_role=True)).runs.rare is None
    # α takes the share of the role that is always right for chance.
    assert role.people.alpha.value is not None and role.people.alpha.value < 0.1
    assert role.people.alike is not None and role.people.alike.low is not None and role.people.alike.low > 0.5
    assert [one.state.word for one in role.of("people")] != ["Not shown"]
    assert "Brennan–Prediger" in role.on("people")
