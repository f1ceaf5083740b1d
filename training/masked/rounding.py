"""A matrix' difference to the encoder in few bits: whole numbers row by row, and a scale a row.

Symmetric and uniform. In 4 bits the scale is a little smaller than the largest number of the row asks for, since one
outlier in 384 would make the steps coarse for all: for normal numbers 0.85 of it gives about the least square error.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import torch
from torch import Tensor

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
