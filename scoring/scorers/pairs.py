"""One or two texts as a classifier's tokenizer joins them, or the reason why the model cannot read them.

Training and scoring encode alike. Nothing is cut off unless a length is declared, and then only the second text.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import torch

from annotation.tasktypes.contract import Unscored
from scoring.scorers.networks.loaded import Loaded
from scoring.scorers.recipes import Pair


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
