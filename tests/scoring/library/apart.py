"""Processes that open or convert a model come from the tests' server: torch takes a second to load."""

import subprocess
from collections.abc import Iterator

import pytest

from scoring.library import packaged, pickled, uploaded_files
from tests.forked import Forking


@pytest.fixture(autouse=True, scope="session")
def models_opened_forked() -> Iterator[None]:
    """Those of `begun_as_the_program_does` start Python."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (packaged, pickled, uploaded_files):
            patch.setattr(module, "subprocess", Forking)
        yield


@pytest.fixture
def begun_as_the_program_does(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (packaged, pickled, uploaded_files):
        monkeypatch.setattr(module, "subprocess", subprocess)
