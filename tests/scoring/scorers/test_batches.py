"""Batches of one length: nothing lost, nothing padded, nothing over the budget."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scoring.scorers.batches import by_length


@pytest.mark.slow
@given(st.lists(st.integers(1, 12), max_size=60), st.integers(1, 40))
def test_every_row_comes_out_once_in_a_batch_of_its_length(lengths, budget):
    rows = [(number, [0] * length) for number, length in enumerate(lengths)]
    batches = list(by_length(rows, budget=budget))
    assert sorted(number for batch in batches for number in batch) == list(range(len(lengths)))
    for batch in batches:
        sizes = {lengths[number] for number in batch}
        assert len(sizes) == 1
        assert len(batch) == 1 or len(batch) * sizes.pop() <= budget
