"""An LSTM's network, and the folder of a finished one: `model.safetensors`, `vocab.json`, `card.json`, `timing.json`.

Word vectors, LSTM layers, and the same vectors again to predict the next word. Layers as in Zaremba et al. 2014, with
one dropout mask for all of a text (Gal and Ghahramani 2016); output vectors tied to the input's (Press and Wolf 2017,
Inan et al. 2017); the vocabulary in parts by frequency (Grave et al. 2017), of which each has the full size here, so
that it can be tied.

The header of the weights says the network's shape and the sha256 of the vocabulary, so that one hash, that of the
weights' file, stands for everything that decides a score. The card is for people; what took how long is in a file of
its own, because it is never the same twice.
"""

import json
import shutil
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from corpus.provenance import sha256
from corpus.whole import whole_folder
from scoring.library.conversion import let_read
from scoring.scorers.lstm_model.vocabulary import Vocabulary, VocabularyError
from scoring.scorers.networks.tensor_file import CheckpointError, read_whole, write_whole


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
        logprobs = heads.gather(-1, torch.where(part == 0, targets, first + part - 1)[:, None])[:, 0]
        for number, (start, end) in enumerate(pairwise(edges[1:]), start=1):
            [rows] = (part == number).nonzero(as_tuple=True)
            if len(rows):
                scores = states[rows] @ self.vectors[start:end].T + self.bias[start:end]
                within = functional.log_softmax(scores, dim=-1, dtype=dtype)
                logprobs = logprobs.index_add(0, rows, within.gather(-1, (targets[rows] - start)[:, None])[:, 0])
        return logprobs


def _dropped(states: Tensor, share: float) -> Tensor:
    """The states with whole units left out, the same ones all along a text."""
    if not share:
        return states
    rows, _, size = states.shape
    mask = torch.empty(rows, 1, size, device=states.device).bernoulli_(1 - share)
    return states * mask / (1 - share)


WEIGHTS, VOCABULARY, CARD, TIMING = "model.safetensors", "vocab.json", "card.json", "timing.json"
KIND = "parallax lstm 1"
# What of a card is read again: in a run's provenance, and to know the same request.
ON_CARD = ("sources", "reading", "counts", "settings", "steps", "words_trained_on", "heldout", "weights_sha256")


class FolderError(ValueError):
    """A folder that holds no such model, or not the one that was registered. str() says what is wrong."""


@dataclass(frozen=True)
class Model:
    """A network in evaluation mode on the CPU, with the words that it knows."""

    network: Network
    vocabulary: Vocabulary
    weights_hash: str
    vocabulary_hash: str

    @property
    def files(self) -> dict[str, str]:
        """The sha256 of every file that decides what it answers."""
        return {WEIGHTS: self.weights_hash, VOCABULARY: self.vocabulary_hash}


def write_model(
    folder: Path,
    *,
    shape: Shape,
    weights: Mapping[str, Tensor],
    vocabulary: Vocabulary,
    card: Mapping[str, Any],
    timing: Mapping[str, Any],
) -> str:
    """Put the folder in place, all of it or nothing; the sha256 of its weights. FolderError if it is there already."""
    if folder.exists():
        raise FolderError(f"{folder} already exists")
    with whole_folder(folder) as staging:
        vocabulary.write(staging / VOCABULARY)
        about = {"kind": KIND, "shape": shape.as_json(), "vocabulary_sha256": sha256(staging / VOCABULARY)}
        write_whole(staging / WEIGHTS, weights, about)
        digest = sha256(staging / WEIGHTS)
        _write_json(staging / CARD, {**card, "weights_sha256": digest, "vocabulary_sha256": about["vocabulary_sha256"]})
        _write_json(staging / TIMING, timing)
        let_read(staging)
    return digest


def read_model(folder: Path, weights_hash: str = "") -> Model:
    """The model in the folder, checked against the hash it was registered with, if one is given.

    FolderError if a file is missing, torn, of another kind, or no longer what it was.
    """
    weights, words = folder / WEIGHTS, folder / VOCABULARY
    try:
        sha = sha256(weights)
        if weights_hash and sha != weights_hash:
            raise FolderError(f"the weights in {folder} are not those that were registered (sha256 {sha[:12]}…)")
        tensors, about = read_whole(weights)
        if about.get("kind") != KIND:
            raise FolderError(f"{weights} holds no LSTM of this kind ({about.get('kind')!r}, not {KIND!r})")
        if sha256(words) != about["vocabulary_sha256"]:
            raise FolderError(f"{words} is not the vocabulary that these weights were trained with")
        vocabulary = Vocabulary.read(words)
        network = _network(Shape.of_json(about["shape"]), tensors)
    except (OSError, CheckpointError, VocabularyError, KeyError, TypeError, RuntimeError) as error:
        raise FolderError(f"{folder} holds no LSTM that can be used: {error}") from error
    if network.shape.vocabulary != len(vocabulary):
        raise FolderError(f"{folder}: the weights know {network.shape.vocabulary} words, the file {len(vocabulary)}")
    return Model(network, vocabulary, sha, about["vocabulary_sha256"])


def read_card(folder: Path) -> dict[str, Any]:
    """What the model's card says. FolderError if there is none, or one that lacks something."""
    try:
        card: dict[str, Any] = json.loads((folder / CARD).read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise FolderError(f"{folder / CARD} is no card ({type(error).__name__}: {error})") from error
    missing = [name for name in ON_CARD if not isinstance(card, dict) or name not in card]
    if missing:
        raise FolderError(f"{folder / CARD} is no card of an LSTM: it lacks {', '.join(missing)}")
    return card


def copy_model(source: Path, folder: Path) -> None:
    """Take a model that was trained elsewhere, all of it or nothing. FolderError if it cannot be used."""
    if folder.exists():
        raise FolderError(f"{folder} already exists")
    with whole_folder(folder) as staging:
        try:
            for name in (WEIGHTS, VOCABULARY, CARD, TIMING):
                shutil.copyfile(source / name, staging / name)
        except OSError as error:
            raise FolderError(f"{source} is no finished model: {error.strerror} ({error.filename})") from error
        model, card = read_model(staging), read_card(staging)
        if card["weights_sha256"] != model.weights_hash:
            raise FolderError(f"{source / CARD} is the card of other weights")


def _network(shape: Shape, tensors: Mapping[str, Tensor]) -> Network:
    # Without memory of its own until the weights are there: nothing is drawn at random.
    with torch.device("meta"):
        network = Network(shape)
    network.load_state_dict(dict(tensors), strict=True, assign=True)
    return network.eval()


def _write_json(path: Path, content: Mapping[str, Any]) -> None:
    path.write_text(json.dumps(content, ensure_ascii=False, indent=2) + "\n", encoding="utf-8", newline="\n")
