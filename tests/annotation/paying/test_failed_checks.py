"""Rejected for failed checks is only who failed as many attention checks as the platform asks for."""

from pathlib import Path

import pytest

from annotation.models import Assignment, PaymentDecision, Sitting, Study
from annotation.paying.deciding import NotPayable, failures_needed, reject
from annotation.paying.queue import queue
from tests.annotation.pages.bot import Bot
from tests.annotation.paying.conftest import PID
from tests.studies import open_small_study, plausibility_rows

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
MESSAGE = "You failed attention checks of which each asked for a certain answer, in so many words, and said so. " * 2


def opened(folder: Path, **tables: object) -> Study:
    collection = {"platform": "prolific", "sitting_length": 2, "attention_per_sitting": 2, "gold_per_sitting": 1}
    rows = plausibility_rows(12, attention=2, gold=1)
    return open_small_study(folder, rows, collection=collection, **tables)


def came(study: Study, *, failed: int) -> Sitting:
    """Through the pages, with every check right or wrong; then so many of the attention checks stand as failed."""
    visitor = Bot()
    visitor.begin(f"{study.links.get().get_absolute_url()}?PROLIFIC_PID={PID.format(failed)}")
    while visitor.page.has_item:
        visitor.answer("impossible")
    sitting = Sitting.objects.latest("pk")
    checks = sitting.assignments.filter(item__kind="attention")
    assert (checks.count(), sitting.state) == (2, "finished")
    for assignment in checks[:failed]:
        assignment.judgment.__class__.objects.filter(assignment=assignment).update(answer="less_likely")
    return sitting


def rejected(study: Study, reason: str = "FAILED_CHECK") -> bool:
    try:
        reject(study, queue(study), reason=reason, message=MESSAGE, by=None)
    except NotPayable as error:
        assert "of these submissions have fewer" in str(error)
        assert not PaymentDecision.objects.exists()
        return False
    return True


@pytest.mark.parametrize(
    ("minutes", "failed", "may"),
    [(0, 0, False), (0, 1, False), (0, 2, True), (5, 1, False), (5, 2, True), (4, 0, False), (4, 1, True)],
)
def test_as_many_as_prolific_asks_for_by_length(tmp_path, minutes, failed, may):
    study = opened(tmp_path, **({"information": {"minutes": minutes}} if minutes else {}))
    came(study, failed=failed)
    assert failures_needed(study, "FAILED_CHECK") == (1 if minutes == 4 else 2)
    assert rejected(study) is may


def test_nobody_is_rejected_along_with_others(tmp_path):
    study = opened(tmp_path)
    for failed in (2, 1):
        came(study, failed=failed)
    assert not rejected(study)


def test_other_reasons_rest_on_no_checks(tmp_path):
    study = opened(tmp_path)
    came(study, failed=0)
    assert failures_needed(study, "LOW_EFFORT") == 0
    assert rejected(study, "LOW_EFFORT")


def test_a_check_that_cannot_be_judged_is_failed(tmp_path):
    study = opened(tmp_path)
    came(study, failed=2)
    Assignment.objects.filter(item__kind="attention").update(state="declined")
    assert rejected(study)


def test_other_platforms_have_no_such_reason(study):
    study.platform = "panel"
    assert failures_needed(study, "other") == 0
    assert failures_needed(study, "") == 0
