"""Masked language models on whole sentences: pseudo-log-likelihoods, the probability of single words; and at one slot.

The rules are numbered in docs/metrics.md, and the tests quote them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice
from typing import Any

import torch
from torch import Tensor

from annotation.tasktypes.contract import (
    Cloze,
    ClozeNumbers,
    Result,
    ScoreRequest,
    Sentence,
    SentenceNumbers,
    Unscored,
)
from scoring.scorers.batches import by_length, split_scorable
from scoring.scorers.contract import ModelSpec
from scoring.scorers.left_to_right import log_probabilities
from scoring.scorers.masking import Copy, Reading, Tokens, copies, slot_of, token_of
from scoring.scorers.networks.bodies import Body, body_of
from scoring.scorers.networks.encoded import encodings, fault_of, places_within, too_long, words_of
from scoring.scorers.networks.loaded import Loaded, load, provenance
from scoring.scorers.networks.room import Room
from scoring.scorers.words import last_word, whole

TOP = 10

# Tokens in one forward pass: enough to keep the cores busy, few enough to stay in their caches.
BUDGET = 2048
# Texts whose copies are in memory at a time. It bounds the memory, and is enough to fill the batches.
WINDOW = 256
# Metrics that give the mean over one word's tokens instead of the sum over all (Kauf et al. 2023).
OF_ONE_WORD = ("verb", "last_word")


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text with its slot masked, its candidates' ids in that place, and how many tokens around are `unknown`."""

    ids: tuple[int, ...]
    place: int
    candidates: tuple[int, ...]
    unknown: int


class ClozeReader:
    def __init__(self, loaded: Loaded, body: Body, room: Room) -> None:
        self.loaded = loaded
        self.tokenizer = loaded.tokenizer
        self.body = body
        self.room = room

    @cached_property
    def wordless(self) -> Tensor:
        """The ids of the rows that fill the matrix up to a round size, which no word of the vocabulary has."""
        rows = set(range(self.loaded.model.config.vocab_size))
        return torch.tensor(sorted(rows - {*self.tokenizer.get_vocab().values()}), device=self.loaded.device).long()

    @cached_property
    def special(self) -> Tensor:
        """The ids of `</s>`, `<pad>` and their like, which have a rank and are no words."""
        rows = range(self.loaded.model.config.vocab_size)
        ids = [one for one in self.tokenizer.convert_tokens_to_ids(list(self.loaded.specials)) if one in rows]
        return torch.tensor(ids, device=self.loaded.device).long()

    def score(self, requests: Mapping[int, Cloze]) -> dict[int, Result]:
        ready, results = split_scorable(requests.items(), self._prepared)
        batches = by_length([(number, one.ids) for number, one in ready.items()], budget=lambda: self.room.tokens)
        for batch, logits in self.room.passes(batches, lambda batch: self._logits([ready[one] for one in batch])):
            for number, row in zip(batch, logits, strict=True):
                results[number] = self._numbers(row, ready[number])
        return results

    def _prepared(self, request: Cloze) -> Prepared | Unscored:
        special = self.loaded.special_in(request.text, *request.candidates)
        if special is not None:
            return special
        slot = slot_of(self.reading, request.text)
        if isinstance(slot, Unscored):
            return slot
        ids, place = slot
        if len(ids) > self.loaded.longest:
            return too_long(self.loaded, len(ids))
        tokens = []
        for candidate in request.candidates:
            token = token_of(self.reading, request.text, candidate, ids, place)
            if isinstance(token, Unscored):
                return token
            tokens.append(token)
        return Prepared(tuple(ids), place, tuple(tokens), ids.count(self.tokenizer.unk_token_id))

    @cached_property
    def reading(self) -> Reading:
        def is_space(one: int) -> bool:
            return one not in self.tokenizer.all_special_ids and not self.tokenizer.decode([one]).strip()

        return Reading(
            encode=lambda text: self.tokenizer(text)["input_ids"],
            is_space=is_space,
            mask=self.tokenizer.mask_token,
            mask_id=self.tokenizer.mask_token_id,
            unknown_id=self.tokenizer.unk_token_id,
        )

    def _logits(self, batch: Sequence[Prepared]) -> Tensor:
        with torch.inference_mode():
            ids, places = self.room.table([one.ids for one in batch]), self.room.tensor([one.place for one in batch])
            return self.body.logits(ids, None, places)

    def _numbers(self, logits: Tensor, prepared: Prepared) -> ClozeNumbers:
        logprobs = logits.log_softmax(dim=0)
        values = logprobs[list(prepared.candidates)]
        if len(self.wordless):
            logits = logits.index_fill(0, self.wordless, -torch.inf)
            logprobs = logprobs.index_fill(0, self.wordless, -torch.inf)
        # Rank 1 is best; candidates that tie share the better rank.
        ranks = [int((logits > logits[token]).sum()) + 1 for token in prepared.candidates]
        of_words = logprobs.index_fill(0, self.special, -torch.inf)
        top = of_words.topk(min(TOP, int(of_words.isfinite().sum())))
        words = [self.tokenizer.decode([token]).strip() for token in top.indices.tolist()]
        best = tuple(zip(words, top.values.tolist(), strict=True))
        return ClozeNumbers(tuple(values.tolist()), tuple(ranks), best, prepared.unknown)


@dataclass(frozen=True, slots=True)
class MaskQuery:
    """A text with the places whose probability is asked for."""

    tokens: Tokens
    read: tuple[int, ...]


class MaskedScorer:
    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.spec = spec
        self.metric = metric
        self.loaded = load(spec)
        self.tokenizer = self.loaded.tokenizer
        self.mask_id: int = self.tokenizer.mask_token_id
        self.body = body_of(self.loaded.model)
        self.room = Room(self.loaded.device, on_cpu=BUDGET)
        self.clozes = ClozeReader(self.loaded, self.body, self.room)

    def provenance(self) -> dict[str, Any]:
        ranked = {"rows_without_a_word": len(self.clozes.wordless)} if self.metric == "cloze" else {}
        return provenance(self.loaded, self.spec) | {"computed": self.body.name} | ranked | self.room.provenance()

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        results: dict[int, Result] = {}
        for window in self._windows(requests):
            clozes, sentences = {}, {}
            for number, request in window:
                match request:
                    case Cloze():
                        clozes[number] = request
                    case Sentence():
                        sentences[number] = request
                    case _:
                        results[number] = Unscored("a masked model gives probabilities, not labels")
            results |= self.clozes.score(clozes) | self._score_sentences(sentences)
        return [results[number] for number in range(len(requests))]

    def _windows(self, requests: Iterable[ScoreRequest]) -> Iterator[list[tuple[int, ScoreRequest]]]:
        """The requests with their numbers, some at a time."""
        numbered = iter(enumerate(requests))
        while window := list(islice(numbered, self.room.texts(WINDOW))):
            yield window

    def _score_sentences(self, requests: Mapping[int, Sentence]) -> dict[int, Result]:
        encoded = encodings(self.tokenizer, [request.text for request in requests.values()])
        pairs = zip(requests, zip(requests.values(), encoded, strict=True), strict=True)
        queries, results = split_scorable(pairs, lambda pair: self._prepared(*pair))
        logprobs = self._logprobs(queries)
        for number, one in queries.items():
            values = [logprobs[number, place] for place in one.read]
            tokens = self.tokenizer.convert_ids_to_tokens([one.tokens.ids[place] for place in one.read])
            total = sum(values) / len(values) if self.metric in OF_ONE_WORD else sum(values)
            results[number] = SentenceNumbers(total, tuple(zip(tokens, values, strict=True)))
        return results

    def _prepared(self, request: Sentence, encoding: Any) -> MaskQuery | Unscored:
        fault = fault_of(self.loaded, encoding, request.text)
        if fault is not None:
            return fault
        tokens = Tokens(tuple(encoding["input_ids"]), words_of(self.loaded, encoding, request.text))
        if self.metric not in OF_ONE_WORD:
            return MaskQuery(tokens, tuple(tokens.own))
        region = request.region("verb") if self.metric == "verb" else last_word(request.text)
        if isinstance(region, Unscored):
            return region
        if region is None:
            return Unscored("the item does not mark its verb")
        places = tuple(places_within(encoding, whole(request.text, region)))
        return MaskQuery(tokens, places) if places else Unscored("the word has no tokens for this model")

    def _logprobs(self, queries: Mapping[int, MaskQuery]) -> dict[tuple[int, int], float]:
        """The log-probability of the token at every place that is asked for, by request and place."""
        needed = [
            (copy, copy.ids)
            for number, one in queries.items()
            for copy in copies(self.metric, number, one.tokens, read=one.read, mask=self.mask_id)
        ]

        def read(batch: Sequence[Copy]) -> Tensor:
            return self._read(
                batch, [queries[copy.request].tokens.ids[place] for copy in batch for place in copy.reads]
            )

        logprobs: dict[tuple[int, int], float] = {}
        batches = by_length(needed, budget=lambda: self.room.tokens)
        for batch, values in self.room.passes(batches, read):
            reads = ((copy.request, place) for copy in batch for place in copy.reads)
            logprobs |= zip(reads, values.tolist(), strict=True)
        return logprobs

    def _read(self, batch: Sequence[Copy], targets: Sequence[int]) -> Tensor:
        """The log-probabilities of the wanted tokens, in the order of the copies and their places."""
        places = [place for copy in batch for place in copy.reads]
        # One read a copy, as most metrics have it, needs no list of rows.
        rows = [row for row, copy in enumerate(batch) for _ in copy.reads] if len(places) != len(batch) else None
        with torch.inference_mode():
            logits = self.body.logits(
                self.room.table([copy.ids for copy in batch]),
                None if rows is None else self.room.tensor(rows),
                self.room.tensor(places),
            )
            return log_probabilities(logits, self.room.tensor(targets))
