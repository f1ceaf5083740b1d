"""A matrix' difference to the encoder in few bits, whole numbers row by row and a scale a row, and the artefact of it.

Symmetric and uniform. In 4 bits the scale is a little smaller than the largest number of the row asks for, since one
outlier in 384 would make the steps coarse for all: for normal numbers 0.85 of it gives about the least square error.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from numpy.typing import NDArray
from torch import Tensor

from scoring.library import artefact
from scoring.library.artefact import HEAD, LEVELS, SCALE_UNIT

REACH = {8: 1.0, 4: 0.85}


def codes(difference: Tensor, bits: int) -> tuple[Tensor, Tensor]:
    """Whole numbers (rows, columns) as int8, and scales (rows) as float16 in units of SCALE_UNIT."""
    levels = LEVELS[bits]
    largest = difference.abs().amax(dim=1)
    # float16 has no more than three digits: what is rounded must be rounded by the scale as it is kept.
    scale = (largest * (REACH[bits] / levels / SCALE_UNIT)).to(torch.float16)
    # A row without a difference has the scale 0, and whatever stands for it is multiplied by 0.
    steps = torch.where(scale == 0, torch.ones_like(scale), scale).float() * SCALE_UNIT
    rounded = (difference / steps[:, None]).round().clamp(-levels, levels)
    return rounded.to(torch.int8), scale


def is_matrix(name: str, weight: Tensor) -> bool:
    """Whether it is kept in few bits: matrices of the encoder, and no part of the new head."""
    return weight.dim() == 2 and not name.startswith(HEAD)


@contextmanager
def as_carried(weights: Mapping[str, torch.nn.Parameter], encoder: Mapping[str, Tensor], bits: int) -> Iterator[None]:
    """The weights as the artefact will carry them, for one forward and backward pass; afterwards as they were.

    So the gradient is taken where the rounded model stands, and moves the exact weights ("straight through", Bengio et
    al. 2013, arXiv:1308.3432). `encoder` holds the values that differences are taken to.
    """
    exact = {}
    with torch.no_grad():
        for name, weight in weights.items():
            if is_matrix(name, weight):
                exact[name] = weight.detach().clone()
                rounded, scale = codes(weight - encoder[name], bits)
                weight.copy_(encoder[name] + rounded.float() * (scale.float() * SCALE_UNIT)[:, None])
    try:
        yield
    finally:
        with torch.no_grad():
            for name, value in exact.items():
                weights[name].copy_(value)


def write_artefact(
    path: Path, weights: Mapping[str, Tensor], encoder: Mapping[str, Tensor], *, bits: int, encoder_sha256: str
) -> str:
    """Write what the trained `weights` differ by from those of the `encoder`; the file's sha256."""
    parts: artefact.Arrays = {}
    with torch.no_grad():
        for name, weight in weights.items():
            if name.startswith(HEAD):
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
