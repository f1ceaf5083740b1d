"""Shares with a run's help: ppi-python's numbers, the published formulas written out, and coverage by simulation."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import t as student

from comparison.statistics.powered import FEW, Answers, powered
from tests.comparison.statistics.agreement.made import value, width

PLACES, MORE = np.arange(60), np.arange(500)
SAID = ((PLACES * 7) % 11 < 4).astype(float)[:, None]
GUESSED = (((PLACES * 7) % 11 < 4) ^ (PLACES % 9 == 0)).astype(float)[:, None]
ELSEWHERE = ((MORE * 5) % 13 < 6).astype(float)[:, None]
PLAIN = Answers(said=SAID, guessed=GUESSED, elsewhere=ELSEWHERE)
THREE = Answers(
    said=np.eye(3)[(PLACES * 7) % 11 % 3],
    guessed=np.eye(3)[np.where(PLACES % 4 == 0, PLACES % 3, (PLACES * 7) % 11 % 3)],
    elsewhere=np.eye(3)[(MORE * 5) % 13 % 3],
)


def test_the_value_is_that_of_ppi_python():
    # ppi_mean_pointestimate of ppi-python 0.2.3, run once on these numbers with numba's compiler left out.
    (found,) = powered(PLAIN, of="alike")
    assert found.helped.value == pytest.approx(0.39606324, abs=1e-8)
    three = powered(THREE, of="alike")
    assert [one.helped.value for one in three] == pytest.approx([0.39483379, 0.33880018, 0.26636603], abs=1e-8)


def test_the_interval_is_that_of_ppi_python_but_for_what_few_items_could_not_show():
    # ppi_mean_ci(alpha=.05) of the same; it divides by n, takes the normal for t, and adds nothing unseen.
    (found,) = powered(PLAIN, of="alike")
    theirs = ((0.48104648 - 0.31108001) / 2 / 1.959963984540054) ** 2
    left = (SAID - found.tuning * GUESSED).var() / 60
    ours = theirs + left / 59 + 2 / 60**2 * 60 / 59
    half = width(found.helped) / 2
    assert half == pytest.approx(float(student.ppf(0.975, 59)) * ours**0.5, rel=1e-6)
    assert 1 < half / ((0.48104648 - 0.31108001) / 2) < 1.2


def test_the_rest_is_as_the_survey_formula_has_it():
    """Särndal and others: the mean over all N + n items has (1 − n / (N + n)) S² / n; the rest's follows."""
    (found,) = powered(PLAIN)
    left = SAID - found.tuning * GUESSED
    overall = (SAID.sum() + value(found.helped) * 500) / 560
    half = width(found.helped) / 2 * 500 / 560 / float(student.ppf(0.975, 59))
    spread = (1 - 60 / 560) * (left.var(ddof=1) + 2 / 59) / 60
    assert half**2 == pytest.approx(float(spread), rel=1e-9)
    assert overall == pytest.approx((SAID.sum() + 500 * (left.mean() + found.tuning * ELSEWHERE.mean())) / 560)


def test_shares_sum_to_one():
    assert sum(value(one.helped) for one in powered(THREE)) == pytest.approx(1)
    assert sum(value(one.alone) for one in powered(THREE)) == pytest.approx(1)


def test_a_run_in_other_units_helps_as_much():
    """A log-probability has no size of its own: λ takes it, and shares still sum to one."""
    strengths = (3.0 * THREE.guessed[:, :1] - 40.0, 3.0 * THREE.elsewhere[:, :1] - 40.0)
    same = Answers(
        said=THREE.said, guessed=np.repeat(strengths[0], 3, axis=1), elsewhere=np.repeat(strengths[1], 3, axis=1)
    )
    found = powered(same, together=False)
    plain = powered(Answers(said=THREE.said[:, :1], guessed=THREE.guessed[:, :1], elsewhere=THREE.elsewhere[:, :1]))
    assert sum(value(one.helped) for one in found) == pytest.approx(1)
    assert found[0].helped.value == pytest.approx(plain[0].helped.value)
    assert found[0].worth == pytest.approx(plain[0].worth)


def test_a_run_that_says_always_the_same_leaves_people_alone():
    (found,) = powered(Answers(said=SAID, guessed=np.ones((60, 1)), elsewhere=np.ones((500, 1))))
    assert (found.tuning, found.worth) == (0, 1)
    assert found.helped == found.alone


def test_too_few_labels_have_no_interval_and_the_words_say_so():
    (found,) = powered(Answers(said=SAID[:19], guessed=GUESSED[:19], elsewhere=ELSEWHERE))
    assert found.helped.low is None
    assert found.helped.no_interval == FEW.format(enough=20, units="items")
    (found,) = powered(replace(PLAIN, clusters=PLACES // 4, other_clusters=100 + MORE // 4))
    assert found.helped.no_interval == FEW.format(enough=20, units="groups of items")


def test_all_labeled_leaves_nothing_to_help_with():
    (found,) = powered(replace(PLAIN, elsewhere=np.zeros((0, 1))))
    assert (found.helped.value, found.helped.no_interval) == (found.alone.value, "every item is labeled")


@given(st.permutations(range(60)))
@pytest.mark.slow
def test_the_order_of_items_changes_nothing(order):
    (plain,) = powered(replace(PLAIN, clusters=PLACES // 2, other_clusters=MORE // 2))
    (found,) = powered(
        Answers(
            said=SAID[order], guessed=GUESSED[order], elsewhere=ELSEWHERE[::-1],
            clusters=PLACES[order] // 2, other_clusters=MORE[::-1] // 2,
        )
    )  # fmt: skip
    assert (found.helped.low, found.helped.high) == pytest.approx((plain.helped.low, plain.helped.high))


def world(rng, *, items, share, right, size):
    """People's labels, a run's guesses and groups, both alike within groups of `size`."""
    groups = np.arange(items) // size
    inclined = rng.beta(share, 1 - share, items)[groups] if size > 1 else np.full(items, share)
    said = (rng.random(items) < inclined).astype(float)
    wrong = (rng.random(items) >= right)[groups]
    return said, np.where(wrong, 1 - said, said), groups


def misses(of, *, labeled, items, share, right, size, whole, told=True, trials=400):
    rng = np.random.default_rng(7)
    missed = 0
    for _ in range(trials):
        said, guessed, groups = world(rng, items=items, share=share, right=right, size=size)
        chosen = rng.permutation(items // size)[: labeled // size] if whole else rng.permutation(items)[:labeled]
        on = np.isin(groups if whole else np.arange(items), chosen)
        clusters = {} if size == 1 or not told else {"clusters": groups[on], "other_clusters": groups[~on]}
        answers = Answers(said=said[on, None], guessed=guessed[on, None], elsewhere=guessed[~on, None], **clusters)
        (found,) = powered(answers, of=of)
        truth = said[~on].mean() if of == "rest" else share
        missed += not found.helped.low <= truth <= found.helped.high
    return missed / trials


@pytest.mark.slow
@pytest.mark.parametrize("of", ["rest", "alike"])
@pytest.mark.parametrize("right", [0.0, 0.8, 0.99])
@pytest.mark.parametrize(
    ("labeled", "items", "size", "whole"),
    [(40, 240, 1, False), (100, 200, 1, False), (400, 2400, 5, False), (400, 2400, 5, True)],
)
def test_the_interval_misses_at_most_as_often_as_it_says(of, right, labeled, items, size, whole):
    """5 %, and 2.5 % for chance in 400 trials, however bad the run: always wrong, good, nearly perfect."""
    for share in (0.5, 0.1):
        rate = misses(of, labeled=labeled, items=items, share=share, right=right, size=size, whole=whole)
        assert rate <= 0.075


@pytest.mark.slow
def test_groups_taken_as_items_would_miss_more_often():
    """What the clusters are for: without them the same worlds are missed far more often than 5 %."""
    worlds = {"labeled": 400, "items": 2400, "share": 0.5, "right": 0.5, "size": 5, "whole": True}
    assert misses("alike", **worlds) <= 0.075 < 0.1 < misses("alike", **worlds, told=False)


@pytest.mark.parametrize("clusters", [None, np.zeros(3, dtype=np.int64)])
def test_one_labeled_item_or_group_has_a_value_and_no_interval(clusters):
    size = 1 if clusters is None else 3
    answers = Answers(
        said=np.ones((size, 1)),
        guessed=np.ones((size, 1)),
        elsewhere=np.array([[1.0], [0.0], [1.0]]),
        clusters=clusters,
        other_clusters=None if clusters is None else np.arange(1, 4),
    )
    for of in ("rest", "alike"):
        (found,) = powered(answers, of=of)
        assert (found.alone.value, found.alone.low, found.alone.n) == (1.0, None, size)
        assert "fewer than" in found.alone.no_interval
