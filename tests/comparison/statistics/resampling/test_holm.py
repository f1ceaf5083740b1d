"""Holm's correction takes what tests give, and no more."""

import math

import pytest

from comparison.statistics.chance import holm


def test_a_test_without_a_p_is_refused():
    with pytest.raises(ValueError, match="without a p"):
        holm([0.01, math.nan])
