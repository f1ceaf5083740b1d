"""How far answers lie apart, on numbers worked by hand."""

import numpy as np
import pytest

from comparison.statistics.divergence import among_people, from_people

# Five items, three values: unanimous, majority, tie of three, lone label, none.
COUNTS = np.array([[3, 0, 0], [1, 2, 0], [1, 1, 1], [0, 1, 0], [0, 0, 0]])


def test_divergence():
    assert among_people(COUNTS)[:3].tolist() == pytest.approx([0, 2 / 3, 1])
    assert np.isnan(among_people(COUNTS)[3:]).all()
    found = from_people(COUNTS, np.array([[0, 1], [1, -1], [-1, -1], [0, 0], [0, 0]]))
    assert found[:2].tolist() == pytest.approx([0.5, 1 / 3])
    assert np.isnan(found[[2, 4]]).all()
