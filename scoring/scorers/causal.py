"""Causal language models: the probability of a text, left to right.

The rules are numbered in docs/metrics.md, and the tests quote them.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes.contract import Result, ScoreRequest, Sentence, SentenceNumbers, Unscored
from scoring.scorers.batches import split_scorable
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.left_to_right import Reader, TokenRow
from scoring.scorers.networks.encoded import encodings, unknown_in
from scoring.scorers.networks.loaded import load, provenance, require_embedded
from scoring.scorers.words import whole

# Requests whose tokens are in memory at a time.
WINDOW = 512


class CausalScorer:
    """Sum of log P(token | start token and all tokens before it); the start token itself is not scored."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.spec = spec
        self.metric = metric
        self.loaded = load(spec)
        self.tokenizer = self.loaded.tokenizer
        self.start_token: str = spec.settings.get("start_token", "")
        vocabulary: dict[str, int] = self.tokenizer.get_vocab()
        if self.start_token not in vocabulary:
            raise ModelError(f"the model must declare a start token of its vocabulary, not {self.start_token!r}")
        self.start_id = vocabulary[self.start_token]
        self.end_id = vocabulary[self.end_token]
        used = (self.start_token, *((self.end_token,) if metric == "causal_published" else ()))
        require_embedded(spec.source, self.loaded.model, self.tokenizer, used)
        self.reader = Reader(self.loaded.model, self.loaded.device)

    @property
    def end_token(self) -> str:
        """What closes a text in `causal_published`: the start token, unless the tokenizer has a pair of two (L6)."""
        begins, ends = self.tokenizer.bos_token, self.tokenizer.eos_token
        return str(ends) if ends and self.start_token == begins else self.start_token

    def provenance(self) -> dict[str, Any]:
        ends = {"end_token": self.end_token} if self.metric == "causal_published" else {}
        start = {"start_token": self.start_token, "start_id": self.start_id}
        computed = {"computed": self.reader.name} | self.reader.room.provenance()
        return provenance(self.loaded, self.spec) | start | ends | computed

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        results: list[Result] = []
        size = self.reader.room.texts(WINDOW)
        for start in range(0, len(requests), size):
            results += self._score(requests[start : start + size])
        return results

    def _score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        texts = [request.text if isinstance(request, Sentence) else "" for request in requests]
        encoded = encodings(self.tokenizer, texts, add_special_tokens=False)
        ready, results = split_scorable(enumerate(zip(requests, encoded, strict=True)), lambda pair: self._ids(*pair))
        for row, logprobs in self.reader.rows([TokenRow(number, ids) for number, ids in ready.items()]):
            results[row.request] = self._numbers(requests[row.request], row.ids, logprobs)
        return [results[number] for number in range(len(requests))]

    def _ids(self, request: ScoreRequest, encoding: Any) -> tuple[int, ...] | Unscored:
        """The start token and the text's tokens, or the reason why the text is left unscored."""
        if not isinstance(request, Sentence):
            return Unscored("a causal model scores whole sentences only")
        special = self.loaded.special_in(request.text)
        if special is not None:
            return special
        if self.metric == "continuation" and request.region("continuation") is None:
            return Unscored("the item does not mark where its continuation begins")
        tokens: list[int] = encoding["input_ids"]
        if not tokens:
            return Unscored("the text has no tokens for this model")
        unknown = unknown_in(self.tokenizer, encoding, request.text)
        if unknown is not None:
            return unknown
        ids = (self.start_id, *tokens, *([self.end_id] if self.metric == "causal_published" else []))
        if len(ids) > self.loaded.longest:
            return Unscored(f"the text has {len(ids)} tokens with start; the model reads at most {self.loaded.longest}")
        return ids

    def _numbers(self, request: ScoreRequest, ids: tuple[int, ...], logprobs: list[float]) -> Result:
        assert isinstance(request, Sentence)  # _ids() has seen it
        tokens = self.tokenizer.convert_ids_to_tokens(ids[1:])
        pairs = list(zip(tokens, logprobs, strict=True))
        if self.metric == "continuation":
            pairs = pairs[self._given(request) :]
            if not pairs:
                return Unscored("the continuation has no tokens for this model")
        total = sum(logprob for _, logprob in pairs)
        if self.metric == "causal_published":
            # The mean over the predicted tokens, times all tokens: the script counts one more than it predicts.
            total = total / len(pairs) * len(ids)
        return SentenceNumbers(total, tuple(pairs))

    def _given(self, request: Sentence) -> int:
        """How many tokens of the text end before the space that its continuation begins with."""
        region = request.region("continuation")
        assert region is not None  # _ids() has seen it
        # A space may be a token of its own before one option and part of the word's token before another.
        start = len(request.text[: whole(request.text, region).start].rstrip())
        offsets = self.tokenizer(request.text, add_special_tokens=False, return_offsets_mapping=True)["offset_mapping"]
        return sum(end <= start for _, end in offsets)
