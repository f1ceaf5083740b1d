"""An installation for the commands of a page: its own folder, the packaged models, and a worker in this process."""

from collections.abc import Iterable

import pytest
from django.core.management import call_command

from scoring.models import Chunk
from scoring.runs import starting, working
from tests.corpus.loaded import pipeline_loaded_once, processes_forked
from tests.scoring.scorers.weights import MODELS_DIR

__all__ = ["pipeline_loaded_once", "processes_forked"]


@pytest.fixture
def installation(tmp_path, settings, db, monkeypatch):
    """What `make run` prepares. Chunks are worked off as they are sent: the queue is met in tests/scoring/runs."""
    settings.VAR_DIR = tmp_path / "var"
    settings.MODELS_DIR = settings.VAR_DIR / "models"
    settings.MODELS_DIR.mkdir(parents=True)
    # Links, so that what a page trains stays in the test's own folder.
    for model in MODELS_DIR.iterdir():
        if model.is_dir():
            (settings.MODELS_DIR / model.name).symlink_to(model)
    call_command("fetch_models", verbosity=0)

    def work_off(chunks: Iterable[Chunk]) -> None:
        for chunk in chunks:
            working.CHUNKS.work(chunk.pk, worker="papers")

    for module in (starting, working):
        monkeypatch.setattr(module, "send", work_off)
    return tmp_path
