"""One person's data where a study has every stage: what they said of themselves goes, what they agreed to stays."""

from pathlib import Path

import pytest

from annotation.models import ComprehensionTry, Consent, Judgment, QuestionnaireAnswers, Sitting
from annotation.privacy import erase, everything_about
from tests.annotation.stages.conftest import Walker
from tests.annotation.stages.whole import open_whole

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture
def sitting(tmp_path: Path) -> Sitting:
    """Of somebody who has gone through all stages; somebody else has, too."""
    door = open_whole(tmp_path / "whole").links.get().get_absolute_url()
    for _ in range(2):
        walker = Walker()
        walker.reaches_items(door)
        walker.practices()
        walker.finish()
        walker.post(first_language="Finnish")
    return Sitting.objects.order_by("pk").first()  # type: ignore[return-value]


def test_the_export_has_every_stage(sitting: Sitting) -> None:
    found = everything_about(sitting.study, sitting.annotator)["sittings"][0]
    assert [one["agreed"] for one in found["consent"]] == [True]
    assert [one["passed"] for one in found["comprehension"]] == [True]
    assert [one["answers"]["first_language"] for one in found["questionnaire"]] == ["Finnish"]


@pytest.mark.parametrize("labels", [False, True])
def test_erasing_keeps_the_consent_alone(sitting: Sitting, labels: bool) -> None:
    erase(sitting.study, sitting.annotator, labels=labels)
    for model, mine in ((Consent, 1), (ComprehensionTry, 0), (QuestionnaireAnswers, 0)):
        assert model.objects.filter(sitting=sitting).count() == mine
        assert model.objects.exclude(sitting=sitting).count() == 1, "of the other"
    # Three targets and two practice items each.
    assert Judgment.objects.count() == (5 if labels else 10)
