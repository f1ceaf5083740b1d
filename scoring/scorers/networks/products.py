"""Products on the CPU: a model's linear layers, replaced by others that do the same work in int8 or by oneDNN.

int8 products on the CPU: every token by a scale of its own, so that no score depends on its neighbors.

Weights are rounded once, row by row; what goes into a layer is rounded token by token as it comes, both symmetrically
to -127..127 (Yao et al. 2022, ZeroQuant, arXiv:2206.01861, section 4.1; vector-wise scales in Dettmers et al. 2022,
arXiv:2208.07339, section 3.1). The sums are whole numbers and exact. torch's own dynamic quantization takes one scale
for a whole batch, and a sentence would score otherwise among others.

float32 products on the CPU by oneDNN, whose weights are laid out once for the processor's caches.

torch.nn.Linear lays them out anew in every product, and leaves it to a library that knows some makers' processors
better than others. The numbers are those of torch.nn.Linear but for the order in which float32 sums are taken.
"""

from collections.abc import Callable
from typing import Any

import torch
from torch import Tensor
from transformers.pytorch_utils import Conv1D

from scoring.scorers.contract import ModelError

# Of weights (out, in) and a bias (out) or none.
Make = Callable[[Tensor, Tensor | None], torch.nn.Module]


def replace(model: Any, make: Make, *, but: torch.nn.Module | None = None) -> int:
    """Put `make(weight, bias)` in the place of every linear layer but one; how many were replaced."""
    count = 0
    for parent in list(model.modules()):
        for name, child in list(parent.named_children()):
            affine = None if child is but else _affine(child)
            if affine is not None:
                setattr(parent, name, make(*affine))
                count += 1
    return count


def _affine(layer: torch.nn.Module) -> tuple[Tensor, Tensor | None] | None:
    """Weight, as torch.nn.Linear has it, and bias; None for other kinds. Classes derived from Linear are left alone."""
    # Not isinstance: such classes have their weights read from outside (torch.nn.MultiheadAttention).
    if type(layer) is torch.nn.Linear:
        return layer.weight.detach(), None if layer.bias is None else layer.bias.detach()
    if isinstance(layer, Conv1D):
        # GPT-2's linear layer, whose weight is (in, out).
        return layer.weight.detach().t().contiguous(), layer.bias.detach()
    return None


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


MOST = 127
# For a row of zeros, whose scale would be 0.
LEAST = torch.finfo(torch.float32).tiny * MOST


class Int8Linear(torch.nn.Module):
    """A linear layer over int8: `weight` is (out, in), as torch.nn.Linear has it."""

    codes: Tensor
    scale: Tensor
    bias: Tensor | None

    def __init__(self, weight: Tensor, bias: Tensor | None) -> None:
        super().__init__()
        self.out_features, self.in_features = weight.shape
        codes, scale = rounded(weight)
        self.register_buffer("codes", codes)
        self.register_buffer("scale", scale[:, 0])
        self.register_buffer("bias", bias)

    def forward(self, states: Tensor) -> Tensor:
        codes, scale = rounded(states.reshape(-1, self.in_features))
        product = torch._int_mm(codes, self.codes.t()).float().mul_(scale).mul_(self.scale)
        if self.bias is not None:
            product.add_(self.bias)
        return product.view(*states.shape[:-1], self.out_features)


def rounded(rows: Tensor) -> tuple[Tensor, Tensor]:
    """Each row as whole numbers from -127 to 127, and the scale (rows, 1) that takes them back."""
    scale = rows.abs().amax(dim=1, keepdim=True).clamp_min_(LEAST).div_(MOST)
    return (rows / scale).round_().to(torch.int8), scale


def quantize(model: Any) -> str:
    """Replace the linear layers of a float32 model in place; what was done, in words for provenance.

    The layer that gives the scores over the vocabulary stays as it is: it often is the table of the words' vectors as
    well, and its rounding would go straight into every probability. ModelError where nothing can be replaced.
    """
    _require_exact_products()
    count = replace(model, Int8Linear, but=model.get_output_embeddings())
    if not count:
        raise ModelError("int8: this model has no linear layers to round; use float32")
    return f"int8 products in {count} linear layers, activations scaled token by token; the rest in float32"


def require_runs(model: Any) -> None:
    """ModelError for models whose own code takes a layer's weights out of it, as Mamba's does."""
    try:
        with torch.inference_mode():
            model(input_ids=torch.zeros(1, 3, dtype=torch.long))
    except AttributeError as error:
        raise ModelError(
            f"int8: the code of {type(model).__name__} looks into its linear layers, so they cannot be rounded; "
            "use float32"
        ) from error


def holds_int8(model: Any) -> bool:
    """Whether a model has been quantized here."""
    return any(isinstance(layer, Int8Linear) for layer in model.modules())


def _require_exact_products() -> None:
    """Processors without int8 products of their own may add up in 16 bits, where large sums are cut off."""
    largest = torch.full((32, 64), MOST, dtype=torch.int8)
    if not torch.equal(torch._int_mm(largest, -largest.t()), torch.full((32, 32), -64 * MOST**2, dtype=torch.int32)):
        raise ModelError("int8: this processor does not multiply int8 exactly; use float32 or bfloat16")
