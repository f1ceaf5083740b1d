"""The state of a training on disk, as safetensors and JSON, so that a killed one goes on with the same numbers.

transformers' Trainer saves the optimizer, the scheduler, the random numbers and its arguments by pickle, which this
house does not write or read. What it holds is tensors and plain numbers, and both have a form of their own. A state is
laid out beside its final place and renamed into it: there is all of it, or none.
"""

import json
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import load_file, save_file

# What the Trainer itself looks for in a state that it goes on from.
WEIGHTS, TRAINER_STATE = "model.safetensors", "trainer_state.json"
MOMENTS, NUMBERS = "optimizer.safetensors", "state.json"
RANDOM_CPU, RANDOM_GPU = "random.cpu", "random.cuda"
SAVED, BEST = "saved-", "best-"
# transformers asks for it before it reads a file.
FORMAT = {"format": "pt"}


@dataclass(frozen=True, slots=True)
class Taken:
    """What a state holds besides the weights: tensors of the optimizer and the random numbers, and plain numbers."""

    tensors: Mapping[str, torch.Tensor]
    numbers: Mapping[str, Any]


def take(optimizer: Any, scheduler: Any) -> Taken:
    """The optimizer's moments by parameter, its groups, the scheduler and the random numbers as they are now."""
    stored = optimizer.state_dict()
    tensors = {
        f"{place}.{name}": value.detach().cpu().contiguous()
        for place, moments in stored["state"].items()
        for name, value in moments.items()
    }
    tensors[RANDOM_CPU] = torch.get_rng_state()
    if torch.cuda.is_available():
        tensors[RANDOM_GPU] = torch.cuda.get_rng_state()
    return Taken(tensors, {"groups": stored["param_groups"], "scheduler": scheduler.state_dict()})


def put_back(taken: Taken, optimizer: Any, scheduler: Any) -> None:
    """The optimizer and the scheduler as they were."""
    moments: dict[int, dict[str, torch.Tensor]] = {}
    for name, tensor in taken.tensors.items():
        if name in (RANDOM_CPU, RANDOM_GPU):
            continue
        place, _, moment = name.partition(".")
        moments.setdefault(int(place), {})[moment] = tensor
    # JSON has no tuples.
    groups = [{**group, "betas": tuple(group["betas"])} for group in taken.numbers["groups"]]
    optimizer.load_state_dict({"state": moments, "param_groups": groups})
    scheduler.load_state_dict(dict(taken.numbers["scheduler"]))


def put_back_random_numbers(taken: Taken) -> None:
    torch.set_rng_state(taken.tensors[RANDOM_CPU])
    if RANDOM_GPU in taken.tensors and torch.cuda.is_available():
        torch.cuda.set_rng_state(taken.tensors[RANDOM_GPU])


def write_weights(path: Path, model: Any) -> None:
    """The model's weights in one file, which is there whole or not at all."""
    scratch = path.with_suffix(".part")
    save_file({name: value.detach().cpu().contiguous() for name, value in model.state_dict().items()}, scratch, FORMAT)
    scratch.replace(path)


def save(folder: Path, name: str, *, model: Any, taken: Taken, trainer_state: Any, numbers: Mapping[str, Any]) -> Path:
    """A state under that name, with plain `numbers` of the caller's own beside those taken."""
    target, scratch = folder / (SAVED + name), folder / ".part"
    if target.exists():
        # The same step of the same training: going on from it is going on from this one.
        return target
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    try:
        write_weights(scratch / WEIGHTS, model)
        save_file(dict(taken.tensors), scratch / MOMENTS, FORMAT)
        trainer_state.save_to_json(str(scratch / TRAINER_STATE))
        (scratch / NUMBERS).write_text(json.dumps({**taken.numbers, **numbers}))
        scratch.rename(target)
    except (OSError, SafetensorError):
        # Half a state is of no use, and holds the room that a full disk lacks.
        shutil.rmtree(scratch, ignore_errors=True)
        raise
    return target


def latest(folder: Path) -> Path | None:
    """The state to go on from; None at the very beginning."""
    return max(folder.glob(f"{SAVED}*"), default=None)


def read(saved: Path) -> Taken:
    """What is in a state. OSError if it is damaged, by a failing disk or by hand: no kill leaves one so."""
    try:
        with safe_open(saved / WEIGHTS, framework="pt"):
            # The Trainer reads the weights itself; whether they can be read shows here.
            return Taken(load_file(saved / MOMENTS), json.loads((saved / NUMBERS).read_text()))
    except (OSError, ValueError, SafetensorError) as error:
        raise OSError(f"{saved} is damaged ({error}); remove its folder {saved.parent} to begin anew") from error


def best_weights(folder: Path, step: int) -> Path:
    """The weights after the epoch that ended with this step, if they were the best."""
    return folder / f"{BEST}{step}.safetensors"


def tidy(folder: Path, *, keep: Path, best_step: int | None) -> None:
    """Remove older states, and weights that were the best once."""
    for saved in folder.glob(f"{SAVED}*"):
        if saved != keep:
            shutil.rmtree(saved)
    for weights in folder.glob(f"{BEST}*"):
        if best_step is None or weights != best_weights(folder, best_step):
            weights.unlink()
