"""A masked language model at one slot of a text: which of some words stands there, and at which rank?"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import torch
from torch import Tensor

from annotation.tasktypes.contract import SLOT, Cloze, ClozeNumbers, Result, Unscored
from scoring.scorers.batches import by_length, told_apart
from scoring.scorers.networks.bodies import Body
from scoring.scorers.networks.encoded import too_long
from scoring.scorers.networks.loaded import Loaded

TOP = 10


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text with its slot masked, and the vocabulary id of each candidate as it would stand in that very place.

    `unknown` is how many tokens of the text the vocabulary lacks.
    """

    ids: tuple[int, ...]
    place: int
    candidates: tuple[int, ...]
    unknown: int


class ClozeReader:
    def __init__(self, loaded: Loaded, body: Body, *, budget: int) -> None:
        self.loaded = loaded
        self.tokenizer = loaded.tokenizer
        self.body = body
        self.budget = budget

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
        ready, results = told_apart(requests.items(), self._prepared)
        for batch in by_length([(number, one.ids) for number, one in ready.items()], budget=self.budget):
            for number, row in zip(batch, self._logits([ready[number] for number in batch]), strict=True):
                results[number] = self._numbers(row, ready[number])
        return results

    def _prepared(self, request: Cloze) -> Prepared | Unscored:
        special = self.loaded.special_in(request.text, *request.candidates)
        if special is not None:
            return special
        mask: int = self.tokenizer.mask_token_id
        ids: list[int] = self.tokenizer(request.text.replace(SLOT, self.tokenizer.mask_token))["input_ids"]
        if len(ids) > self.loaded.longest:
            return too_long(self.loaded, len(ids))
        places = [place for place, token in enumerate(ids) if token == mask]
        if len(places) != 1:
            return Unscored(f"the text has {len(places)} slots instead of one")
        found = []
        for candidate in request.candidates:
            token = self._token(request.text, candidate, ids, places[0])
            if isinstance(token, Unscored):
                return token
            found.append(token)
        return Prepared(tuple(ids), places[0], tuple(found), ids.count(self.tokenizer.unk_token_id))

    def _token(self, text: str, candidate: str, ids: list[int], place: int) -> int | Unscored:
        """The candidate's one token. One that takes more has no rank, so the item is left unscored (rule C3)."""
        filled: list[int] = self.tokenizer(text.replace(SLOT, candidate))["input_ids"]
        count = len(filled) - len(ids) + 1
        if filled[:place] != ids[:place] and self._is_space(ids, place - 1):
            return Unscored("the model reads the space before its mask as a token of its own, so no word fits there")
        if count != 1:
            return Unscored(f"{candidate!r} is {count} tokens for this model, and a rank is defined for one")
        token = filled[place]
        if filled[:place] != ids[:place] or filled[place + 1 :] != ids[place + 1 :]:
            return Unscored(f"{candidate!r} changes how the model reads the words around it")
        if token == self.tokenizer.unk_token_id:
            return Unscored(f"{candidate!r} is not in the model's vocabulary")
        return token

    def _is_space(self, ids: list[int], place: int) -> bool:
        """Whether there is a token at this place that is white space and nothing else."""
        if place < 0 or ids[place] in self.tokenizer.all_special_ids:
            return False
        return not self.tokenizer.decode([ids[place]]).strip()

    def _logits(self, batch: Sequence[Prepared]) -> Tensor:
        device = self.loaded.device
        with torch.inference_mode():
            return self.body.logits(
                torch.tensor([one.ids for one in batch], device=device),
                torch.arange(len(batch), device=device),
                torch.tensor([one.place for one in batch], device=device),
            )

    def _numbers(self, logits: Tensor, asked: Prepared) -> ClozeNumbers:
        logprobs = logits.log_softmax(dim=0)
        values = logprobs[list(asked.candidates)]
        if len(self.wordless):
            logits = logits.index_fill(0, self.wordless, -torch.inf)
            logprobs = logprobs.index_fill(0, self.wordless, -torch.inf)
        # Rank 1 is best; candidates that tie share the better rank.
        ranks = [int((logits > logits[token]).sum()) + 1 for token in asked.candidates]
        of_words = logprobs.index_fill(0, self.special, -torch.inf)
        top = of_words.topk(min(TOP, int(of_words.isfinite().sum())))
        words = [self.tokenizer.decode([token]).strip() for token in top.indices.tolist()]
        best = tuple(zip(words, top.values.tolist(), strict=True))
        return ClozeNumbers(tuple(values.tolist()), tuple(ranks), best, asked.unknown)
