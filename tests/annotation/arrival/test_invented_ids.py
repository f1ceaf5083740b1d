"""Many more invented ids than there are places are stopped, and others go on unharmed, on both databases."""

import pytest

from tests.annotation.arrival.invented import IDS, LENGTH, MOST, PROGRAMS
from tests.either_database import found_by

pytestmark = pytest.mark.slow

# Whoever had begun by the link takes one of its starts, but has answered.
STOPPED = [("max_starts", MOST - 1, "429"), ("max_unanswered", MOST, "429")]


@pytest.mark.parametrize(("limit", "let_in", "refused"), STOPPED)
def test_more_invented_ids_than_places(tmp_path, either_url, limit, let_in, refused):
    found = found_by("tests.annotation.arrival.invented", str(tmp_path / "study"), limit, url=either_url)
    assert found["vendor"] == either_url.split(":")[0]
    assert found["statuses"] == {"200": let_in, refused: PROGRAMS * IDS - let_in}
    assert (found["invented"], found["sittings"], found["starts"]) == (let_in, let_in, let_in + 1)
    assert (found["thanked"], found["labels"]) == (2, 2 * LENGTH)
