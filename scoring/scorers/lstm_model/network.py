"""The network: word vectors, LSTM layers, and the same vectors again to predict the next word.

Layers as in Zaremba et al. 2014, with one dropout mask for all of a text (Gal and Ghahramani 2016); output vectors
tied to the input's (Press and Wolf 2017, Inan et al. 2017); the vocabulary in parts by frequency (Grave et al. 2017),
of which each has the full size here, so that it can be tied.
"""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional


@dataclass(frozen=True, kw_only=True)
class Shape:
    """`cutoffs` are places in the vocabulary, rising; those behind its end do not count."""

    vocabulary: int
    size: int
    layers: int
    cutoffs: tuple[int, ...] = ()

    @property
    def edges(self) -> list[int]:
        """Where each part of the vocabulary begins, and where the last one ends."""
        return [0, *(cut for cut in self.cutoffs if cut < self.vocabulary), self.vocabulary]

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"cutoffs": list(self.cutoffs)}

    @classmethod
    def of_json(cls, shape: Mapping[str, Any]) -> "Shape":
        return cls(**{**shape, "cutoffs": tuple(shape["cutoffs"])})


class Network(nn.Module):
    def __init__(self, shape: Shape) -> None:
        super().__init__()
        self.shape = shape
        self.vectors = nn.Parameter(torch.empty(shape.vocabulary, shape.size).uniform_(-0.1, 0.1))
        self.layers = nn.ModuleList(nn.LSTM(shape.size, shape.size, batch_first=True) for _ in range(shape.layers))
        self.bias = nn.Parameter(torch.zeros(shape.vocabulary))
        # One for each part of the vocabulary but the first: that the word is in it.
        parts = len(shape.edges) - 2
        self.part_vectors = nn.Parameter(torch.empty(parts, shape.size).uniform_(-0.1, 0.1))
        self.part_bias = nn.Parameter(torch.zeros(parts))

    def forward(self, inputs: Tensor, *, dropout: float = 0.0) -> Tensor:
        """The state after each word (rows, length, size), from a state of zeros; `inputs` are (rows, length)."""
        states = _dropped(functional.embedding(inputs, self.vectors), dropout)
        for layer in self.layers:
            states = _dropped(layer(states)[0], dropout)
        return states

    def logprobs(self, states: Tensor, targets: Tensor, *, exact: bool = False) -> Tensor:
        """Natural-log probability of `targets` (n) after `states` (n, size); with `exact` as float64 (n).

        log P(word) is log P(word) in the first part, and log P(part) + log P(word | part) in the others.
        """
        dtype = torch.float64 if exact else torch.float32
        edges = self.shape.edges
        first = edges[1]
        weights = torch.cat([self.vectors[:first], self.part_vectors])
        bias = torch.cat([self.bias[:first], self.part_bias])
        heads = functional.log_softmax(states @ weights.T + bias, dim=-1, dtype=dtype)
        part = torch.bucketize(targets, torch.tensor(edges[1:-1], device=targets.device), right=True)
        found = heads.gather(-1, torch.where(part == 0, targets, first + part - 1)[:, None])[:, 0]
        for number, (start, end) in enumerate(pairwise(edges[1:]), start=1):
            [rows] = (part == number).nonzero(as_tuple=True)
            if len(rows):
                scores = states[rows] @ self.vectors[start:end].T + self.bias[start:end]
                within = functional.log_softmax(scores, dim=-1, dtype=dtype)
                found = found.index_add(0, rows, within.gather(-1, (targets[rows] - start)[:, None])[:, 0])
        return found


def _dropped(states: Tensor, share: float) -> Tensor:
    """The states with whole units left out, the same ones all along a text."""
    if not share:
        return states
    rows, _, size = states.shape
    mask = torch.empty(rows, 1, size, device=states.device).bernoulli_(1 - share)
    return states * mask / (1 - share)
