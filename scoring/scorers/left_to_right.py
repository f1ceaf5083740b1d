"""A causal model left to right: log-probabilities of every token after the first, shared beginnings computed once.

Texts that begin alike are one row of tokens: the beginning once, then what is left of each. No part that follows the
beginning sees another one, so that each text has the numbers it has alone (the tree attention of speculative decoding:
Miao et al. 2024, arXiv:2305.09781).
"""

import inspect
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch import Tensor
from transformers.cache_utils import DynamicLayer, DynamicSlidingWindowLayer

from scoring.scorers.batches import by_length, nearly_by_length
from scoring.scorers.networks.products import holds_int8
from scoring.scorers.networks.room import Room

# A shorter beginning is not worth a pass of its own.
WORTH_SHARING = 4


@dataclass(frozen=True, slots=True)
class TokenRow:
    """One text's tokens, the start token first."""

    request: int
    ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Family:
    """Rows that have their first `shared` tokens in common. At least one token of each is left over."""

    shared: int
    rows: tuple[TokenRow, ...]

    @property
    def prefix(self) -> tuple[int, ...]:
        return self.rows[0].ids[: self.shared]

    @property
    def rests(self) -> list[tuple[int, ...]]:
        return [row.ids[self.shared :] for row in self.rows]


def families(rows: Sequence[TokenRow]) -> Iterator[Family]:
    """The rows in order, neighbors that begin alike together: an item's options stand side by side.

    A row that shares less with its neighbors than WORTH_SHARING tokens, or than half of what they share among
    themselves, begins a family of its own; alone it has nothing to share.
    """
    together: list[TokenRow] = []
    shared = 0
    for row in rows:
        common = min(_common(together[0].ids, row.ids) if together else 0, shared or len(row.ids))
        if together and common >= max(WORTH_SHARING, shared / 2):
            together.append(row)
            shared = common
            continue
        if together:
            yield _family(together, shared)
        together, shared = [row], 0
    if together:
        yield _family(together, shared)


def _family(rows: list[TokenRow], shared: int) -> Family:
    return Family(shared if len(rows) > 1 else 0, tuple(rows))


def _common(one: Sequence[int], other: Sequence[int]) -> int:
    """How many first tokens are the same, leaving at least one of each."""
    most = min(len(one), len(other)) - 1
    return next((place for place in range(most) if one[place] != other[place]), most)


def log_probabilities(logits: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
    """Natural-log probability of `tokens` (…) under `logits` (…, vocabulary), as float64 (…).

    The greatest score is taken off before anything is rounded to the size of the logits, and the logarithm is
    taken in float64. A float32 log-softmax is off by about 1e-5 a token, which a sentence of a dozen tokens
    turns into more than the 1e-4 that we promise to agree to. The sum over the vocabulary may stay float32: torch
    adds up in a cascade, whose error (1e-7 of the sum) the logarithm turns into 1e-7.
    """
    shifted = logits - logits.amax(dim=-1, keepdim=True)
    chosen = shifted.gather(-1, tokens.unsqueeze(-1)).squeeze(-1).double()
    return chosen - shifted.exp_().sum(dim=-1).double().log()


# The branch of what all rows share; the rests are numbered from the next.
TRUNK = 0

# Whose vocabulary scores are one product of the last hidden state, so that they can be had where they are read, and
# which take the places of their tokens and who may see whom from outside.
PLAIN = ("gpt2", "gptj", "gpt_neox", "llama", "mistral", "qwen2", "qwen3", "smollm3")
# Tokens in one forward pass: enough to keep the cores busy, few enough to stay in their caches.
BUDGET = 512
# Places whose scores over the vocabulary are in memory at a time: 256 × 50,000 × 4 bytes is 50 MB.
AT_ONCE = 256
# Layers that keep keys and values place by place; each as the model's settings call it, and as its cache does.
ATTENTION = {"full_attention", "sliding_attention"}
KEEPING = (DynamicLayer, DynamicSlidingWindowLayer)
WHERE_READ, OWN_PASS = "vocabulary where it is read", "the model's own forward pass"


@dataclass(frozen=True, slots=True)
class Pack:
    """A family as one row. The last token of each rest is only asked for, so it is not among `ids`.

    `positions` and `branches` belong to `ids`; `reads` are (place in `ids`, token asked for after it), first those of
    the shared beginning, then those of each rest.
    """

    family: Family
    ids: tuple[int, ...]
    positions: tuple[int, ...]
    branches: tuple[int, ...]
    reads: tuple[tuple[int, int], ...]

    @property
    def is_plain(self) -> bool:
        """One text, as it stands."""
        return not self.family.shared

    def by_row(self, values: Sequence[float]) -> Iterator[tuple[TokenRow, list[float]]]:
        """The values of `reads` as values of every token of each row after its first."""
        shared = self.family.shared
        start = max(0, shared - 1)
        common = list(values[:start])
        for row in self.family.rows:
            end = start + len(row.ids) - max(1, shared)
            yield row, [*common, *values[start:end]]
            start = end


def packed(family: Family) -> Pack:
    """The family in one row of at most `shared` and all the rests' tokens."""
    shared = family.shared
    ids, branches = list(family.prefix), [TRUNK] * shared
    positions = list(range(shared))
    reads = [(place, ids[place + 1]) for place in range(shared - 1)]
    for branch, rest in enumerate(family.rests, start=TRUNK + 1):
        start = len(ids)
        ids += rest[:-1]
        positions += range(shared, shared + len(rest) - 1)
        branches += [branch] * (len(rest) - 1)
        # The first token is asked for where the beginning ends; a text that shares nothing begins with it.
        first = [(shared - 1, rest[0])] if shared else []
        reads += first + [(start + before, token) for before, token in enumerate(rest[1:])]
    return Pack(family, tuple(ids), tuple(positions), tuple(branches), tuple(reads))


def pieces(family: Family, *, budget: int) -> Iterator[Family]:
    """The family in parts of at most `budget` tokens, or of one row."""
    rows: list[TokenRow] = []
    tokens = family.shared
    for row in family.rows:
        rest = len(row.ids) - family.shared
        if rows and tokens + rest > budget:
            yield _part(family, rows)
            rows, tokens = [], family.shared
        rows.append(row)
        tokens += rest
    yield _part(family, rows)


def _part(family: Family, rows: Sequence[TokenRow]) -> Family:
    return Family(family.shared if len(rows) > 1 else 0, tuple(rows))


class Reader:
    def __init__(self, model: Any, device: torch.device) -> None:
        self.model = model
        self.device = device
        self.room = Room(device, on_cpu=BUDGET)
        # A step of int8 may hang on the last digit of a float, and that on the length of the row and what it shares.
        self.is_coarse = holds_int8(model)
        self.separate = model.config.model_type in PLAIN
        # Attention that forgets what is farther back than this would need a mask of its own.
        self.window: int = getattr(model.config, "sliding_window", None) or BUDGET
        self.name = f"shared beginnings once, {WHERE_READ}" if self.separate else OWN_PASS
        if self.is_coarse:
            self.name = "each text by itself, rows of exactly one length together"

    @cached_property
    def keeps_beginnings(self) -> bool:
        """Whether what the model made of a beginning can be given to it again: keys and values, place by place.

        State-space models (Mamba, RWKV) keep one state of all that they have read, in ways of their own, and hybrids
        (LFM2, Qwen3-Next) do in some of their layers. What a layer keeps is seen when it has read something.
        """
        stateful = getattr(self.model, "_is_stateful", False)
        if stateful or "past_key_values" not in inspect.signature(self.model.forward).parameters:
            return False
        kinds: Sequence[str] = getattr(self.model.config, "layer_types", None) or ()
        if not ATTENTION.issuperset(kinds):
            return False
        with torch.inference_mode():
            output = self._body(input_ids=torch.zeros(1, 1, dtype=torch.long, device=self.device), use_cache=True)
        layers: Sequence[object] = getattr(output.past_key_values, "layers", None) or ()
        # Not isinstance: what is derived from these may keep a state beside keys and values.
        return len(layers) > 0 and all(type(layer) in KEEPING for layer in layers)

    @property
    def name_of_ends(self) -> str:
        """How `ends` computes, as `name` says of `rows`."""
        if self.is_coarse:
            return "each text by itself"
        if not self.keeps_beginnings:
            return OWN_PASS
        return f"shared beginnings once, {WHERE_READ if self.separate else OWN_PASS}"

    def rows(self, rows: Sequence[TokenRow]) -> Iterator[tuple[TokenRow, list[float]]]:
        """Every row once, in any order, with the log-probability of each of its tokens after the first."""
        shares = self.separate and not self.is_coarse
        grouped = families(rows) if shares else (Family(0, (row,)) for row in rows)
        batches = by_length if self.is_coarse else nearly_by_length
        budget = min(BUDGET, self.window)
        packs = [packed(piece) for family in grouped for piece in pieces(family, budget=budget)]
        for are_plain in (True, False):
            same = [(pack, pack.ids) for pack in packs if pack.is_plain == are_plain]
            for batch, read in self.room.passes(batches(same, budget=lambda: self.room.tokens), self._values):
                values = read.tolist()
                for pack in batch:
                    yield from pack.by_row(values[: len(pack.reads)])
                    del values[: len(pack.reads)]

    def ends(self, family: Family, targets: Sequence[int]) -> list[list[float]]:
        """By row, the log-probability of each of the tokens `targets` as the one after the row's last.

        For long rests: the beginning is computed once and kept, and the rests do not stand in one row.
        """
        if self.is_coarse and (family.shared or len(family.rows) > 1):
            return [self.ends(Family(0, (row,)), targets)[0] for row in family.rows]
        if not self.keeps_beginnings:
            family = Family(0, family.rows)
        ids = self._filled(family.rests)
        rows = len(family.rows)
        lasts = torch.tensor([len(rest) - 1 for rest in family.rests], device=self.device)
        with torch.inference_mode():
            caching: dict[str, Any] = {"use_cache": False}
            if family.shared:
                prefix = torch.tensor([family.prefix], device=self.device)
                cache = self._body(input_ids=prefix, use_cache=True).past_key_values
                cache.batch_repeat_interleave(rows)
                caching = {"use_cache": True, "past_key_values": cache}
            states = self._states(input_ids=ids, **caching)
            read = states[torch.arange(rows, device=self.device), lasts]
            each = len(targets)
            tokens = torch.tensor(targets, device=self.device).repeat(rows)
            values = self._logprobs(read.repeat_interleave(each, dim=0), tokens).tolist()
        return [values[row * each : (row + 1) * each] for row in range(rows)]

    def _values(self, batch: Sequence[Pack]) -> Tensor:
        """The log-probabilities of all that the packs read, pack by pack."""
        rows = [row for row, pack in enumerate(batch) for _ in pack.reads]
        places, targets = zip(*(read for pack in batch for read in pack.reads), strict=True)
        ids = self._filled([pack.ids for pack in batch])
        options: dict[str, Any] = {}
        # Texts as they stand are the model's own business: nothing looks at what fills them up.
        if not batch[0].is_plain:
            options["position_ids"] = self._filled([pack.positions for pack in batch])
            options["attention_mask"] = self._sight(self._filled([pack.branches for pack in batch]))
        with torch.inference_mode():
            states = self._states(input_ids=ids, use_cache=False, **options)
            read = states[self.room.tensor(rows), self.room.tensor(places)]
            return self._logprobs(read, self.room.tensor(targets))

    def _filled(self, rows: Sequence[Sequence[int]]) -> Tensor:
        """The rows as (rows, longest), zeros to the right of the shorter ones."""
        longest = max(map(len, rows))
        return self.room.table([[*row, *[0] * (longest - len(row))] for row in rows])

    def _sight(self, branches: Tensor) -> Tensor:
        """Who sees whom, (rows, 1, length, length): what stands before, in the trunk or in the own branch.

        To be added to the scores of attention, which every kind of it takes. What fills a row up stands behind all
        that is real, so that nothing sees it.
        """
        length = branches.shape[1]
        before = torch.ones(length, length, dtype=torch.bool, device=self.device).tril()
        related = (branches[:, None, :] == TRUNK) | (branches[:, :, None] == branches[:, None, :])
        scores = torch.zeros(related.shape, dtype=self.model.dtype, device=self.device)
        return scores.masked_fill_(~(before & related), torch.finfo(scores.dtype).min)[:, None]

    def _logprobs(self, states: Tensor, targets: Tensor) -> Tensor:
        size = self.room.texts(AT_ONCE)
        values = []
        for part, tokens in zip(torch.split(states, size), torch.split(targets, size), strict=True):
            logits = self.model.get_output_embeddings()(part) if self.separate else part
            values.append(log_probabilities(logits.float(), tokens))
        return torch.cat(values)

    @property
    def _body(self) -> Any:
        return self.model.base_model if self.separate else self.model

    def _states(self, **inputs: Any) -> Tensor:
        """The last hidden states, or, where the head cannot be had apart, the scores over the vocabulary."""
        out = self._body(**inputs)
        states: Tensor = out.last_hidden_state if self.separate else out.logits
        return states
