"""Labels by the million are written by a few statements: what stands there is what one by one would have stored."""

import pytest

from tests.annotation.label_importing import EACH, PEOPLE
from tests.either_database import found_by


@pytest.mark.slow
def test_two_files_are_stored_as_if_label_by_label(either_url, tmp_path):
    found = found_by("tests.annotation.label_importing", str(tmp_path), url=either_url)
    half, labels = PEOPLE // 2, PEOPLE // 2 * (EACH + 1)
    out = "2 annotators excluded by the study's rules"
    assert found["first"] == f"{labels:,} labels of {half} annotators imported, 0 unchanged; {out}"
    assert found["second"] == f"{labels:,} labels of {half} annotators imported, {labels:,} unchanged; {out}"
    assert found["again"] == f"0 labels of 0 annotators imported, {2 * labels:,} unchanged"
    assert found["stored"]
    assert found["unlike"] == []
    assert len(found["excluded"]) == 4
    assert found["attention"] == PEOPLE - 4
    assert (found["seen_meanwhile"], found["wrote_meanwhile"]) == (0, True)
    assert found.get("references_kept", 1) == 1
