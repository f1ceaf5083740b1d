"""The model under training and its optimizer: one step at a time, each decided by its number and the seed."""

from collections.abc import Sequence
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import torch

from training.masked.batches import Batch, for_training, hidden_in
from training.masked.judging import Judged, judge
from training.masked.network import loss, trained, with_new_head
from training.masked.reading import Corpus, Vocabulary
from training.masked.rounding import as_carried
from training.masked.settings import BITS, WORDS, Settings

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
