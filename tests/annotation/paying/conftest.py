"""A study of Prolific's whose people have come through the real pages."""

from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.models import Sitting, Study
from tests.annotation.pages.bot import Bot
from tests.studies import open_small_study, plausibility_rows

PID = "5f3c1e9a7b2d4c6e8f0a1b{:02x}"


@pytest.fixture
def study(db: None, tmp_path: Path) -> Study:
    collection = {"platform": "prolific", "sitting_length": 2, "pay": "2.50", "currency": "GBP"}
    return open_small_study(tmp_path, plausibility_rows(20), collection=collection, slug="paid")


@pytest.fixture
def come(study: Study) -> Callable[..., Sitting]:
    """Somebody begins, and answers as many items as are asked for."""

    def begin(number: int, *, answers: int = 2) -> Sitting:
        visitor = Bot()
        visitor.begin(f"{study.links.get().get_absolute_url()}?PROLIFIC_PID={PID.format(number)}&SESSION_ID=se{number}")
        for _ in range(answers):
            visitor.answer()
        return Sitting.objects.latest("pk")

    return begin
