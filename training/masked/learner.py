"""The model under training and its optimizer: one step at a time, each decided by its number and the seed; and how its
weights are carried: a matrix' difference to the encoder in few bits, whole numbers row by row and a scale a row.

Rounding is symmetric and uniform. In 4 bits the scale is a little smaller than the largest number of the row asks for,
since one outlier in 384 would make the steps coarse for all: for normal numbers 0.85 of it gives about the least square
error.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from scoring.library import artefact
from scoring.library.artefact import HEAD, LEVELS, SCALE_UNIT
from training.masked.batches import Batch, for_training, hidden_in
from training.masked.judging import Judged, judge
from training.masked.network import loss, trained, with_new_head
from training.masked.reading import Corpus, Vocabulary
from training.masked.settings import BITS, WORDS, Settings

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
    array: NDArray[Any] = tensor.detach().cpu().contiguous().numpy()
    return array


BETAS, EPSILON, LONGEST_GRADIENT = (0.9, 0.98), 1e-6, 1.0


class Learner:
    """`weights` are those that training changes, `encoder` the same as they were before it."""

    def __init__(
        self, encoder: Path, corpus: Corpus, vocabulary: Vocabulary, settings: Settings, *, device: str, words: int
    ) -> None:
        self.corpus, self.vocabulary, self.settings, self.device = corpus, vocabulary, settings, device
        counts = np.bincount(corpus.ids, minlength=words)
        self.model = with_new_head(encoder, seed=settings.seed, counts=counts).to(device)
        self.weights = trained(self.model, settings.train)
        self.encoder = {name: weight.detach().clone() for name, weight in self.weights.items()}
        self.optimizer = _optimizer(self.weights, settings)

    def step(self, batches: Sequence[Batch], *, number: int, rate: float, is_cooling: bool) -> torch.Tensor:
        """One optimizer step; the mean loss over its hidden places, in nats, still on the device."""
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        share = self.settings.masked
        places = sum(len(batch.begins) * hidden_in(batch.length, share) for batch in batches)
        self.optimizer.zero_grad(set_to_none=True)
        total = torch.zeros((), device=self.device)
        with self._rounding() if is_cooling else nullcontext():
            for place, batch in enumerate(batches):
                rows = batch.ids(self.corpus)
                masked = for_training(
                    rows,
                    self.vocabulary,
                    seed=self.settings.seed,
                    step=number,
                    batch=place,
                    share=share,
                    words=self.settings.hides == WORDS,
                )
                with self._numbers():
                    mean = loss(self.model, masked) / places
                mean.backward()  # type: ignore[no-untyped-call]
                total += mean.detach()
        torch.nn.utils.clip_grad_norm_(list(self.weights.values()), LONGEST_GRADIENT)
        self.optimizer.step()
        return total

    def judge(self, model: Any = None) -> Judged:
        """How good the model is on held-out text, in float32; or another in its place."""
        return judge(model or self.model, self.corpus.held_out, self.vocabulary)

    def _rounding(self) -> AbstractContextManager[None]:
        """4 bits are coarse enough to be learned with; 8 bits are not noticed."""
        bits = BITS[self.settings.train]
        return as_carried(self.weights, self.encoder, bits) if bits == 4 else nullcontext()

    def _numbers(self) -> AbstractContextManager[Any]:
        is_coarse = self.settings.numbers == "bfloat16"
        return torch.autocast(self.device, dtype=torch.bfloat16) if is_coarse else nullcontext()


def _optimizer(weights: dict[str, torch.nn.Parameter], settings: Settings) -> torch.optim.AdamW:
    """AdamW, which makes the layers' matrices smaller and leaves norms, biases and embeddings alone.

    A word or a place that the text does not have would otherwise shrink all along.
    """
    decaying = [one for name, one in weights.items() if one.dim() > 1 and ".embeddings." not in name]
    others = [one for name, one in weights.items() if one.dim() < 2 or ".embeddings." in name]
    groups = [
        {"params": decaying, "weight_decay": settings.weight_decay},
        {"params": others, "weight_decay": 0.0},
    ]
    return torch.optim.AdamW(groups, lr=settings.rate, betas=BETAS, eps=EPSILON)
