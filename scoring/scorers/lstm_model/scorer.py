"""An LSTM language model trained here: the log-probability of a text, word by word, sentence ends included.

The rules are numbered in docs/metrics.md (R), and the tests quote them.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import torch

from annotation.tasktypes.contract import Result, ScoreRequest, Sentence, SentenceNumbers, Unscored
from scoring.scorers.batches import by_length, split_scorable
from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.lstm_model.folder import WEIGHTS, FolderError, Model, read_card, read_model
from scoring.scorers.lstm_model.vocabulary import END, END_ID, UNKNOWN, UNKNOWN_ID, VERSION, sentences_of
from scoring.scorers.networks.room import best_device

# Words in one pass through the layers, and places whose scores over the vocabulary are in memory at a time.
BUDGET = 4096
AT_ONCE = 1024


@dataclass(frozen=True, slots=True)
class TextRow:
    """One text: its words as the model knows them and as they are shown, with the sentence ends."""

    ids: tuple[int, ...]
    shown: tuple[str, ...]


class LstmScorer:
    """`lstm`, and `lstm_unk`, which takes the model's one unknown word for every word that it does not know."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.spec = spec
        self.takes_unknown = metric == "lstm_unk"
        self.device = best_device()
        try:
            self.model = _opened(Path(spec.source), spec.files.get(WEIGHTS, ""), str(self.device))
        except FolderError as error:
            raise ModelError(str(error)) from error

    def provenance(self) -> dict[str, Any]:
        """ModelError if the folder has no card, which says what the model was trained on."""
        try:
            card = read_card(Path(self.spec.source))
        except FolderError as error:
            raise ModelError(str(error)) from error
        return {
            "source": self.spec.source,
            "files_sha256": self.model.files,
            "words": VERSION,
            "shape": self.model.network.shape.as_json(),
            "settings": dict(self.spec.settings),
            "trained_on": [{"name": one["name"], "sha256": one["sha256"]} for one in card["sources"]],
            "trained_with": {"settings": card["settings"], "steps": card["steps"], "heldout": card["heldout"]},
            "dtype": "float32",
            "device": str(self.device),
            "threads": torch.get_num_threads(),
            "torch": str(torch.__version__),
        }

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        rows, results = split_scorable(enumerate(requests), self._row)
        for batch in by_length([(number, row.ids) for number, row in rows.items()], budget=BUDGET):
            for number, logprobs in zip(batch, self._logprobs([rows[number] for number in batch]), strict=True):
                pairs = zip(rows[number].shown, logprobs, strict=True)
                results[number] = SentenceNumbers(sum(logprobs), tuple(pairs))
        return [results[number] for number in range(len(requests))]

    def _row(self, request: ScoreRequest) -> TextRow | Unscored:
        """The text as the model reads it, or the reason why it is left unscored."""
        if not isinstance(request, Sentence):
            return Unscored("an LSTM scores whole sentences only")
        sentences = sentences_of(request.text)
        if not sentences:
            return Unscored("the text has no words for this model")
        text = [word for sentence in sentences for word in (*sentence, END)]
        vocabulary = self.model.vocabulary
        unknown = vocabulary.unknown(text)
        if unknown and not self.takes_unknown:
            quoted = ", ".join(repr(word) for word in unknown)
            return Unscored(f"{quoted} {'is' if len(unknown) == 1 else 'are'} not in the model's vocabulary")
        ids = tuple(vocabulary.ids(text))
        words = (f"{word} ({UNKNOWN})" if one == UNKNOWN_ID else word for one, word in zip(ids, text, strict=True))
        return TextRow(ids, tuple(words))

    def _logprobs(self, batch: Sequence[TextRow]) -> list[list[float]]:
        """The log-probability of every word of texts of one length."""
        network = self.model.network
        targets = torch.tensor([row.ids for row in batch], device=self.device)
        # A text begins where a sentence has ended, from a state of zeros.
        inputs = torch.cat([torch.full_like(targets[:, :1], END_ID), targets[:, :-1]], dim=1)
        with torch.inference_mode():
            states = network(inputs).flatten(0, 1)
            parts = [
                network.logprobs(some, some_targets, exact=True)
                for some, some_targets in zip(
                    torch.split(states, AT_ONCE), torch.split(targets.flatten(), AT_ONCE), strict=True
                )
            ]
            values: list[list[float]] = torch.cat(parts).view_as(targets).tolist()
        return values


# Two, so that runs with two models can take turns without loading anew each time.
@lru_cache(maxsize=2)
def _opened(folder: Path, weights_hash: str, device: str) -> Model:
    # The weights' header holds the vocabulary's hash, so that theirs stands for both.
    model = read_model(folder, weights_hash)
    model.network.to(device)
    return model
