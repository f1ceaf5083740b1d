"""Estimates, majorities, accuracy, the ceiling, strengths, confusion and breakdown, on numbers worked by hand."""

import numpy as np
import pandas as pd
import pytest
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.inter_rater import cohens_kappa

from comparison.statistics.accuracy import _kappa_of_sums, accuracy, kappa
from comparison.statistics.aggregation import agreement_counts, kinds, majority, no_majority
from comparison.statistics.breakdown import breakdown
from comparison.statistics.ceiling import against_reference, by_annotator, ceiling
from comparison.statistics.confusion import confusion
from comparison.statistics.counts import codes, count_labels
from comparison.statistics.divergence import among_people, from_people
from comparison.statistics.estimate import Estimate, percent
from comparison.statistics.strength import people_score, reference_score, spearman

# Five items, three values: unanimous, majority, tie of three, lone label, none.
COUNTS = np.array([[3, 0, 0], [1, 2, 0], [1, 1, 1], [0, 1, 0], [0, 0, 0]])


def test_an_estimate_reads_as_a_paper_prints_it():
    assert str(Estimate(0.7412, 0.7049, 0.7783, n=1611)) == ".74 [.70, .78], n = 1,611"
    assert str(Estimate(-0.004, -0.05, 0.04, n=9)) == ".00 [−.05, .04], n = 9"
    # Ranks go beyond the scale from -1 to 1: whole numbers where the interval spans ten, and no zero taken away.
    assert Estimate(2174.54, 1944.9, 2426.1, n=399).short == "2,175 [1,945, 2,426]"
    assert Estimate(-0.4, -6.2, 3.04, n=40).short == "−0.4 [−6.2, 3.0]"
    assert Estimate(-0.4, -13.7, 10.1, n=40).short == "0 [−14, 10]"
    assert str(Estimate(1.0, 0.96, 1.0, n=90)) == "1.00 [.96, 1.00], n = 90"
    assert str(Estimate.none("only one label was used", n=4)) == "undefined: only one label was used"


def test_a_share_is_rounded_half_up_as_its_counts_are():
    assert Estimate(23 / 40, 0.42, 0.715, n=40).short == ".58 [.42, .72]"
    assert Estimate(-1 / 8, n=40).short == "−.13"
    assert (percent(1 / 8), percent(0.145), percent(1.0)) == ("13 %", "15 %", "100 %")
    assert accuracy(np.zeros(800, dtype=int), np.array([0] + 799 * [1])).percent == "0.13 %"


def test_an_estimate_has_no_more_digits_than_its_interval_supports():
    assert Estimate(0.5, 0.1, 0.9, n=6).short == ".5 [.1, .9]"
    assert Estimate(0.66418, 0.662, 0.666, n=99999).short == ".664 [.662, .666]"


@pytest.mark.parametrize("bad", [{"value": float("nan")}, {"value": None}, {"value": 1.0, "low": 0.5}])
def test_an_estimate_refuses_to_be_not_a_number(bad):
    with pytest.raises(ValueError, match=r"finite|reason|two ends"):
        Estimate(**bad)


def test_majority_needs_two_that_agree_and_no_tie():
    assert majority(COUNTS).tolist() == [0, 1, -1, -1, -1]
    assert kinds(COUNTS).tolist() == ["unanimous", "majority", "none", "none", "unlabeled"]
    assert majority(np.array([[2, 2, 1]])).tolist() == [-1]


def test_counts_as_in_table_4():
    found = agreement_counts(COUNTS, ["a", "b", "c"])
    assert (found.unanimous, found.majority, found.none, found.lone, found.unlabeled) == (1, 1, 2, 1, 1)
    assert (found.agreed, found.labeled) == (2, 4)
    first, second, third = found.by_label
    assert (first.items, first.unanimous, first.share_of_items, first.share_unanimous) == (1, 1, 0.5, 1.0)
    assert (second.items, second.unanimous) == (1, 0)
    assert (third.items, third.share_unanimous) == (0, None)


@pytest.mark.parametrize(
    ("counts", "words"),
    [
        ([[1, 0], [0, 1], [0, 0]], "no majority: one label an item"),
        ([[1, 1], [1, 0]], "no majority: on no item is one label the most frequent and given twice"),
        ([[1, 0], [2, 0]], ""),
        ([[0, 0]], ""),
    ],
)
def test_why_there_is_no_majority(counts, words):
    assert no_majority(np.array(counts)) == words


def test_adept_majority_baseline_to_the_paper():
    """1070 of 1611 validation items are equally likely (66.42 %; the paper prints 66.4)."""
    truth = np.repeat([2, 1], [1070, 541])
    hits = accuracy(np.full(1611, 2), truth)
    assert (hits.correct, hits.compared, hits.percent) == (1070, 1611, "66.42 %")
    assert str(hits.accuracy) == ".66 [.64, .69], n = 1,611"


def test_items_without_a_decision_are_not_counted_as_wrong():
    hits = accuracy(np.array([0, -1, 1, 0]), np.array([0, 0, -1, 1]))
    assert (hits.correct, hits.compared) == (1, 2)
    assert accuracy(np.array([-1]), np.array([0])).accuracy.undefined.startswith("no item has both")


def test_kappa_is_sklearns_and_its_interval_is_near_the_asymptotic_one():
    rng = np.random.default_rng(3)
    truth = rng.integers(3, size=600)
    decided = np.where(rng.random(600) < 0.7, truth, rng.integers(3, size=600))
    found = kappa(decided, truth, values=3)
    table = np.bincount(decided * 3 + truth, minlength=9).reshape(3, 3)
    asymptotic = cohens_kappa(table)
    assert found.value == pytest.approx(cohen_kappa_score(decided, truth))
    assert _kappa_of_sums(table[None].astype(float))[0] == pytest.approx(found.value)
    assert found.low == pytest.approx(asymptotic.kappa_low, abs=0.01)
    assert found.high == pytest.approx(asymptotic.kappa_upp, abs=0.01)
    assert kappa(decided, truth, values=3) == found, "seeded: the same data give the same interval"


def test_kappa_of_a_rater_with_one_label():
    constant = kappa(np.zeros(10, int), np.arange(10) % 2, values=2)
    assert constant.value == 0
    assert "all the same label" in constant.no_interval
    assert kappa(np.zeros(3, int), np.zeros(3, int), values=2).undefined == "only one label was used"


@pytest.mark.parametrize("decided", [[0, 0, 0, 0], [1, 1, 1, 1], [0, 1, 0, 1]])
def test_kappa_against_one_label_alone_is_undefined_with_that_label(decided):
    """Whatever is decided: by the formula it would be 0, or 0/0."""
    found = kappa(np.array(decided), np.zeros(4, int), values=2, words=["yes", "no"], called="references")
    assert (found.value, found.n) == (None, 4)
    assert str(found) == "undefined: all references are one label (yes)"


def test_kappa_tells_one_label_alone_from_one_label_on_what_was_decided():
    found = kappa(np.array([0, 1, -1]), np.array([0, 0, 1]), values=2, words=["yes", "no"], called="references")
    assert found.undefined == "all references of the items that are decided are one label (yes)"


def test_confusion_counts_row_shares_and_the_undecided():
    first, second = confusion(np.array([0, 1, 1, -1]), np.array([0, 0, 1, 1]), ["a", "b"])
    assert [(cell.count, cell.share, cell.heat) for cell in first.cells] == [(1, 0.5, 5), (1, 0.5, 5)]
    assert (second.total, second.undecided, second.cells[1].share) == (1, 1, 1.0)
    assert confusion(np.array([0]), np.array([0]), ["a", "b"])[1].cells[0].share is None


def test_the_ceiling_leaves_each_annotator_out_of_the_majority():
    # aaa: three labels, each against two that agree, all right. aab: only b has two that agree, and is wrong.
    found = ceiling(np.array([[3, 0], [2, 1]]))
    assert found.value == pytest.approx(3 / 4)
    assert (found.n, found.unit) == (4, "labels")
    assert ceiling(np.array([[1, 1], [2, 0]])).undefined == "no item has two other labels that agree"


def test_each_annotator_against_the_others():
    rows = [
        (item, rater, label)
        for item, labels in {"i": "aaa", "j": "aab"}.items()
        for rater, label in zip("xyz", labels, strict=True)
    ]
    frame = pd.DataFrame(rows, columns=["item", "rater", "label"])
    counts = count_labels(frame, items=["i", "j"], values=["a", "b"])
    found = {
        row.rater: (row.hits.correct, row.hits.compared)
        for row in by_annotator(frame, counts, items=["i", "j"], values=["a", "b"])
    }
    assert found == {"x": (1, 1), "y": (1, 1), "z": (1, 2)}
    assert sum(c for c, _ in found.values()) / sum(n for _, n in found.values()) == ceiling(counts).value


def test_people_against_the_reference():
    found = against_reference(np.array([[3, 0], [1, 2], [1, 1]]), np.array([0, 1, -1]))
    assert found.value == pytest.approx(5 / 6)
    assert against_reference(np.zeros((1, 2), int), np.array([0])).undefined == "no labeled item has a reference"


def test_strength_against_mean_degree():
    counts = np.array([[2, 0, 0], [0, 2, 0], [0, 1, 1], [0, 0, 2], [0, 0, 0]])
    scores = people_score(counts, ordered=True)
    assert scores[:4].tolist() == [1, 2, 2.5, 3]
    assert np.isnan(scores[4])
    assert people_score(counts, ordered=False)[:2].tolist() == [1, 0]
    found = spearman(np.array([-9.0, -1.0, 0.0, 5.0, 1.0]), scores)
    assert (found.value, found.n) == (1, 4)
    assert found.no_interval == "the two rankings are the same"


def test_spearman_interval_of_bonett_and_wright():
    rng = np.random.default_rng(1)
    x = rng.normal(size=200)
    found = spearman(x, x + rng.normal(size=200))
    assert found.value is not None
    assert found.high is not None
    error = np.sqrt((1 + found.value**2 / 2) / 197)
    assert np.arctanh(found.high) - np.arctanh(found.value) == pytest.approx(1.95996 * error, abs=1e-4)


def test_degenerate_strengths_are_said_in_words():
    assert "fewer than 4" in spearman(np.ones(3), np.ones(3)).undefined
    assert spearman(np.ones(9), np.arange(9.0)).undefined == "every item has the same strength"
    assert spearman(np.arange(9.0), np.ones(9)).undefined == "every item has the same label"
    assert reference_score(np.array([0, 2, -1]), ordered=True)[:2].tolist() == [1, 3]


def test_divergence():
    assert among_people(COUNTS)[:3].tolist() == pytest.approx([0, 2 / 3, 1])
    assert np.isnan(among_people(COUNTS)[3:]).all()
    found = from_people(COUNTS, np.array([[0, 1], [1, -1], [-1, -1], [0, 0], [0, 0]]))
    assert found[:2].tolist() == pytest.approx([0.5, 1 / 3])
    assert np.isnan(found[[2, 4]]).all()


def test_breakdown_puts_the_largest_group_first():
    groups = breakdown(["x", "y", "y", ""], np.eye(4, dtype=int) * 2, np.arange(4), {"run": np.array([0, 1, 0, 3])})
    assert [(group.value, group.items) for group in groups] == [("y", 2), ("(none)", 1), ("x", 1)]
    assert groups[0].runs["run"].correct == 1


def test_labels_off_the_scale_are_refused():
    with pytest.raises(ValueError, match="off the scale a, b: c"):
        codes(pd.Series(["a", "c"]), ["a", "b"])
