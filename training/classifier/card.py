"""A finished classifier's folder: weights, configuration, tokenizer, and a card that says what it is."""

import json
import platform
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import torch
import transformers

from corpus.whole import whole_folder
from scoring.scorers.networks.weights import WHOLE, file_hashes
from training.classifier.loop import Trained

CARD = "card.json"
# What a base's folder says of its license goes on with what was made of it.
TERMS = ("LICENSE", "NOTICE")
LIMITS = (
    "It was chosen by its accuracy on the held-out part, which is therefore a little too high. It knows the labels of "
    "its own task and no others, and it answers whatever it is asked."
)


def lay_out(
    trained: Trained,
    target: Path,
    *,
    about: Mapping[str, Any],
    terms: Path | None,
    accepted: Callable[[Mapping[str, str]], None],
) -> dict[str, str]:
    """Put the model's folder in place, all of it or nothing; returns the sha256 of the files that decide.

    `about` is what the training's row says of it; `terms` is the base's folder; `accepted` is shown those hashes before
    the folder is in place, and may raise. The same training gives the same bytes.
    """
    # One process at a time trains it.
    with whole_folder(target, is_locked=True) as folder:
        config = trained.model.config
        config.architectures = [type(trained.model).__name__]
        config.save_pretrained(folder)
        trained.tokenizer.save_pretrained(folder)
        shutil.copyfile(trained.weights, folder / WHOLE)
        for kept in [terms / name for name in TERMS] if terms is not None else []:
            if kept.is_file():
                shutil.copyfile(kept, folder / kept.name)
        (folder / CARD).write_text(json.dumps(card(trained, about), indent=2, ensure_ascii=False) + "\n")
        found = file_hashes(folder)
        accepted(found)
    return found


def card(trained: Trained, about: Mapping[str, Any]) -> dict[str, Any]:
    """What it is, what it learned from, how well it did, and what it took."""
    return {
        **about,
        "kept": {
            "epoch": trained.best.epoch,
            "step": trained.best.step,
            "of_steps": trained.steps,
            "held_out_accuracy": trained.best.accuracy,
            "held_out_loss": trained.best.loss,
        },
        "weights_drawn_by_the_seed": list(trained.drawn),
        "curves": trained.history.curves(steps=trained.steps),
        "limits": LIMITS,
        "made_with": {
            "python": platform.python_version(),
            "torch": str(torch.__version__),
            "transformers": transformers.__version__,
            "device": str(next(trained.model.parameters()).device),
            "threads": torch.get_num_threads(),
        },
    }
