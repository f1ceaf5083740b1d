"""A study with every stage, and somebody on the way through it."""

from pathlib import Path

import pytest

from annotation.models import Study
from tests.annotation.pages.bot import Bot
from tests.annotation.stages.whole import RIGHT, open_whole


class Walker(Bot):
    """Takes the steps of the path by the real pages."""

    def consents(self) -> None:
        self.post(decision="agree")

    def reaches_items(self, link: str) -> None:
        """From the link to the first practice item."""
        self.begin(link)
        self.consents()
        self.post()
        self.post(**RIGHT)

    def practices(self) -> None:
        """Both practice items and what is said about them."""
        for _ in range(2):
            self.answer("less_likely")
            self.post()


@pytest.fixture
def whole(db: None, tmp_path: Path) -> Study:
    return open_whole(tmp_path / "whole")


@pytest.fixture
def link(whole: Study) -> str:
    return whole.links.get().get_absolute_url()


@pytest.fixture
def walker() -> Walker:
    return Walker()
