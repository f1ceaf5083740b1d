"""No test fails because the machine is slow."""

import re
import time

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.house.sources import python_files, short


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


def test_browser_tests_wait_for_what_they_count_and_see():
    """A page that a key opened may not be whole yet: `expect` looks again, an assertion looks once."""
    once = re.compile(r"^\s+assert .*(locator|get_by_\w+)\(.*\)\.(count|is_visible|is_hidden|is_checked)\(\)")
    offenders = [
        f"{short(path)}:{number} {line.strip()}"
        for path in python_files(rooms=("tests",))
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if once.search(line)
    ]
    assert offenders == []
