"""How many tokens one forward pass takes: few on a processor, whose caches are small; on a GPU what it holds."""

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any, TypeVar

import numpy as np
import torch
from torch import Tensor

from scoring.scorers.contract import ModelError

Row = TypeVar("Row")

DEVICES = ("cuda", "cpu")
# A GPU begins with so many tokens a pass and doubles them, up to the most, after which it is no faster.
FIRST_ON_GPU, MOST_ON_GPU = 16_384, 131_072
# A pass of twice the tokens needs about twice the memory, and the allocator some more.
SHARE = 0.4
# So many times as many texts are in memory on a GPU, so that its batches of one length are large as well.
TEXTS_ON_GPU = 8


def best_device() -> torch.device:
    """SCORING_DEVICE, or else a GPU where torch finds one. ModelError for one that is not here."""
    device = os.environ.get("SCORING_DEVICE") or ("cuda" if torch.cuda.is_available() else "cpu")
    if device not in DEVICES:
        raise ModelError(f"SCORING_DEVICE is {device!r}, but it can be {' or '.join(DEVICES)}")
    if device == "cuda" and not torch.cuda.is_available():
        raise ModelError("SCORING_DEVICE is 'cuda', but torch finds no GPU here")
    # cuDNN's attention is built anew for every number of texts and every length, which takes longer than it saves.
    torch.backends.cuda.enable_cudnn_sdp(False)
    return torch.device(device)


@dataclass
class Room:
    """Tokens to a forward pass on `device`, `on_cpu` on a processor. On a GPU they grow and shrink as it holds them."""

    device: torch.device
    on_cpu: int
    tokens: int = 0
    most: int = MOST_ON_GPU

    def __post_init__(self) -> None:
        self.tokens = FIRST_ON_GPU if self.is_gpu else self.on_cpu

    @property
    def is_gpu(self) -> bool:
        return self.device.type == "cuda"

    def texts(self, on_cpu: int) -> int:
        """How many texts are in memory at a time."""
        return on_cpu * TEXTS_ON_GPU if self.is_gpu else on_cpu

    def provenance(self) -> dict[str, Any]:
        if not self.is_gpu:
            return {}
        return {"gpu": torch.cuda.get_device_name(self.device), "tokens_per_pass": self.tokens}

    def passes(
        self, batches: Iterable[list[Row]], forward: Callable[[list[Row]], Tensor]
    ) -> Iterator[tuple[list[Row], Tensor]]:
        """What `forward` gives for each batch, row by row. While one is read, a GPU is at work on the next."""
        waiting: tuple[list[Row], Tensor] | None = None
        for batch in batches:
            launched = batch, self._held(batch, forward, self.tokens)
            if waiting is not None:
                yield waiting
            waiting = launched
        if waiting is not None:
            yield waiting

    def _held(self, batch: list[Row], forward: Callable[[list[Row]], Tensor], tokens: int) -> Tensor:
        """One pass of so many tokens, or as many passes as the memory asks for."""
        try:
            answer = forward(batch)
        except torch.OutOfMemoryError as error:
            if len(batch) == 1:
                # Of this text alone: others may be shorter.
                raise RuntimeError("the GPU's memory does not hold a text of this length with this model") from error
        else:
            self._grow()
            return answer
        # Outside the except clause, whose error keeps what the failed pass had taken.
        torch.cuda.empty_cache()
        self.tokens = self.most = max(1, min(self.tokens, tokens // 2))
        half = len(batch) // 2
        return torch.cat([self._held(part, forward, tokens // 2) for part in (batch[:half], batch[half:])])

    def _grow(self) -> None:
        if self.is_gpu and self.tokens < self.most:
            # Of what other processes leave, to which counts what this one keeps for later.
            free, _ = torch.cuda.mem_get_info(self.device)
            available = free + torch.cuda.memory_reserved(self.device)
            if torch.cuda.max_memory_allocated(self.device) < SHARE * available:
                self.tokens = min(2 * self.tokens, self.most)

    def tensor(self, numbers: Sequence[int]) -> Tensor:
        """Whole numbers on the device, brought there without waiting for what it is at."""
        return self._sent(torch.from_numpy(np.fromiter(numbers, dtype=np.int64, count=len(numbers))))

    def table(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """Rows of one length as (rows, length)."""
        size = len(rows) * len(rows[0])
        flat = np.fromiter(chain.from_iterable(rows), dtype=np.int64, count=size)
        return self._sent(torch.from_numpy(flat.reshape(len(rows), -1)))

    def _sent(self, numbers: Tensor) -> Tensor:
        return numbers.pin_memory().to(self.device, non_blocking=True) if self.is_gpu else numbers.to(self.device)
