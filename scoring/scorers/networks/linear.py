"""The linear layers of a model, found and replaced by others that do the same work in another way."""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from transformers.pytorch_utils import Conv1D

# Of weights (out, in) and a bias (out) or none.
Make = Callable[[Tensor, Tensor | None], torch.nn.Module]


def replace(model: Any, make: Make, *, but: torch.nn.Module | None = None) -> int:
    """Put `make(weight, bias)` in the place of every linear layer but one; how many were replaced."""
    done = 0
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            found = None if child is but else _affine(child)
            if found is not None:
                setattr(parent, name, make(*found))
                done += 1
    return done


def _affine(layer: torch.nn.Module) -> tuple[Tensor, Tensor | None] | None:
    """Weight, as torch.nn.Linear has it, and bias; None for other kinds. Classes derived from Linear are left alone."""
    # Not isinstance: such classes have their weights read from outside (torch.nn.MultiheadAttention).
    if type(layer) is torch.nn.Linear:
        return layer.weight.detach(), None if layer.bias is None else layer.bias.detach()
    if isinstance(layer, Conv1D):
        # GPT-2's linear layer, whose weight is (in, out).
        return layer.weight.detach().t().contiguous(), layer.bias.detach()
    return None
