"""What is known of every sitting beside its labels."""

import pytest

from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from tests.annotation.stages.conftest import Walker
from tests.annotation.stages.whole import RIGHT, WRONG, open_whole

pytestmark = pytest.mark.django_db


@pytest.mark.slow
def test_consent_comprehension_and_questionnaire_by_sitting(tmp_path):
    study = open_whole(tmp_path, targets=6)
    link = study.links.get().get_absolute_url()
    whole, declining, failing = Walker(), Walker(), Walker()
    for walker in (whole, declining, failing):
        walker.begin(f"{link}?annotator={'ann' if walker is whole else 'bob' if walker is declining else 'cy'}")
    declining.post(decision="decline")
    for walker in (whole, failing):
        walker.consents()
        walker.post()
    for answers in (WRONG, WRONG):
        failing.post(**answers)
    whole.post(**RIGHT)
    whole.practices()
    whole.finish()
    whole.post(first_language="Finnish", comment="=1+1")
    header, *rows = export("participants")(study, Selection())
    found = [dict(zip(header, row, strict=True)) for row in rows]
    said = [(row["outcome"], row["stage"], row["agreed"], row["comprehension_passed"]) for row in found]
    assert said == [
        ("completed", "debriefing", True, True),
        ("no_consent", "consent", False, None),
        ("screened_out", "comprehension", True, False),
    ]
    assert [row["comprehension_tries"] for row in found] == [1, 0, 2]
    assert (found[0]["answer_first_language"], found[0]["answer_age"]) == ("Finnish", None)
    assert found[0]["annotator"] == "a1"
    assert not any("ann" in str(value) for row in found for name, value in row.items() if name != "annotator")
