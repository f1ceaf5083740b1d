"""One safetensors file, tensors with JSON in its header, put in place whole or not at all.

No pickle: torch.save would write one, and reading it could run code.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from safetensors import SafetensorError, safe_open
from safetensors.torch import save_file
from torch import Tensor

from corpus.whole import whole_file

# One key only: safetensors writes several in an order that changes from time to time.
KEY = "parallax"


class CheckpointError(ValueError):
    """A file that cannot be written, or is not what was asked for. str() says why."""


def write_whole(path: Path, tensors: Mapping[str, Tensor], header: Mapping[str, Any]) -> None:
    """A safetensors file with JSON in its header. A kill leaves the file that was there, or the new one.

    CheckpointError if it cannot be written, on a full disk for instance.
    """
    plain = {name: tensor.detach().to("cpu").contiguous() for name, tensor in tensors.items()}
    try:
        with whole_file(path) as scratch:
            save_file(plain, scratch, metadata={KEY: json.dumps(header, ensure_ascii=False)})
    except (OSError, SafetensorError) as error:
        raise CheckpointError(f"{path} cannot be written ({type(error).__name__}: {error})") from error


def read_whole(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """What `write_whole` wrote, on the CPU. CheckpointError if the file is torn or another kind."""
    with _read(path) as (file, header):
        return {name: file.get_tensor(name) for name in file.keys()}, header  # noqa: SIM118 not a dict


def read_header(path: Path) -> dict[str, Any]:
    """The same, without the tensors."""
    with _read(path) as (_, header):
        return header


@contextmanager
def _read(path: Path) -> Iterator[tuple[Any, dict[str, Any]]]:
    try:
        with safe_open(path, framework="pt") as file:
            yield file, json.loads((file.metadata() or {})[KEY])
    except (OSError, SafetensorError, KeyError, ValueError) as error:
        raise CheckpointError(f"{path} cannot be read ({type(error).__name__}: {error})") from error
