"""An installation for the commands of a page: its own folder, the packaged models, and a worker in this process."""

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from scoring.management.commands import score
from scoring.models import Chunk
from scoring.runs import starting, working
from tests.corpus.loaded import pipeline_loaded_once, processes_forked
from tests.scoring.scorers.weights import MODELS_DIR, thin

__all__ = ["pipeline_loaded_once", "processes_forked"]


@pytest.fixture
def installation(tmp_path, settings, db, monkeypatch):
    """What `make run` prepares. Chunks are worked off as they are sent: the queue is met in tests/scoring/runs."""
    return installed(tmp_path, settings, monkeypatch, {key: MODELS_DIR / key for key in fetched()})


@pytest.fixture
def thin_installation(tmp_path, settings, db, monkeypatch):
    """The same with thin models in their place: what the figures are is not looked at."""
    return installed(tmp_path, settings, monkeypatch, {key: thin(key) for key in fetched()})


def fetched() -> list[str]:
    return [one.name for one in MODELS_DIR.iterdir() if one.is_dir()]


def installed(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch, models: Mapping[str, Path]) -> Path:
    settings.VAR_DIR = tmp_path / "var"
    settings.MODELS_DIR = settings.VAR_DIR / "models"
    settings.MODELS_DIR.mkdir(parents=True)
    # Links, so that what a page trains stays in the test's own folder.
    for key, model in models.items():
        (settings.MODELS_DIR / key).symlink_to(model)
    call_command("fetch_models", verbosity=0)

    def work_off(chunks: Iterable[Chunk]) -> None:
        for chunk in chunks:
            working.CHUNKS.work(chunk.pk, worker="papers")

    for module in (starting, working):
        monkeypatch.setattr(module, "send", work_off)
    # They are when a command first looks.
    monkeypatch.setattr(score, "POLL_SECONDS", 0)
    return tmp_path
