"""From a trained model to its artefact."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from scoring.library import artefact
from training.masked.rounding import codes, is_matrix


def write_artefact(
    path: Path, weights: Mapping[str, Tensor], encoder: Mapping[str, Tensor], *, bits: int, encoder_sha256: str
) -> str:
    """Write what the trained `weights` differ by from those of the `encoder`; the file's sha256."""
    parts: artefact.Arrays = {}
    with torch.no_grad():
        for name, weight in weights.items():
            if name.startswith(artefact.HEAD):
                parts[name] = _array(weight.to(torch.float16))
            elif is_matrix(name, weight):
                rounded, scale = codes(weight - encoder[name], bits)
                whole = _array(rounded)
                parts[name + artefact.CODES] = artefact.pack(whole) if bits == 4 else whole
                parts[name + artefact.SCALE] = _array(scale)
            else:
                parts[name + artefact.DIFFERENCE] = _array((weight - encoder[name]).to(torch.float16))
    return artefact.write(path, parts, encoder_sha256=encoder_sha256)


def _array(tensor: Tensor) -> NDArray[Any]:
    found: NDArray[Any] = tensor.detach().cpu().contiguous().numpy()
    return found
