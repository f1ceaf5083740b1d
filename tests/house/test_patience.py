"""No property test fails because the machine is slow."""

import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st


def test_the_profile_of_all_tests_has_no_limit_of_time():
    assert settings().deadline is None
    assert HealthCheck.too_slow in settings().suppress_health_check


@pytest.mark.slow
def test_slow_draws_are_no_fault():
    """Hypothesis gives up where its first draws take more than a second altogether."""

    def slowly(number: int) -> int:
        time.sleep(0.3)
        return number

    @settings(max_examples=8)
    @given(st.integers(0, 1000).map(slowly))
    def draw(number: int) -> None:
        assert number >= 0

    draw()
