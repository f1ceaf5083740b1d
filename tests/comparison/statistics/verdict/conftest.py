"""What the worlds of verdicts have in common."""

import pytest

from comparison.statistics import chance


@pytest.fixture
def few_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    """A tenth of the deals, for hundreds of worlds: p is as exact of any number (Phipson and Smyth 2010)."""
    monkeypatch.setattr(chance, "DEALS", 999)
