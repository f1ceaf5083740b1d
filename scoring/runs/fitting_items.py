"""How many items of a study a model with a metric can score, told before it runs: no model is loaded for it."""

import json
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

from tokenizers import Tokenizer

from annotation.models import Study
from annotation.tasktypes.contract import Cloze, Shape, Unscorable, Unscored
from scoring.metrics import Metric
from scoring.models import LanguageModel
from scoring.scorers.networks.weights import TOKENIZER_CONFIG
from scoring.scorers.slots import Reading, slot_of, token_of

# Of more items than these the first are looked through.
MOST = 2_000
TOKENIZER = "tokenizer.json"


@dataclass(frozen=True, slots=True)
class Fit:
    """`fitting` of the `asked` items that were looked through can be scored, as far as texts and words say."""

    fitting: int
    asked: int

    @property
    def share(self) -> float:
        return self.fitting / self.asked if self.asked else 1.0


@dataclass(frozen=True)
class Fits:
    """Of one study; its items are read once, and looked through once for each kind of request and tokenizer."""

    study: Study
    _found: dict[tuple[Shape, str], Fit] = field(default_factory=dict)

    def of(self, model: LanguageModel, metric: Metric) -> Fit:
        """Of words at a slot, by the model's tokenizer where its file is here."""
        source = model.spec.source if metric.shape == "cloze" else ""
        key = (metric.shape, source)
        if key not in self._found:
            self._found[key] = self._look_through(metric.shape, _reading(Path(source)) if source else None)
        return self._found[key]

    @cached_property
    def contents(self) -> list[dict[str, Any]]:
        return list(self.study.items.targets().order_by("position").values_list("content", flat=True)[:MOST])

    def _look_through(self, shape: Shape, reading: Reading | None) -> Fit:
        fitting = sum(self._fits(content, shape, reading) for content in self.contents)
        return Fit(fitting, len(self.contents))

    def _fits(self, content: dict[str, Any], shape: Shape, reading: Reading | None) -> bool:
        try:
            requests = self.study.task.requests(content, shape)
        except Unscorable:
            return False
        return reading is None or all(_has_tokens(reading, one) for one in requests if isinstance(one, Cloze))


def _has_tokens(reading: Reading, request: Cloze) -> bool:
    found = slot_of(reading, request.text)
    if isinstance(found, Unscored):
        return False
    tokens = (token_of(reading, request.text, candidate, *found) for candidate in request.candidates)
    return not any(isinstance(token, Unscored) for token in tokens)


def _reading(folder: Path) -> Reading | None:
    """None where the model's tokenizer is not here, or is of another kind: only a worker can tell."""
    path = folder / TOKENIZER
    if not folder.is_absolute() or not path.is_file():
        return None
    return _read(str(path), path.stat().st_mtime_ns)


@lru_cache(maxsize=8)
def _read(path: str, changed: int) -> Reading | None:
    try:
        tokenizer = Tokenizer.from_file(path)
        names = json.loads((Path(path).parent / TOKENIZER_CONFIG).read_text(encoding="utf-8"))
        mask, unknown = _named(names, "mask_token"), _named(names, "unk_token")
    # A damaged file is told by the worker that loads the model; tokenizers raises a bare Exception of it.
    except Exception:  # noqa: BLE001
        return None
    mask_id = tokenizer.token_to_id(mask)
    if mask_id is None:
        return None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return Reading(
        encode=lambda text: tokenizer.encode(text).ids,
        is_space=lambda one: not tokenizer.decode([one], skip_special_tokens=False).strip(),
        mask=mask,
        mask_id=mask_id,
        unknown_id=tokenizer.token_to_id(unknown),
    )


def _named(config: dict[str, Any], name: str) -> str:
    """Older files hold the token, newer ones a table of it."""
    token = config.get(name) or ""
    return str(token["content"] if isinstance(token, dict) else token)
