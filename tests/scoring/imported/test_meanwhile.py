"""A large import leaves the database to others while it lasts, and is there whole or not at all."""

import pytest

from tests.either_database import found_by


@pytest.mark.slow
def test_others_write_while_scores_are_imported(tmp_path, either_url):
    found = found_by("tests.scoring.importing", str(tmp_path / "study"), url=either_url)
    assert found["vendor"] == either_url.split(":")[0]
    assert found["after_a_stop"] == [0, 0]
    assert found["seen"] == [0, 0]
    assert found["wrote"] is True
    assert found["stored"] == [1200, 1200, 7.0]
