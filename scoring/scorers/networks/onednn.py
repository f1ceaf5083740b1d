"""float32 products on the CPU by oneDNN, whose weights are laid out once for the processor's caches.

torch.nn.Linear lays them out anew in every product, and leaves it to a library that knows some makers' processors
better than others. The numbers are those of torch.nn.Linear but for the order in which float32 sums are taken.
"""

from typing import Any

import torch
from torch import Tensor

from scoring.scorers.networks.linear import replace

# Rows to a product, for which the layout is chosen; others are computed as well.
ROWS = 1024
NAME = "linear layers by oneDNN"


class PackedLinear(torch.nn.Module):
    """A linear layer whose weight (out, in) is laid out for oneDNN."""

    bias: Tensor | None

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.out_features, self.in_features = weight.shape
        # Not a buffer: the layout is this processor's own, and nothing else can read it.
        self.packed = torch.ops.mkldnn._reorder_linear_weight(weight.contiguous(), ROWS)
        self.register_buffer("bias", bias)

    def forward(self, states: Tensor) -> Tensor:
        product: Tensor = torch.ops.mkldnn._linear_pointwise(states, self.packed, self.bias, "none", [], "")
        return product


def pack(model: Any) -> str:
    """Replace the linear layers of a float32 model on the CPU, if torch has oneDNN here; what was done, in words."""
    if not torch.backends.mkldnn.is_available():  # type: ignore[no-untyped-call]
        return ""
    return NAME if replace(model, PackedLinear) else ""
