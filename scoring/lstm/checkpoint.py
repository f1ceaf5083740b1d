"""The state of a training on disk: one safetensors file, tensors and JSON, put in place whole or not at all.

No pickle: torch.save would write one, and reading it could run code.
"""

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

# One key only: safetensors writes several in an order that changes from time to time.
KEY = "parallax"
# What AdamW keeps of a parameter.
MOMENTS = ("step", "exp_avg", "exp_avg_sq")


class CheckpointError(ValueError):
    """A file that is no state of this training. str() says why."""


@dataclass(frozen=True)
class Checkpoint:
    """`about` says which training it is; `state` is where it stands, as JSON."""

    about: dict[str, Any]
    state: dict[str, Any]
    tensors: dict[str, Tensor]


def write_whole(path: Path, tensors: Mapping[str, Tensor], told: Mapping[str, Any]) -> None:
    """A safetensors file with JSON in its header. A kill leaves the file that was there, or the new one.

    CheckpointError if it cannot be written, on a full disk for instance.
    """
    scratch = path.with_name(path.name + ".new")
    plain = {name: tensor.detach().to("cpu").contiguous() for name, tensor in tensors.items()}
    try:
        save_file(plain, scratch, metadata={KEY: json.dumps(told, ensure_ascii=False)})
        with scratch.open("rb+") as file:
            os.fsync(file.fileno())
        scratch.replace(path)
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{path} cannot be written ({type(error).__name__}: {error})") from error


def read_whole(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """What `write_whole` wrote, on the CPU. CheckpointError if the file is torn or another kind."""
    try:
        with safe_open(path, framework="pt") as file:
            told: dict[str, Any] = json.loads((file.metadata() or {})[KEY])
            return {name: file.get_tensor(name) for name in file.keys()}, told  # noqa: SIM118 not a dict
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read ({type(error).__name__}: {error})") from error


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
