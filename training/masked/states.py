"""A training's state on disk, as safetensors and JSON: there whole or not at all, and gone on from after a kill."""

import json
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file

WEIGHTS, MOMENTS, NUMBERS = "weights.safetensors", "moments.safetensors", "state.json"
SAVED = "state-"
FIRST, SECOND = "exp_avg", "exp_avg_sq"


@dataclass(frozen=True, slots=True)
class Position:
    """How far a training is: steps done, the pass over the text and the steps done of it, and seconds spent."""

    step: int = 0
    epoch: int = 0
    done: int = 0
    seconds: float = 0.0


def save(
    folder: Path, weights: Mapping[str, torch.nn.Parameter], optimizer: torch.optim.Optimizer, numbers: dict[str, Any]
) -> Path:
    """A new state, after which the older ones go. `numbers` is JSON with the step under "step"."""
    target, scratch = folder / f"{SAVED}{numbers['step']:09d}", folder / ".part"
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    _write(scratch / WEIGHTS, {name: weight.detach() for name, weight in weights.items()})
    moments = {
        f"{moment} {name}": optimizer.state[weight][moment]
        for name, weight in weights.items()
        if weight in optimizer.state
        for moment in (FIRST, SECOND)
    }
    _write(scratch / MOMENTS, moments)
    (scratch / NUMBERS).write_text(json.dumps(numbers, indent=1) + "\n")
    _keep(scratch / NUMBERS)
    if target.exists():
        # The same step of the same training, saved once more with another clock.
        shutil.rmtree(target)
    scratch.rename(target)
    for older in folder.glob(f"{SAVED}*"):
        if older != target:
            shutil.rmtree(older)
    return target


def latest(folder: Path) -> Path | None:
    """The state to go on from; None at the very beginning."""
    return max(folder.glob(f"{SAVED}*"), default=None)


def restore(state: Path, weights: Mapping[str, torch.nn.Parameter], optimizer: torch.optim.Optimizer) -> dict[str, Any]:
    """Put the weights and AdamW's moments back as they were; the plain numbers. ValueError if they do not fit."""
    numbers: dict[str, Any] = json.loads((state / NUMBERS).read_text())
    kept, moments = load_file(state / WEIGHTS), load_file(state / MOMENTS)
    if kept.keys() != weights.keys():
        raise ValueError(f"{state} holds other weights than those that are trained")
    with torch.no_grad():
        for name, weight in weights.items():
            weight.copy_(kept[name])
            if f"{FIRST} {name}" in moments:
                optimizer.state[weight] = {
                    "step": torch.tensor(float(numbers["step"])),
                    **{moment: moments[f"{moment} {name}"].to(weight.device) for moment in (FIRST, SECOND)},
                }
    return numbers


def _write(path: Path, tensors: Mapping[str, torch.Tensor]) -> None:
    save_file({name: tensor.cpu().contiguous() for name, tensor in tensors.items()}, path)
    _keep(path)


def _keep(path: Path) -> None:
    """Put the file on the disk: renaming its folder is no promise about what is in it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())
