"""A training that is killed within: how it is asked for, what the database has of it, and a mark in its state."""

from pathlib import Path
from typing import Any

from tests.installation import Installation
from training.shared.checkpoint import CHECKPOINT, load, save

# Killed once the first of them has ended and is saved; the others take a second or more.
EPOCHS = 12
OPTIONS = ["--learning-rate", "1e-4", "--batch-size", "4", "--epochs", str(EPOCHS), "--held-out", "0.25"]
# No training has such a loss: where it is found afterwards, the state that it was written into was gone on from.
MARK = 1000.0


def stored(installation: Installation) -> dict[str, Any]:
    """The one training as the database has it now."""
    return installation.row(
        "SELECT training_training.state, step, error, curves, files FROM training_training "
        "LEFT JOIN scoring_languagemodel ON scoring_languagemodel.id = model_id"
    )


def mark(folder: Path) -> None:
    """Write a loss of its own into the last state: it is told with the others, and nothing is learned from it."""
    (path,) = folder.glob(f"*/{CHECKPOINT}")
    checkpoint = load(path)
    losses = checkpoint.state["history"]["losses"]
    assert 0 < len(losses) < 9 * EPOCHS
    losses[0] = MARK
    save(path, checkpoint)
