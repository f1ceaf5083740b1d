"""A real worker on a real queue, killed in the middle of a training: the weights are those of one left alone."""

import hashlib
import json
import os
import signal
from pathlib import Path

import pytest
import torch

from scoring.scorers.contract import ModelSpec
from scoring.scorers.networks.weights import file_hashes
from tests.installation import Installation
from tests.scoring.scorers.little.bert import adept_rows, write_encoder
from tests.studies import write_study
from tests.training.classifier.killed import EPOCHS, MARK, OPTIONS, mark, stored
from tests.training.classifier.little_task import Told, parted
from training.classifier.loop import Task, fit
from training.classifier.settings import Settings
from training.shared.checkpoint import CHECKPOINT

pytestmark = pytest.mark.slow

SETTINGS = Settings(learning_rate=1e-4, batch_size=4, epochs=EPOCHS, held_out=0.25)


@pytest.fixture
def encoder(tmp_path: Path) -> Path:
    return write_encoder(tmp_path / "little-bert")


@pytest.fixture
def installation(tmp_path: Path, encoder: Path, valkey_url: str) -> Installation:
    """With one training on its queue."""
    # One thread: what two add up may come in another order.
    made = Installation(tmp_path, valkey_url, OMP_NUM_THREADS="1")
    folder = write_study(tmp_path / "study", adept_rows(), slug="killed")
    ask = ["train_classifier", "killed", "--recipe", "adept", "--base", str(encoder), *OPTIONS, "--no-wait"]
    made.call(["load_study", str(folder)], ask)
    return made


def test_a_killed_worker_goes_on_from_its_last_saved_state(installation, encoder, tmp_path):
    worker = installation.worker("training")
    try:
        installation.wait_for(lambda: any((tmp_path / "training").glob(f"*/{CHECKPOINT}")))
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
        # Killed in the middle, or the test shows nothing.
        assert stored(installation)["state"] == "running"
        mark(tmp_path / "training")
        worker = installation.worker("training")
        installation.wait_for(lambda: stored(installation)["state"] in ("finished", "failed"))
    finally:
        os.killpg(worker.pid, signal.SIGKILL)
        worker.wait()
    found = stored(installation)
    assert (found["state"], found["error"], found["step"]) == ("finished", "", 9 * EPOCHS)
    assert max(loss for _, loss in json.loads(found["curves"])["loss"]) > MARK / 9
    assert json.loads(found["files"])["model.safetensors"] == left_alone(encoder, tmp_path / "alone")


def left_alone(encoder: Path, folder: Path) -> str:
    """The sha256 of the weights that the same training has in this process, without a worker and without a pause."""
    threads = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        base = ModelSpec("encoder", str(encoder), "", file_hashes(encoder))
        trained = fit(Task(base=base, split=parted(), settings=SETTINGS), folder=folder, listener=Told())
    finally:
        torch.set_num_threads(threads)
    return hashlib.sha256(trained.weights.read_bytes()).hexdigest()
