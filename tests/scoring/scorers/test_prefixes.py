"""Rows that begin alike are found, and nothing is lost or shared that should not be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.scorers.left_to_right import WORTH_SHARING, TokenRow, families

TEXTS = st.lists(st.text("012", min_size=1, max_size=14).map(lambda digits: tuple(map(int, digits))), max_size=12)


def found(*texts):
    return [(family.shared, len(family.rows)) for family in families([TokenRow(n, ids) for n, ids in enumerate(texts)])]


@pytest.mark.slow
@given(TEXTS)
def test_every_row_comes_out_once_in_order_and_whole(texts):
    rows = [TokenRow(number, ids) for number, ids in enumerate(texts)]
    out = [row for family in families(rows) for row in family.rows]
    assert out == rows
    for family in families(rows):
        assert all(family.prefix + rest == row.ids for row, rest in zip(family.rows, family.rests, strict=True))
        assert all(family.rests)
        assert family.shared == 0 or (len(family.rows) > 1 and family.shared >= WORTH_SHARING)


def test_two_options_share_their_beginning():
    assert found((9, 1, 2, 3, 4, 5, 6), (9, 1, 2, 3, 4, 7, 8, 8)) == [(5, 2)]


def test_the_next_item_begins_a_family_of_its_own():
    assert found((9, 1, 2, 3, 4, 5), (9, 1, 2, 3, 4, 6), (9, 7, 7, 7, 7, 1), (9, 7, 7, 7, 7, 2)) == [(5, 2), (5, 2)]


def test_an_option_that_is_the_beginning_of_the_other_keeps_its_last_token():
    assert found((9, 1, 2, 3, 4, 5), (9, 1, 2, 3, 4, 5, 6)) == [(5, 2)]


def test_a_short_beginning_is_not_shared():
    assert found((9, 1, 2, 3), (9, 1, 2, 4)) == [(0, 1), (0, 1)]


def test_a_third_that_shares_little_does_not_cost_the_others_what_they_share():
    long = tuple(range(20))
    assert found((*long, 30), (*long, 31), (*long[:5], 32, 33)) == [(20, 2), (0, 1)]
