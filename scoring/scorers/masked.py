"""Masked language models on whole sentences: pseudo-log-likelihoods, and the probability of single words.

The rules are numbered in docs/metrics.md, and the tests quote them.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import torch

from annotation.tasktypes.contract import Cloze, Result, ScoreRequest, Sentence, SentenceNumbers, Unscored
from scoring.scorers.batches import by_length, told_apart
from scoring.scorers.clozes import ClozeReader
from scoring.scorers.contract import ModelSpec
from scoring.scorers.logprobs import log_probabilities
from scoring.scorers.masking import Copy, Tokens, copies
from scoring.scorers.networks.bodies import body_of
from scoring.scorers.networks.encoded import encoded, places_within, words_of
from scoring.scorers.networks.loaded import load, provenance
from scoring.scorers.words import last_word, whole

# Tokens in one forward pass: enough to keep the cores busy, few enough to stay in their caches.
BUDGET = 2048
# Texts whose copies are in memory at a time. It bounds the memory, and is enough to fill the batches.
WINDOW = 256
# Metrics that give the mean over one word's tokens instead of the sum over all (Kauf et al. 2023).
OF_ONE_WORD = ("verb", "last_word")


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
        self.clozes = ClozeReader(self.loaded, self.body, budget=BUDGET)

    def provenance(self) -> dict[str, Any]:
        ranked = {"rows_without_a_word": len(self.clozes.wordless)} if self.metric == "cloze" else {}
        return provenance(self.loaded, self.spec) | {"computed": self.body.name} | ranked

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        results: dict[int, Result] = {}
        for window in _windows(requests):
            clozes, sentences = {}, {}
            for number, request in window:
                match request:
                    case Cloze():
                        clozes[number] = request
                    case Sentence():
                        sentences[number] = request
                    case _:
                        results[number] = Unscored(
                            "a masked language model gives probabilities, and this asks for a label"
                        )
            results |= self.clozes.score(clozes) | self._score_sentences(sentences)
        return [results[number] for number in range(len(requests))]

    def _score_sentences(self, requests: Mapping[int, Sentence]) -> dict[int, Result]:
        asked, results = told_apart(requests.items(), self._prepared)
        logprobs = self._logprobs(asked)
        for number, one in asked.items():
            values = [logprobs[number, place] for place in one.read]
            tokens = self.tokenizer.convert_ids_to_tokens([one.tokens.ids[place] for place in one.read])
            total = sum(values) / len(values) if self.metric in OF_ONE_WORD else sum(values)
            results[number] = SentenceNumbers(total, tuple(zip(tokens, values, strict=True)))
        return results

    def _prepared(self, request: Sentence) -> MaskQuery | Unscored:
        encoding = encoded(self.loaded, request.text)
        if isinstance(encoding, Unscored):
            return encoding
        tokens = Tokens(tuple(encoding["input_ids"]), words_of(self.loaded, encoding, request.text))
        if self.metric not in OF_ONE_WORD:
            return MaskQuery(tokens, tuple(tokens.own))
        region = request.region("verb") if self.metric == "verb" else last_word(request.text)
        if isinstance(region, Unscored):
            return region
        if region is None:
            return Unscored("the item does not say which word is its verb")
        places = tuple(places_within(encoding, whole(request.text, region)))
        return MaskQuery(tokens, places) if places else Unscored("the word has no tokens for this model")

    def _logprobs(self, asked: Mapping[int, MaskQuery]) -> dict[tuple[int, int], float]:
        """The log-probability of the token at every place that is asked for, by request and place."""
        needed = [
            (copy, copy.ids)
            for number, one in asked.items()
            for copy in copies(self.metric, number, one.tokens, read=one.read, mask=self.mask_id)
        ]
        found: dict[tuple[int, int], float] = {}
        for batch in by_length(needed, budget=BUDGET):
            reads = [(copy.request, place) for copy in batch for place in copy.reads]
            wanted = [asked[number].tokens.ids[place] for number, place in reads]
            found |= zip(reads, self._read(batch, wanted), strict=True)
        return found

    def _read(self, batch: Sequence[Copy], wanted: Sequence[int]) -> list[float]:
        """The log-probabilities of the wanted tokens, in the order of the copies and their places."""
        device = self.loaded.device
        rows = [row for row, copy in enumerate(batch) for _ in copy.reads]
        places = [place for copy in batch for place in copy.reads]
        with torch.inference_mode():
            logits = self.body.logits(
                torch.tensor([copy.ids for copy in batch], device=device),
                torch.tensor(rows, device=device),
                torch.tensor(places, device=device),
            )
            values: list[float] = log_probabilities(logits, torch.tensor(wanted, device=device)).tolist()
        return values


def _windows(requests: Iterable[ScoreRequest]) -> Iterator[list[tuple[int, ScoreRequest]]]:
    """The requests with their numbers, WINDOW at a time."""
    numbered = iter(enumerate(requests))
    while window := list(islice(numbered, WINDOW)):
        yield window
