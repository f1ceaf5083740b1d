"""What holds for every test of annotation."""

import pytest
from django.core.cache import cache


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Starts from one address are counted by link for an hour, and every test makes a first link."""
    cache.clear()
