"""Numbers in bins: of about one size, with equal numbers never apart, or by edges."""

import numpy as np
import pytest

from comparison.statistics.by_attribute.bins import read_bins


def test_quantiles_are_of_about_one_size():
    numbers = np.random.default_rng(1).normal(size=1000)
    found = read_bins("5", numbers)
    names, sizes = np.unique(found.of(numbers), return_counts=True)
    assert set(names) == set(found.names)
    assert sizes.min() >= 199
    assert sizes.max() <= 201


def test_equal_numbers_are_never_apart():
    numbers = np.array([1.0] * 50 + [2.0] * 3 + [3.0] * 47)
    found = read_bins("4", numbers)
    assert all(len({name for name, number in zip(found.of(numbers), numbers, strict=True) if number == one}) == 1
               for one in (1.0, 2.0, 3.0))  # fmt: skip
    assert found.edges == (1.5,)


@pytest.mark.parametrize("text", ["1", "21", "a", "1, 0", "1,1", "low < 1", "x < 1, x", "< 1, x", "1 <", "0,,1", "1e9"])
def test_what_makes_no_bins_is_refused_with_what_must_be(text):
    with pytest.raises(ValueError, match="a number of bins from 2 to 20"):
        read_bins(text, np.arange(5.0))


def test_names_and_edges_of_a_reader():
    found = read_bins("weak < -0.5, middling < 1.5, strong", np.zeros(0))
    assert found.of(np.array([-0.6, -0.5, 1.4, 1.5])) == ["weak", "middling", "middling", "strong"]
