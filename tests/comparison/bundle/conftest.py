"""Bundles of small studies."""

from collections.abc import Callable
from pathlib import Path

import pytest

from annotation.models import Study
from comparison.bundle import making
from comparison.bundle.making import make
from tests.comparison.learned import learn_at_once

Bundle = Callable[..., Path]


@pytest.fixture(autouse=True)
def quick(monkeypatch):
    return learn_at_once(monkeypatch)


@pytest.fixture
def nothing_in_it(monkeypatch):
    """A report is its manifest alone, for tests of what is done with one."""
    monkeypatch.setattr(making, "STEPS", {})


@pytest.fixture
def bundle(tmp_path) -> Bundle:
    """Makes the bundle of a study, each time in a folder of its own."""

    def made(study: Study) -> Path:
        folder: Path = tmp_path / f"bundle-{len(list(tmp_path.glob('bundle-*')))}"
        folder.mkdir()
        make(study, folder)
        return folder

    return made
