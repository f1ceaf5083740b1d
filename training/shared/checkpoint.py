"""Where a training stands, in one file of tensors and JSON: there whole or not at all, and only the latest."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from scoring.scorers.networks.tensor_file import CheckpointError, read_header, read_whole, write_whole

CHECKPOINT = "checkpoint.safetensors"
# What AdamW keeps of a parameter.
MOMENTS = ("step", "exp_avg", "exp_avg_sq")


@dataclass(frozen=True)
class Checkpoint:
    """`state` is where the training stands, as JSON; `about` says which training it is, where the folder does not."""

    tensors: Mapping[str, Tensor]
    state: dict[str, Any]
    about: dict[str, Any] = field(default_factory=dict)


def save(path: Path, checkpoint: Checkpoint) -> None:
    """In place of the one before. CheckpointError if it cannot be written; then that one stays."""
    write_whole(path, checkpoint.tensors, {"about": checkpoint.about, "state": checkpoint.state})


def load(path: Path) -> Checkpoint:
    """CheckpointError if it is damaged, by a failing disk or by hand: no kill leaves one so."""
    with _sound(path):
        tensors, header = read_whole(path)
        return Checkpoint(tensors, header["state"], header["about"])


def saved_step(path: Path) -> int:
    """The step of what `save` wrote, -1 where nothing is. CheckpointError as in `load`."""
    if not path.exists():
        return -1
    with _sound(path):
        return int(read_header(path)["state"]["step"])


@contextmanager
def _sound(path: Path) -> Iterator[None]:
    try:
        yield
    except (CheckpointError, KeyError, TypeError) as error:
        raise CheckpointError(f"{path} is damaged ({error}); remove it to start over") from error


def moments(optimizer: torch.optim.Optimizer, parameters: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What AdamW keeps of each parameter, by name; nothing before its first step."""
    return {
        f"adam.{kind}.{name}": optimizer.state[parameter][kind]
        for name, parameter in parameters.items()
        for kind in MOMENTS
        if parameter in optimizer.state
    }


def restore(optimizer: torch.optim.Optimizer, parameters: Mapping[str, Tensor], tensors: Mapping[str, Tensor]) -> None:
    """Give the parameters their values back, and AdamW what `moments` took."""
    put(parameters, tensors)
    for name, parameter in parameters.items():
        for kind in MOMENTS:
            value = tensors.get(f"adam.{kind}.{name}")
            if value is not None:
                # AdamW keeps its count of steps on the CPU.
                optimizer.state[parameter][kind] = value.clone().to("cpu" if kind == "step" else parameter.device)


def put(parameters: Mapping[str, Tensor], tensors: Mapping[str, Tensor]) -> None:
    with torch.no_grad():
        for name, parameter in parameters.items():
            parameter.copy_(tensors[name])
