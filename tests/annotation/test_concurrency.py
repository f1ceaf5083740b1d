"""Exactly k countable labels for every item while eight clients work at once, on both databases."""

import pytest

from tests.annotation.drain import ITEMS, LABELS
from tests.either_database import found_by

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("option", ["", "--excluding", "--declining"])
def test_eight_clients_drain_twenty_items(tmp_path, either_url, option):
    found = found_by("tests.annotation.drain", str(tmp_path / "study"), *filter(None, [option]), url=either_url)
    assert found["errors"] == []
    assert found["vendor"] == either_url.split(":")[0]
    assert (found["countable"], found["counted"], found["reserved"]) == (ITEMS * LABELS, ITEMS * LABELS, 0)
    assert found["per_item"] == found["tallies"] == [LABELS] * ITEMS
    # The other runs must really have thrown labels out, or declined items, or they show nothing.
    assert (found["excluded"] > 0) == (option == "--excluding")
    assert (found["declined"] > 0) == (option == "--declining")
    assert found["judgments"] == found["countable"] + found["excluded"] + found["declined"]
