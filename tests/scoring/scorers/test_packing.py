"""Families in one row: every text is still there, whole, and sees only what stands before it in itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.scorers.batches import nearly_by_length
from scoring.scorers.left_to_right import TRUNK, Family, TokenRow, families, packed, pieces

# As the scorers make them: a start token and at least one more.
# Drawn as digits: one draw a text, where a list of numbers takes one a token.
TEXTS = st.lists(st.text("012", min_size=2, max_size=14).map(lambda digits: tuple(map(int, digits))), max_size=12)


def rows_of(*texts: tuple[int, ...]) -> list[TokenRow]:
    return [TokenRow(number, ids) for number, ids in enumerate(texts)]


def test_two_options_stand_side_by_side_behind_what_they_share():
    [family] = families(rows_of((9, 1, 2, 3, 4, 5), (9, 1, 2, 3, 6, 7, 8)))
    pack = packed(family)
    assert pack.ids == (9, 1, 2, 3, 4, 6, 7)
    assert pack.positions == (0, 1, 2, 3, 4, 4, 5)
    assert pack.branches == (0, 0, 0, 0, 1, 2, 2)
    assert pack.reads == ((0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (3, 6), (5, 7), (6, 8))
    assert [(row.request, values) for row, values in pack.by_row([1, 2, 3, 4, 5, 6, 7, 8])] == [
        (0, [1, 2, 3, 4, 5]),
        (1, [1, 2, 3, 6, 7, 8]),
    ]


@pytest.mark.slow
@given(TEXTS)
def test_every_token_is_asked_for_after_just_what_precedes_it(texts):
    for family in families(rows_of(*texts)):
        pack = packed(family)
        seen = [_seen(pack, place) for place, _ in pack.reads]
        for row, numbers in pack.by_row([float(number) for number in range(len(seen))]):
            read = [(seen[int(number)], pack.reads[int(number)][1]) for number in numbers]
            assert read == [(row.ids[:place], row.ids[place]) for place in range(1, len(row.ids))]


def _seen(pack, place):
    """What a place sees, itself included: by the rule of docs/metrics.md, L7, and in the order of positions."""
    visible = [
        (pack.positions[at], pack.ids[at])
        for at in range(place + 1)
        if pack.branches[at] in (TRUNK, pack.branches[place])
    ]
    assert [position for position, _ in visible] == list(range(len(visible)))
    return tuple(token for _, token in visible)


@pytest.mark.slow
@given(TEXTS, st.integers(4, 30))
def test_pieces_keep_every_row_and_the_budget(texts, budget):
    for family in families(rows_of(*texts)):
        parts = list(pieces(family, budget=budget))
        assert [row for part in parts for row in part.rows] == list(family.rows)
        assert all(len(packed(part).ids) <= budget or len(part.rows) == 1 for part in parts)


def test_a_row_that_is_left_over_shares_nothing():
    [family] = families(rows_of(*[(9, 1, 2, 3, last) for last in range(4, 7)]))
    assert list(pieces(family, budget=6)) == [Family(4, family.rows[:2]), Family(0, family.rows[2:])]


@pytest.mark.slow
@given(st.lists(st.integers(1, 9)), st.integers(4, 20))
def test_batches_that_are_filled_up_keep_the_budget_and_every_row(lengths, budget):
    rows = [(number, [0] * length) for number, length in enumerate(lengths)]
    batches = list(nearly_by_length(rows, budget=budget))
    assert sorted(row for batch in batches for row in batch) == list(range(len(lengths)))
    for batch in batches:
        assert len(batch) == 1 or len(batch) * max(lengths[row] for row in batch) <= budget
