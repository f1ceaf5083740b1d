"""Classifiers that were trained here: the most probable label of an item, with the probability of each.

The rules are numbered in docs/metrics.md, and the tests quote them. One or two texts are encoded as the classifier's
tokenizer joins them, in training and in scoring alike. Nothing is cut off unless a length is declared, and then only
the second text.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from annotation.tasktypes.contract import Labeled, LabelNumbers, Result, ScoreRequest, Unscored
from scoring.scorers.batches import by_length, split_scorable
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.networks.loaded import Loaded, load, provenance
from scoring.scorers.recipes import Pair, UnknownRecipe, recipe


@dataclass(frozen=True, slots=True)
class EncodedPair:
    """Token ids with separators; `types` tell the texts apart, if any; `cut`: tokens of the second text left out."""

    ids: tuple[int, ...]
    types: tuple[int, ...] | None = None
    cut: int = 0


def encoded_pair(loaded: Loaded, pair: Pair, *, max_length: int | None) -> EncodedPair | Unscored:
    """The tokens of a pair, cut to `max_length` where that is declared."""
    special = loaded.special_in(pair.first, pair.second or "")
    if special is not None:
        return special
    encoding = loaded.tokenizer(pair.first, pair.second)
    places: list[int | None] = encoding.sequence_ids()
    read = {0} if pair.second is None else {0, 1}
    if not read <= set(places):
        return Unscored("the text has no tokens for this model")
    limit = loaded.longest if max_length is None else min(max_length, loaded.longest)
    over = len(places) - limit
    if over <= 0:
        return _of(encoding)
    if max_length is None or over >= places.count(1):
        return Unscored(f"the text has {len(places)} tokens with start and end; the model reads at most {limit}")
    cut = loaded.tokenizer(pair.first, pair.second, truncation="only_second", max_length=limit)
    return _of(cut, cut=over)


def _of(encoding: Any, *, cut: int = 0) -> EncodedPair:
    types = encoding.get("token_type_ids")
    return EncodedPair(tuple(encoding["input_ids"]), None if types is None else tuple(types), cut)


def as_inputs(batch: Sequence[EncodedPair], device: torch.device) -> dict[str, torch.Tensor]:
    """What the model takes for pairs of one length: (rows, length) each."""
    inputs = {"input_ids": torch.tensor([pair.ids for pair in batch], device=device)}
    types = [pair.types for pair in batch if pair.types is not None]
    if types:
        inputs["token_type_ids"] = torch.tensor(types, device=device)
    inputs["attention_mask"] = torch.ones_like(inputs["input_ids"])
    return inputs


# Tokens in one forward pass: enough to keep the cores busy, few enough to stay in their caches.
BUDGET = 2048
# Items whose tokens are in memory at a time.
WINDOW = 512


class ClassifierScorer:
    """`spec.settings` names the recipe, its version and the declared length, as training wrote them down."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.spec = spec
        try:
            self.recipe = recipe(spec.settings["recipe"])
        except (KeyError, UnknownRecipe) as error:
            raise ModelError(f"{spec.source} does not say what it reads of an item ({error})") from error
        if spec.settings["recipe_version"] != self.recipe.version:
            raise ModelError(
                f"{spec.source} was trained with version {spec.settings['recipe_version']} of {self.recipe.key}, "
                f"but the current version is {self.recipe.version}; train it again"
            )
        self.max_length: int | None = spec.settings.get("max_length")
        self.loaded = load(spec)
        names: dict[int, str] = self.loaded.model.config.id2label
        self.labels = tuple(names[place] for place in range(len(names)))

    def provenance(self) -> dict[str, Any]:
        return provenance(self.loaded, self.spec) | {
            "recipe": self.recipe.key,
            "recipe_version": self.recipe.version,
            "max_length": self.max_length,
            "labels": list(self.labels),
            "computed": "pairs of exactly one length together",
        }

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        results: dict[int, Result] = {}
        for start in range(0, len(requests), WINDOW):
            pairs, refused = split_scorable(enumerate(requests[start : start + WINDOW], start), self._prepared)
            results |= refused
            results |= self._labeled(pairs)
        return [results[number] for number in range(len(requests))]

    def _prepared(self, request: ScoreRequest) -> EncodedPair | Unscored:
        if not isinstance(request, Labeled):
            return Unscored("a classifier gives labels, not probabilities")
        # One that learned without a label does not know it, and gives it to no item.
        if not set(self.labels) <= set(request.labels):
            mine, theirs = ", ".join(self.labels), ", ".join(request.labels)
            return Unscored(f"this classifier knows the labels {mine}, but the item has {theirs}")
        pair = self.recipe.read(request)
        return pair if isinstance(pair, Unscored) else encoded_pair(self.loaded, pair, max_length=self.max_length)

    def _labeled(self, pairs: Mapping[int, EncodedPair]) -> Iterator[tuple[int, Result]]:
        for numbers in by_length([(number, pair.ids) for number, pair in pairs.items()], budget=BUDGET):
            batch = [pairs[number] for number in numbers]
            with torch.inference_mode():
                logits = self.loaded.model(**as_inputs(batch, self.loaded.device)).logits
            shares = logits.double().softmax(dim=-1).tolist()
            for number, pair, row in zip(numbers, batch, shares, strict=True):
                yield number, self._answer(dict(zip(self.labels, row, strict=True)), pair.cut)

    def _answer(self, shares: Mapping[str, float], cut: int) -> Result:
        if not all(map(math.isfinite, shares.values())):
            return Unscored("the model returned a number that is not finite")
        best = max(shares.values())
        winners = [label for label, share in shares.items() if share == best]
        if len(winners) > 1:
            return Unscored(f"{' and '.join(winners)} are equally probable")
        note = f"the last {cut} tokens of the second text were cut off" if cut else ""
        return LabelNumbers(winners[0], shares, note)
