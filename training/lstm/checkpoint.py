"""The state of a training on disk: one file of tensors and JSON."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from scoring.scorers.networks.tensor_file import CheckpointError, read_whole, write_whole

# What AdamW keeps of a parameter.
MOMENTS = ("step", "exp_avg", "exp_avg_sq")


@dataclass(frozen=True)
class Checkpoint:
    """`about` says which training it is; `state` is where it stands, as JSON."""

    about: dict[str, Any]
    state: dict[str, Any]
    tensors: dict[str, Tensor]


def save(path: Path, checkpoint: Checkpoint) -> None:
    write_whole(path, checkpoint.tensors, {"about": checkpoint.about, "state": checkpoint.state})


def load(path: Path) -> Checkpoint:
    tensors, told = read_whole(path)
    try:
        return Checkpoint(told["about"], told["state"], tensors)
    except (KeyError, TypeError) as error:
        raise CheckpointError(f"{path} is no state of a training") from error


def moments(optimizer: torch.optim.Optimizer, parameters: Mapping[str, Tensor]) -> dict[str, Tensor]:
    """What AdamW keeps of each parameter, by name; nothing before its first step."""
    return {
        f"adam.{kind}.{name}": optimizer.state[parameter][kind]
        for name, parameter in parameters.items()
        for kind in MOMENTS
        if parameter in optimizer.state
    }


def restore_moments(
    optimizer: torch.optim.Optimizer, parameters: Mapping[str, Tensor], tensors: Mapping[str, Tensor]
) -> None:
    """Give AdamW back what `moments` took."""
    for name, parameter in parameters.items():
        for kind in MOMENTS:
            value = tensors.get(f"adam.{kind}.{name}")
            if value is not None:
                # AdamW keeps its count of steps on the CPU.
                optimizer.state[parameter][kind] = value.clone().to("cpu" if kind == "step" else parameter.device)
