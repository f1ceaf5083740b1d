"""Every platform has an example that loads, goes against none of its rules, and can be walked through."""

import re

import pytest
from django.conf import settings

from annotation.loading import load_study
from annotation.models import Sitting
from annotation.platforms import PLATFORMS
from annotation.quality.sentences import warnings
from tests.annotation.pages.bot import Bot, Page

EXAMPLES = settings.BASE_DIR / "examples"
COMES_WITH = {
    "prolific": "?PROLIFIC_PID=5f3c1e9a7b2d4c6e8f0a1b2c&SESSION_ID=s1",
    "panel": "?id=p7",
    "mturk": "?workerId=A1WORKER&hitId=H1&assignmentId=ASG1&turkSubmitTo=https://www.mturk.com",
    "volunteers": "",
}
LEADS_TO = {
    "prolific": "https://app.prolific.com/submissions/complete?cc=C0MPLET3",
    "panel": "https://panel.example/complete?id=p7",
}


def attentive(page: Page) -> str:
    """Both checks ask for a word; the first answer to all else."""
    wanted = next((word for word in ("not", "very") if f"choose “{word}”" in page.in_sight), None)
    if wanted is None:
        return page.choices[0]
    shown = re.split(r'class="option-text"[^>]*>', page.in_sight)[1:]
    return next(value for value, text in zip(page.choices, shown, strict=True) if text.startswith(wanted))


def through_all_stages(visitor: Bot) -> None:
    """From the consent to the first item behind practice."""
    assert "I am 18 or older" in visitor.page.text
    visitor.post(decision="agree")
    assert "What do you do with each item?" in visitor.post().text
    assert "Practice 1 of 2" in visitor.post(question_1="I choose the word that fits the blank better").text
    for _ in range(2):
        visitor.answer()
        visitor.post()
    assert "Item 1 of 8" in visitor.page.text


def test_every_platform_has_one():
    assert {path.name for path in EXAMPLES.iterdir() if path.is_dir()} == set(PLATFORMS) == set(COMES_WITH)


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("platform", PLATFORMS)
def test_an_example_is_a_study_of_its_platform(platform):
    study = load_study(EXAMPLES / platform, open_study=True).study
    assert study.platform == platform
    assert warnings(study) == []
    visitor = Bot(attentive)
    visitor.begin(study.links.get().get_absolute_url() + COMES_WITH[platform])
    if platform == "prolific":
        through_all_stages(visitor)
    last = visitor.finish()
    assert Sitting.objects.get().outcome == "completed"
    if platform in LEADS_TO:
        assert LEADS_TO[platform] in last.links
    assert last.has_form == (platform == "mturk")
