"""Causal language models: the probability of a sentence, left to right.

The rules are numbered in docs/metrics.md, and the tests quote them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import torch

from annotation.tasktypes.contract import Result, ScoreRequest, Sentence, SentenceNumbers, Unscored
from scoring.scorers import ModelError, ModelSpec
from scoring.scorers.batches import by_length
from scoring.scorers.loaded import load, provenance
from scoring.scorers.logprobs import log_probabilities

# Tokens in one forward pass. Each is read over the whole vocabulary: 1024 × 49,152 × 4 bytes is 200 MB.
BUDGET = 1024


class CausalScorer:
    """Sum of log P(token | start token and all tokens before it); the start token itself is not scored."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.spec = spec
        self.loaded = load(spec)
        self.tokenizer = self.loaded.tokenizer
        self.start_token: str = spec.settings.get("start_token", "")
        vocabulary: dict[str, int] = self.tokenizer.get_vocab()
        if self.start_token not in vocabulary:
            raise ModelError(f"the model must declare a start token of its vocabulary, not {self.start_token!r}")
        self.start_id = vocabulary[self.start_token]

    def provenance(self) -> dict[str, Any]:
        return provenance(self.loaded, self.spec) | {"start_token": self.start_token, "start_id": self.start_id}

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        results: dict[int, Result] = {}
        rows: list[tuple[int, list[int]]] = []
        for number, request in enumerate(requests):
            prepared = self._ids(request)
            if isinstance(prepared, Unscored):
                results[number] = prepared
            else:
                rows.append((number, prepared))
        ids_of = dict(rows)
        for batch in by_length([(number, ids) for number, ids in rows], budget=BUDGET):
            logprobs = self._logprobs([ids_of[number] for number in batch])
            for number, values in zip(batch, logprobs, strict=True):
                tokens = self.tokenizer.convert_ids_to_tokens(ids_of[number][1:])
                results[number] = SentenceNumbers(sum(values), tuple(zip(tokens, values, strict=True)))
        return [results[number] for number in range(len(requests))]

    def _ids(self, request: ScoreRequest) -> list[int] | Unscored:
        """The start token and the text's tokens, or the reason why the text is left unscored."""
        if not isinstance(request, Sentence):
            return Unscored("a causal language model gives the probability of whole sentences")
        special = self.loaded.special_in(request.text)
        if special is not None:
            return Unscored(f"the text contains {special}, which the model reads as a special token")
        tokens: list[int] = self.tokenizer(request.text, add_special_tokens=False)["input_ids"]
        if not tokens:
            return Unscored("the text is empty for this model: it has no tokens")
        if len(tokens) + 1 > self.loaded.longest:
            return Unscored(f"the text is {len(tokens) + 1} tokens with start; the model reads {self.loaded.longest}")
        return [self.start_id, *tokens]

    def _logprobs(self, rows: list[list[int]]) -> list[list[float]]:
        """Log-probability of every token after the first, for rows of one length."""
        ids = torch.tensor(rows, device=self.loaded.device)
        with torch.inference_mode():
            # The last token is read by nobody, but goes in: float32 products round by their shape, and this
            # is the shape in which everyone else computes them.
            logits = self.loaded.model(input_ids=ids, use_cache=False).logits[:, :-1].float()
            found = log_probabilities(logits, ids[:, 1:])
        values: list[list[float]] = found.tolist()
        return values
