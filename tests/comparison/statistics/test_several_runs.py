"""Runs beside one another: all pairs with Holm, Cochran's Q, agreement and differences, against other programs."""

from itertools import permutations, product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score
from statsmodels.stats.contingency_tables import cochrans_q, mcnemar

from comparison.statistics import cochran
from comparison.statistics.cochran import cochran_q
from comparison.statistics.counts import MISSING
from comparison.statistics.pairs import (
    EVEN_GROUPS,
    NO_DECISIONS,
    NOTHING_SHARED,
    alike,
    all_pairs,
    difference,
    paired,
)
from comparison.statistics.resampling.sample import Sample
from tests.comparison.known import known
from tests.comparison.statistics.agreement.made import ends, value


def made(seed, *, items=120, rates=(0.8, 0.7, 0.55, 0.55)):
    """Runs that are right at these rates, on two labels."""
    rng = np.random.default_rng(seed)
    truth = rng.integers(2, size=items)
    easy = rng.random(items)
    runs = {}
    for number, rate in enumerate(rates):
        right = 0.5 * easy + 0.5 * rng.random(items) < rate
        runs[f"run{number}"] = np.where(right, truth, 1 - truth)
    return runs, truth


def by_signs(leads):
    """All signs, one by one."""
    sums = [
        abs(sum(sign * lead for sign, lead in zip(signs, leads, strict=True)))
        for signs in product([1, -1], repeat=len(leads))
    ]
    return np.mean([one >= abs(sum(leads)) for one in sums])


def test_each_pair_has_the_exact_p_of_statsmodels_and_holm_by_hand():
    runs, truth = made(1)
    found = all_pairs(runs, truth)
    assert [(one.one, one.other) for one in found][:3] == [("run0", "run1"), ("run0", "run2"), ("run0", "run3")]
    plain = []
    for one in found:
        first, second = runs[one.one] == truth, runs[one.other] == truth
        table = [[(first & second).sum(), (first & ~second).sum()], [(~first & second).sum(), (~first & ~second).sum()]]
        plain.append(min(1.0, mcnemar(table, exact=True).pvalue))
        assert one.paired.p == pytest.approx(plain[-1], rel=1e-9)
    highest = 0.0
    for rank, place in enumerate(np.argsort(plain)):
        highest = max(highest, min(1.0, plain[place] * (len(plain) - rank)))
        assert found[place].held == pytest.approx(highest)
        assert found[place].differ == (highest < 0.05)


def test_pairs_without_a_p_are_not_counted_in_holm():
    truth = np.zeros(10, dtype=int)
    found = all_pairs({"a": truth, "b": truth, "c": truth + 1}, truth)
    assert [one.held for one in found] == [None, pytest.approx(2 * 2 / 1024), pytest.approx(2 * 2 / 1024)]
    assert {one.of for one in found} == {2}


@pytest.mark.slow
def test_of_equal_runs_holm_names_a_pair_at_its_rate():
    named = sum(any(one.differ for one in all_pairs(*made(seed, items=80, rates=(0.6,) * 5))) for seed in range(200))
    assert named / 200 <= 0.08


def test_a_cluster_s_lead_counts_with_either_sign():
    rng = np.random.default_rng(3)
    for _ in range(20):
        clusters, truth = rng.integers(8, size=40), np.zeros(40, dtype=int)
        one, other = rng.integers(2, size=40), rng.integers(2, size=40)
        found = paired(one, other, truth, sample=Sample(clusters=clusters))
        leads = [int(((one == 0)[clusters == c].astype(int) - (other == 0)[clusters == c]).sum()) for c in range(8)]
        if any(leads):
            assert found.p == pytest.approx(by_signs([lead for lead in leads if lead]), abs=1e-12)
        else:
            assert found.undefined == EVEN_GROUPS


def test_clusters_of_one_item_are_items():
    runs, truth = made(4)
    alone = paired(runs["run0"], runs["run2"], truth)
    assert paired(runs["run0"], runs["run2"], truth, sample=Sample(clusters=np.arange(120))).p == pytest.approx(alone.p)


@pytest.mark.slow
def test_patterns_with_weights_give_the_same_tests_as_their_items():
    runs, truth = made(5)
    rows, times = np.unique(np.column_stack([*runs.values(), truth]), axis=0, return_counts=True)
    patterns = Sample(weights=times)
    columns = dict(zip(runs, rows.T, strict=False))
    assert all_pairs(columns, rows[:, -1], sample=patterns) == all_pairs(runs, truth)
    assert cochran_q(list(columns.values()), rows[:, -1], sample=patterns) == cochran_q(list(runs.values()), truth)
    assert alike(columns, values=2, sample=patterns) == alike(runs, values=2)
    one, other = (
        difference(kind["run0"], kind["run2"], true, sample=own)
        for kind, true, own in ((columns, rows[:, -1], patterns), (runs, truth, Sample()))
    )
    assert one == other


@pytest.mark.parametrize("seed", range(4))
def test_q_is_that_of_statsmodels(seed):
    runs, truth = made(seed)
    found = cochran_q(list(runs.values()), truth)
    theirs = cochrans_q(np.column_stack([run == truth for run in runs.values()]).astype(int))
    assert found.q == pytest.approx(theirs.statistic, rel=1e-9)
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert found.how == "χ²"


@pytest.mark.slow
def test_of_few_items_q_is_held_against_every_permutation():
    right = np.array([[1, 0, 0], [1, 1, 0], [1, 0, 0], [0, 1, 1], [1, 0, 0], [1, 1, 1]])
    found = cochran_q(list(1 - right.T), np.zeros(6, dtype=int))
    assert (found.how, found.telling, found.n) == (cochran.EXACT, 5, 6)
    spreads = []
    for ways in product(*(list(permutations(row)) for row in right[:5])):
        sums = np.sum(ways, axis=0)
        spreads.append(((sums - sums.mean()) ** 2).sum())
    seen = right[:5].sum(axis=0)
    assert found.p == pytest.approx(np.mean(np.array(spreads) >= ((seen - seen.mean()) ** 2).sum() - 1e-9))


def test_what_cannot_be_gone_through_is_drawn_and_comes_near(monkeypatch):
    right = np.random.default_rng(7).integers(2, size=(7, 3))
    exact = cochran_q(list(1 - right.T), np.zeros(7, dtype=int))
    monkeypatch.setattr(cochran, "STEPS", 1)
    drawn = cochran_q(list(1 - right.T), np.zeros(7, dtype=int))
    assert (exact.how, drawn.how) == (cochran.EXACT, cochran.RANDOM)
    assert drawn.p == pytest.approx(exact.p, abs=0.015)


def test_q_of_two_runs_of_few_items_is_mcnemar_s_exact_test():
    one, other = np.array([0, 0, 0, 0, 1, 0, 0, 0]), np.array([1, 1, 1, 1, 0, 0, 1, 0])
    truth = np.zeros(8, dtype=int)
    assert cochran_q([one, other], truth).p == pytest.approx(paired(one, other, truth).p)


@pytest.mark.slow
def test_q_takes_items_that_hang_together_as_one():
    """Without differences between runs, but with sets of ten items that are right and wrong together."""
    plain, tied = 0, 0
    for seed in range(150):
        rng = np.random.default_rng(seed)
        runs = [np.repeat(rng.integers(2, size=40), 10) for _ in range(3)]
        truth, clusters = np.zeros(400, dtype=int), np.arange(400) // 10
        plain += known(cochran_q(runs, truth).p) < 0.05
        tied += known(cochran_q(runs, truth, sample=Sample(clusters=clusters)).p) < 0.05
    assert plain > 60
    assert tied <= 15


@pytest.mark.parametrize(
    ("runs", "words"),
    [
        ([[0, 1]], "undefined: fewer than two runs give labels"),
        ([[0, MISSING], [MISSING, 0]], "undefined: no item with a target is labeled by all runs"),
        ([[0, 1], [0, 1]], "undefined: all runs are right on the same items"),
    ],
)
def test_where_there_is_no_q_the_reason_is_given(runs, words):
    assert cochran_q([np.array(run) for run in runs], np.zeros(2, dtype=int)).words == words


def test_agreement_of_runs_is_share_and_kappa_on_what_both_label():
    runs, _ = made(8)
    runs["run1"][:20] = MISSING
    found = {(one.one, one.other): one for one in alike(runs, values=2)}
    assert len(found) == 6
    one, other = runs["run1"][20:], runs["run2"][20:]
    assert found["run1", "run2"].same.accuracy.value == pytest.approx((one == other).mean())
    assert found["run1", "run2"].kappa.value == pytest.approx(cohen_kappa_score(one, other))
    assert found["run1", "run2"].kappa.n == 100


def test_runs_that_label_no_item_both_are_said_not_to():
    found = alike({"a": np.array([0, MISSING]), "b": np.array([MISSING, 0])}, values=2)[0]
    assert (found.same.accuracy.undefined, found.kappa.undefined) == (NO_DECISIONS, NO_DECISIONS)


def test_a_difference_is_that_of_accuracies_with_the_interval_of_a_loop():
    runs, truth = made(9)
    first, second = runs["run0"] == truth, runs["run2"] == truth
    found = difference(runs["run0"], runs["run2"], truth)
    assert found.value == pytest.approx(first.mean() - second.mean())
    rng = np.random.default_rng(2)
    leads = first.astype(float) - second
    loop = np.percentile([leads[rng.integers(120, size=120)].mean() for _ in range(2000)], [2.5, 97.5])
    assert (found.low, found.high) == pytest.approx(tuple(loop), abs=0.02)


def test_a_difference_is_over_shared_items_or_says_there_are_none():
    one, other = np.array([0, 0, MISSING, 1]), np.array([1, 0, 0, MISSING])
    truth = np.zeros(4, dtype=int)
    assert (difference(one, other, truth).value, difference(one, other, truth).n) == (0.5, 2)
    assert difference(one[2:], other[2:], truth[2:]).undefined == NOTHING_SHARED


@pytest.mark.slow
def test_intervals_of_differences_hold_the_truth():
    runs, truth = made(99, items=1_000_000)
    whole = float((runs["run0"] == truth).mean() - (runs["run2"] == truth).mean())
    held = 0
    for seed in range(300):
        runs, truth = made(seed, items=150)
        low, _, high = ends(difference(runs["run0"], runs["run2"], truth))
        held += low <= whole <= high
    assert held / 300 >= 0.92


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 1), st.integers(0, 1), st.integers(0, 1)), min_size=1, max_size=25))
@settings(max_examples=40, deadline=None)
def test_the_order_of_runs_and_items_changes_nothing(rows):
    table = np.array(rows)
    truth = np.zeros(len(rows), dtype=int)
    found = cochran_q(list(table.T), truth)
    again = cochran_q(list(table[::-1, ::-1].T), truth)
    assert (again.p is None) == (found.p is None)
    if found.p is not None:
        assert 0 <= found.p <= 1
        assert again.p == pytest.approx(found.p, abs=1e-9)
    turned = difference(table[:, 1], table[:, 0], truth)
    assert turned.value == -value(difference(table[:, 0], table[:, 1], truth))
