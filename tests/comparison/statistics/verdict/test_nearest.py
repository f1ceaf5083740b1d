"""The one rule for the nearest model, on made-up runs."""

import itertools

import pytest

from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.nearest import ACCURACY, RHO, Candidate, Nearest, nearest, strongest

NONE = Estimate.none("nothing to compare")


def run(number: int, *, accuracy=NONE, rho=NONE, decides=False, is_baseline=False) -> Candidate:
    return Candidate(run=number, is_baseline=is_baseline, decides=decides, accuracy=accuracy, rho=rho)


def about(value: float, *, n: int = 100, room: float = 0.1) -> Estimate:
    return Estimate(value, value - room, min(1.0, value + room), n=n)


def found(leading: Nearest | None) -> Nearest:
    assert leading is not None
    return leading


# The first leads over the second, that over the third, and so on.
ORDER = [
    run(9, accuracy=about(0.6), decides=True),
    run(8, accuracy=about(0.5), decides=True),
    run(7, accuracy=about(0.9), rho=about(0.3)),
    run(6, accuracy=about(0.7), rho=about(0.99)),
    run(5, rho=about(0.8)),
    run(4, rho=about(0.85, n=9, room=0.4)),
    run(3, accuracy=about(0.95), decides=True, is_baseline=True),
    run(2, rho=about(0.9), is_baseline=True),
]


@pytest.mark.parametrize(("one", "other"), list(itertools.combinations(ORDER, 2)))
def test_each_leads_over_all_after_it_in_whatever_order_they_come(one, other):
    assert nearest([one, other]) == nearest([other, one])
    assert found(nearest([one, other])).run == one.run


def test_what_a_run_is_held_by():
    assert [found(nearest([one])).statistic for one in ORDER] == [*[ACCURACY] * 4, RHO, RHO, ACCURACY, RHO]


def test_who_decides_nothing_that_can_be_compared_is_not_held_by_strength():
    assert nearest([run(1, decides=True, rho=about(0.9))]) is None
    assert nearest([run(1)]) is None
    assert nearest([]) is None


def test_equals_by_value_then_items_then_the_run_made_first():
    assert (
        found(nearest([run(1, rho=Estimate(0.8, 0.5, 0.9, n=9)), run(2, rho=Estimate(0.85, 0.5, 0.9, n=9))])).run == 2
    )
    assert found(nearest([run(1, rho=Estimate(0.8, 0.5, 0.9, n=8)), run(2, rho=Estimate(0.8, 0.5, 0.9, n=9))])).run == 2
    assert found(nearest([run(2, rho=about(0.8)), run(1, rho=about(0.8))])).run == 1


def test_the_strongest_is_of_those_that_name_no_label_in_the_same_order():
    assert found(strongest(ORDER)).run == 6
    assert strongest(ORDER[:2]) is None
    assert found(strongest([ORDER[2], ORDER[4]])).run == 5
    assert found(strongest([ORDER[-1], ORDER[5]])).run == 4, "a model before a baseline"
