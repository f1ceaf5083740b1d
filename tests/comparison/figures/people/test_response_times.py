"""Response times: of whom, of which items, and how many are under the floor."""

import numpy as np
import pytest
from scipy.stats import binom

from annotation.models import Assignment, Judgment
from comparison.exports.registry import export
from comparison.figures.people.response_times import (
    ONLY_EXCLUDED,
    RESPONSE_TIMES,
    UNTIMED,
    response_times,
)
from comparison.frame.filters.selection import Selection
from comparison.frame.response_times import Timed, read_timed
from comparison.frame.selected import select
from comparison.page.drawn.histogram import histogram
from comparison.statistics.response_times import median
from tests.comparison.page.visiting import page, words
from tests.comparison.statistics.agreement.made import width


def timed(seconds: dict[int, list[float]], excluded: tuple[int, ...] = ()) -> Timed:
    """Of annotators, the seconds of their answers to items 1, 2, …"""
    rows = [(who, item, 1000 * one) for who, given in seconds.items() for item, one in enumerate(given, 1)]
    who, items, took = (
        (np.array(column, dtype=np.int64) for column in zip(*rows, strict=True)) if rows else [none()] * 3
    )
    return Timed(who, items, took, excluded)


def none() -> np.ndarray:
    return np.zeros(0, dtype=np.int64)


def give_times(study, of) -> None:
    """To each answer, milliseconds by its place."""
    for place, one in enumerate(Judgment.objects.filter(assignment__sitting__study=study).order_by("pk")):
        one.response_ms = of(place)
        one.save()


@pytest.mark.parametrize("n", [6, 7, 20, 101])
def test_the_interval_of_a_median_is_the_narrowest_of_two_ranks_that_holds(n):
    found = median(np.arange(1.0, n + 1), unit="annotators", reason="nobody")
    rank = int(found.low or 0)
    assert 1 - 2 * binom.cdf(rank - 1, n, 0.5) >= 0.95 > 1 - 2 * binom.cdf(rank, n, 0.5)
    assert found.high == n + 1 - rank


def test_five_annotators_have_a_median_and_no_interval():
    found = median(np.arange(5.0), unit="annotators", reason="nobody")
    assert (found.value, found.low, found.no_interval) == (2.0, None, "needs six annotators")


def test_excluded_annotators_are_outlined_and_counted_nowhere_else():
    found = response_times(timed({1: [4, 4], 2: [4, 6], 9: [0.3, 0.3]}, excluded=(9,)), floor_ms=1000)
    assert found.times is not None
    assert (found.times.answers, sum(found.times.counted), sum(found.times.excluded)) == (4, 4, 2)
    assert (found.typical.value, found.typical.n) == (4.5, 2)
    assert (found.under.value, found.under.n, found.under.unit) == (0.0, 4, "answers")
    bars = histogram(found.times, floor_ms=found.floor_ms).bars
    assert {bar.kind for bar in bars} == {"bar-people", "bar-none"}


def test_quick_answers_of_one_annotator_are_worth_less_than_of_many():
    one = response_times(timed({who: [0.5 if who == 1 else 4] * 10 for who in range(1, 21)}), floor_ms=1000)
    many = response_times(timed({who: [0.5 if who <= 10 else 4] + [4] * 9 for who in range(1, 21)}), floor_ms=1000)
    assert one.under.value == many.under.value == 0.05
    assert width(one.under) > width(many.under)
    assert "faster than the floor of 1 s" in one.sentence


def test_without_a_floor_the_middle_half_answers():
    found = response_times(timed({1: [2, 3, 4, 5], 2: [2, 3, 4, 5]}), floor_ms=0)
    assert found.sentence == "Half of the answers take 2.8 to 4.2 s."
    assert response_times(timed({1: [2] * 8}), floor_ms=0).sentence == "Half of the answers take about 2.0 s."
    assert found.under.undefined


@pytest.mark.parametrize(("given", "why"), [({}, UNTIMED), ({9: [1, 1]}, ONLY_EXCLUDED)])
def test_without_times_it_says_why(given, why):
    found = response_times(timed(given, excluded=(9,)), floor_ms=1000)
    assert (found.times, found.why_none, found.typical.undefined, found.under.undefined) == (None, why, why, why)


def test_filters_act_on_it(study):
    give_times(study, lambda place: 2000 + 100 * place)
    whole = RESPONSE_TIMES.read(select(study, Selection()))
    some = RESPONSE_TIMES.read(select(study, Selection(agreement="unanimous")))
    assert whole.times is not None and some.times is not None
    assert 0 < some.times.answers < whole.times.answers == len(read_timed(study).took)


@pytest.mark.slow
def test_the_page_draws_it_and_its_file_has_every_column(logged_in, study):
    give_times(study, lambda place: 2000 + 100 * place)
    response = page(logged_in, study, "people")
    assert "Response times Seconds per answer, log scale" in words(response)
    header, *rows = export("response-times")(study, Selection())
    found = {row[header.index("statistic")]: row[header.index("count")] for row in rows}
    counted = sum(int(count) for name, count in found.items() if str(name).startswith("answers_valid"))
    assert counted == Assignment.objects.filter(sitting__study=study, judgment__isnull=False).count()


@pytest.mark.slow
def test_the_page_says_why_there_are_no_times(logged_in, study):
    Judgment.objects.filter(assignment__sitting__study=study).update(response_ms=None)
    assert "Response times None: no answers were timed." in words(page(logged_in, study, "people"))
