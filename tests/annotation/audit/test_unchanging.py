"""The database lets nobody change or delete an act, and acts outlive what they are about."""

import pytest

from tests.either_database import found_by

SAID = "rows of annotation_act are never changed and never deleted"


@pytest.mark.slow
def test_no_act_is_changed_or_deleted_and_all_outlive_study_and_user(tmp_path, either_url):
    found = found_by("tests.annotation.audit.forging", str(tmp_path / "small"), url=either_url)
    assert found["vendor"] == either_url.split(":")[0]
    assert set(found["tried"].values()) == {SAID}
    assert len(found["kept"]) == found["before"] == 2
    assert found["kept"] == [["small", "The small study", "made"], ["small", "The small study", "opened"]]
    # Emptying the whole database is another thing, and leaves the rule in force.
    assert (found["emptied"], found["again"]) == (0, SAID)
