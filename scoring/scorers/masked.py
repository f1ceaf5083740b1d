"""Masked language models: words at a slot, and pseudo-log-likelihoods of sentences.

The rules are numbered in docs/metrics.md, and the tests quote them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from annotation.tasktypes.contract import (
    SLOT,
    Cloze,
    ClozeNumbers,
    Result,
    ScoreRequest,
    Sentence,
    SentenceNumbers,
    Unscored,
)
from scoring.scorers import ModelSpec
from scoring.scorers.batches import by_length
from scoring.scorers.loaded import load, provenance
from scoring.scorers.logprobs import log_probabilities

# Tokens in one forward pass: enough to keep two cores busy, few enough to stay in cache.
BUDGET = 4096
TOP = 10


@dataclass(frozen=True, slots=True)
class Copy:
    """One row for the model: tokens with some masked, and the place that is read."""

    request: int
    ids: tuple[int, ...]
    place: int


class MaskedScorer:
    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.spec = spec
        self.within_word = metric == "pll_within_word_l2r"
        self.loaded = load(spec)
        self.tokenizer = self.loaded.tokenizer
        self.mask_id: int = self.tokenizer.mask_token_id

    def provenance(self) -> dict[str, Any]:
        return provenance(self.loaded, self.spec)

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        results: dict[int, Result] = {}
        clozes, sentences = {}, {}
        for number, request in enumerate(requests):
            match request:
                case Cloze():
                    clozes[number] = request
                case Sentence():
                    sentences[number] = request
                case _:
                    results[number] = Unscored("a masked language model gives probabilities, and this asks for a label")
        results |= self._score_clozes(clozes) | self._score_sentences(sentences)
        return [results[number] for number in range(len(requests))]

    # --- Sentences ---------------------------------------------------------------------------------

    def _score_sentences(self, requests: Mapping[int, Sentence]) -> dict[int, Result]:
        results: dict[int, Result] = {}
        copies: list[Copy] = []
        originals: dict[int, list[int]] = {}
        for number, request in requests.items():
            encoded = self._encoded(request.text)
            if isinstance(encoded, Unscored):
                results[number] = encoded
                continue
            originals[number] = encoded["input_ids"]
            copies += self._masked_copies(number, encoded)
        logprobs: dict[tuple[int, int], float] = {}
        for batch in by_length([(copy, copy.ids) for copy in copies], budget=BUDGET):
            logits = self._logits(batch)
            wanted = torch.tensor([originals[copy.request][copy.place] for copy in batch], device=logits.device)
            found = log_probabilities(logits, wanted)
            for copy, logprob in zip(batch, found.tolist(), strict=True):
                logprobs[copy.request, copy.place] = logprob
        for number, ids in originals.items():
            read = [place for place in range(len(ids)) if (number, place) in logprobs]
            tokens = self.tokenizer.convert_ids_to_tokens([ids[place] for place in read])
            values = [logprobs[number, place] for place in read]
            results[number] = SentenceNumbers(sum(values), tuple(zip(tokens, values, strict=True)))
        return results

    def _masked_copies(self, number: int, encoded: Any) -> list[Copy]:
        """One copy for each token that is not a special one, with that token masked.

        Within words, the later tokens of the same word are masked too (Kauf and Ivanova 2023, section 3).
        """
        ids: list[int] = encoded["input_ids"]
        words = encoded.word_ids()
        copies = []
        for place, word in enumerate(words):
            if word is None:
                continue
            masked = list(ids)
            masked[place] = self.mask_id
            if self.within_word:
                for later in range(place + 1, len(ids)):
                    if words[later] != word:
                        break
                    masked[later] = self.mask_id
            copies.append(Copy(number, tuple(masked), place))
        return copies

    # --- Slots -------------------------------------------------------------------------------------

    def _score_clozes(self, requests: Mapping[int, Cloze]) -> dict[int, Result]:
        results: dict[int, Result] = {}
        copies: list[Copy] = []
        candidates: dict[int, list[int]] = {}
        for number, request in requests.items():
            prepared = self._prepared(number, request)
            if isinstance(prepared, Unscored):
                results[number] = prepared
            else:
                copy, candidates[number] = prepared
                copies.append(copy)
        for batch in by_length([(copy, copy.ids) for copy in copies], budget=BUDGET):
            for copy, row in zip(batch, self._logits(batch), strict=True):
                results[copy.request] = self._cloze_numbers(row, candidates[copy.request])
        return results

    def _prepared(self, number: int, request: Cloze) -> tuple[Copy, list[int]] | Unscored:
        """The masked text, and the vocabulary id of each candidate as it would stand in that very place.

        A candidate that takes more than one token has no rank, so the item is left unscored (rule C3).
        """
        special = self.loaded.special_in(request.text)
        if special is not None:
            return Unscored(f"the text contains {special}, which the model reads as a special token")
        ids: list[int] = self.tokenizer(request.text.replace(SLOT, self.tokenizer.mask_token))["input_ids"]
        if len(ids) > self.loaded.longest:
            return self._too_long(len(ids))
        places = [place for place, token in enumerate(ids) if token == self.mask_id]
        if len(places) != 1:
            return Unscored(f"the text has {len(places)} slots instead of one")
        found = []
        for candidate in request.candidates:
            filled: list[int] = self.tokenizer(request.text.replace(SLOT, candidate))["input_ids"]
            count = len(filled) - len(ids) + 1
            if count != 1:
                return Unscored(f"{candidate!r} is {count} tokens for this model, and a rank is defined for one")
            place = places[0]
            token = filled[place]
            if filled[:place] != ids[:place] or filled[place + 1 :] != ids[place + 1 :]:
                return Unscored(f"{candidate!r} changes how the model reads the words around it")
            if token == self.tokenizer.unk_token_id:
                return Unscored(f"{candidate!r} is not in the model's vocabulary")
            found.append(token)
        return Copy(number, tuple(ids), places[0]), found

    def _cloze_numbers(self, logits: torch.Tensor, candidates: list[int]) -> ClozeNumbers:
        logprobs = logits.log_softmax(dim=0)
        values = logprobs[candidates]
        # Rank 1 is best; candidates that tie share the better rank.
        ranks = [int((logits > logits[token]).sum()) + 1 for token in candidates]
        top = logprobs.topk(TOP)
        words = [self.tokenizer.decode([token]).strip() for token in top.indices.tolist()]
        return ClozeNumbers(tuple(values.tolist()), tuple(ranks), tuple(zip(words, top.values.tolist(), strict=True)))

    # --- What both need ----------------------------------------------------------------------------

    def _encoded(self, text: str) -> Any:
        """Token ids with start and end, or the reason why the text is left unscored."""
        special = self.loaded.special_in(text)
        if special is not None:
            return Unscored(f"the text contains {special}, which the model reads as a special token")
        encoded = self.tokenizer(text)
        ids: list[int] = encoded["input_ids"]
        if len(ids) > self.loaded.longest:
            return self._too_long(len(ids))
        if all(word is None for word in encoded.word_ids()):
            return Unscored("the text is empty for this model: it has no tokens")
        if self.tokenizer.unk_token_id in ids:
            span = encoded.token_to_chars(ids.index(self.tokenizer.unk_token_id))
            return Unscored(f"{text[span.start : span.end]!r} is not in the model's vocabulary")
        return encoded

    def _too_long(self, count: int) -> Unscored:
        return Unscored(f"the text is {count} tokens with start and end; the model reads {self.loaded.longest}")

    def _logits(self, batch: Sequence[Copy]) -> torch.Tensor:
        """Scores over the vocabulary at the place that each copy is read, (len(batch), vocabulary), float32."""
        model, device = self.loaded.model, self.loaded.device
        ids = torch.tensor([copy.ids for copy in batch], device=device)
        rows = torch.arange(len(batch), device=device)
        places = torch.tensor([copy.place for copy in batch], device=device)
        with torch.inference_mode():
            head = _head(model)
            if head is None:
                everywhere: torch.Tensor = model(input_ids=ids).logits
                return everywhere[rows, places].float()
            # The vocabulary is the widest layer of all, so it is only computed where it is read.
            hidden = model.base_model(input_ids=ids).last_hidden_state
            logits: torch.Tensor = head(hidden[rows, places])
            return logits.float()


def _head(model: Any) -> Any:
    """The layers that lead from a hidden state to the vocabulary, where they are one module; else None."""
    name = {"bert": "cls", "roberta": "lm_head", "xlm-roberta": "lm_head", "camembert": "lm_head"}
    attribute = name.get(model.config.model_type)
    return getattr(model, attribute) if attribute else None
