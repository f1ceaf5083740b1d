"""How good a masked language model is: on held-out text, on pairs of sentences, and on the slots of the samples."""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from tokenizers import Tokenizer

from annotation.studyfile import StudyFile
from annotation.tasktypes.contract import Cloze, ClozeNumbers, Unscored
from scoring.ranks import Ranks
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec
from training.masked.batches import Masked, for_judging
from training.masked.network import scores
from training.masked.reading import Vocabulary, special_ids

# By their place among an item's requests: the slot where it stands, and the same slot with next to nothing around it.
CONTEXTS = ("with context", "without context")
DRAWS, SEED = 10_000, 1

OWN = Path(__file__).with_name("minimal_pairs.tsv")
# Tokens of one forward pass.
BUDGET = 4096
AMONG = 5


class NoSlots(ValueError):
    """A study that does not ask for words in a slot. str() says so."""


def require_slots(study: StudyFile) -> None:
    """NoSlots if no target of the study offers words for a slot."""
    if not any(_cloze_requests(study, row.content) for row in study.items if row.kind == "target"):
        raise NoSlots(f"no item of the study {study.slug} has words for a slot")


def judge_slots(folder: Path, study: StudyFile) -> dict[str, Any]:
    """Accuracy, mean reciprocal rank and mean rank difference of the study's targets, with and without context.

    An item with a request that has no answer is left out, with the reason (G6). Without items a figure is None.
    """
    scorer = open_scorer(ModelSpec("masked", str(folder.resolve())), metric="cloze", settings={})
    ranks: list[list[tuple[float, float]]] = [[] for _ in CONTEXTS]
    left_out = {}
    for row in study.items:
        requests = _cloze_requests(study, row.content) if row.kind == "target" else []
        if not requests:
            continue
        results = scorer.score(requests)
        unscored = [result for result in results if isinstance(result, Unscored)]
        if unscored:
            left_out[row.id] = unscored[0].reason
            continue
        for in_context, result in zip(ranks, results, strict=False):
            assert isinstance(result, ClozeNumbers)
            in_context.append((float(result.ranks[0]), float(min(result.ranks[1:]))))
    return {
        "study": study.slug,
        "roles": list(study.task.scale.values),
        **{name: _figures(pairs) for name, pairs in zip(CONTEXTS, ranks, strict=True)},
        "left_out": left_out,
    }


def _cloze_requests(study: StudyFile, content: dict[str, Any]) -> list[Any]:
    """The requests of an item that offers words for a slot; none of another."""
    if study.task_type != "forced_choice" or "sentence" not in content:
        return []
    return [request for request in study.task.requests(content, "cloze") if isinstance(request, Cloze)]


def _figures(pairs: list[tuple[float, float]]) -> dict[str, Any]:
    ranks = Ranks(*np.array(pairs, dtype=np.float64).reshape(-1, 2).T)
    n = len(pairs)
    means = {"mrr": ranks.reciprocal, "mean_rank_difference": ranks.difference}
    return {
        "items": n,
        "above": int(ranks.above.sum()),
        "accuracy": float(ranks.above.mean()) if n else None,
        **{name: float(values.mean()) if n else None for name, values in means.items()},
        "intervals": {name: _interval(values) for name, values in means.items()},
    }


def _interval(values: NDArray[np.float64]) -> list[float] | None:
    """95 % for the mean, by the percentile bootstrap over items (Efron 1979); None for fewer than two."""
    if len(values) < 2:
        return None
    drawn = np.random.default_rng(SEED).integers(len(values), size=(DRAWS, len(values)))
    return [float(bound) for bound in np.quantile(values[drawn].mean(axis=1), (0.025, 0.975))]


@dataclass(frozen=True, slots=True)
class Pair:
    phenomenon: str
    good: str
    bad: str


@dataclass(frozen=True, slots=True)
class Judged:
    """Of `places` hidden tokens: the share found first, the share among the first five, and the mean loss in nats."""

    places: int
    top_1: float
    top_5: float
    loss: float

    def __str__(self) -> str:
        return f"top-1 {self.top_1:.2%}, top-5 {self.top_5:.2%}, loss {self.loss:.3f} ({self.places} places)"


@dataclass(frozen=True, slots=True)
class PairsJudged:
    """How many pairs have the better word ahead, of how many, by phenomenon; and those that could not be asked."""

    right: dict[str, int]
    asked: dict[str, int]
    wrong: tuple[str, ...]
    left_out: dict[str, str]

    def as_json(self) -> dict[str, Any]:
        return {
            "right": sum(self.right.values()),
            "asked": sum(self.asked.values()),
            "by_phenomenon": {name: [self.right.get(name, 0), total] for name, total in self.asked.items()},
            "wrong": list(self.wrong),
            "left_out": self.left_out,
        }


def read_pairs(path: Path) -> list[Pair]:
    """Lines of phenomenon, good, bad, parted by tabs. ValueError with every faulty line.

    minimal_pairs.tsv was written for this project, by nobody's list, and no training reads it.
    """
    return [Pair(*cells) for cells in _cells(path, "phenomenon, good and bad")]


def read_marvin_linzen(path: Path) -> list[Pair]:
    """Lines of case, template, good, bad, without a final point; one is put there (Goldberg 2019, arXiv:1901.05287)."""
    rows = _cells(path, "case, template, good and bad")
    return [Pair(case, f"{good} .", f"{bad} .") for case, _, good, bad in rows]


def _cells(path: Path, names: str) -> list[list[str]]:
    width = len(names.replace(" and", ",").split(", "))
    rows = [line.split("\t") for line in path.read_text(encoding="utf-8").splitlines()]
    faults = [
        f"line {number} is not {names}, separated by tabs"
        for number, cells in enumerate(rows, start=1)
        if len(cells) != width or not all(cell.strip() for cell in cells)
    ]
    if faults or not rows:
        raise ValueError(f"{path}: {'; '.join(faults) or 'contains no pairs'}")
    return rows


def judge(model: Any, held_out: Sequence[tuple[int, ...]], vocabulary: Vocabulary) -> Judged:
    """Every held-out piece by itself, at the places that its own tokens decide (masks.for_judging)."""
    places = first = among = 0
    total = 0.0
    for masked in _of_equal_length(held_out, vocabulary):
        with torch.inference_mode():
            logprobs = scores(model, masked).float().log_softmax(dim=1)
            targets = torch.from_numpy(masked.wanted).to(logprobs.device).reshape(-1, 1)
            own = logprobs.gather(1, targets)
            # How many words are ahead; one that is equal is not, whichever order a sort would give them.
            ahead = (logprobs > own).sum(dim=1)
        places += len(targets)
        first += int((ahead == 0).sum())
        among += int((ahead < AMONG).sum())
        total -= float(own.double().sum())
    return Judged(places, first / places, among / places, total / places)


def judge_pairs(model: Any, pairs: Sequence[Pair], tokenizer: Tokenizer, vocabulary: Vocabulary) -> PairsJudged:
    """Mask the word in which a pair differs; right if the better one has the higher score there. Equal is not right."""
    right, totals = defaultdict[str, int](int), defaultdict[str, int](int)
    wrong, left_out = [], {}
    for pair in pairs:
        slot = slotted(pair, tokenizer)
        if isinstance(slot, str):
            left_out[pair.good] = slot
            continue
        ids, place, good, bad = slot
        row = [vocabulary.start, *ids, vocabulary.end]
        row[place + 1] = vocabulary.mask
        masked = Masked(np.array([row]), np.array([[place + 1]]), np.array([[good]]))
        with torch.inference_mode():
            (logits,) = scores(model, masked).float()
        totals[pair.phenomenon] += 1
        if logits[good] > logits[bad]:
            right[pair.phenomenon] += 1
        else:
            wrong.append(f"{pair.good} / {pair.bad}")
    return PairsJudged(dict(right), dict(totals), tuple(wrong), left_out)


def _of_equal_length(pieces: Sequence[tuple[int, ...]], vocabulary: Vocabulary) -> Iterator[Masked]:
    by_length = defaultdict[int, list[tuple[int, ...]]](list)
    for piece in pieces:
        by_length[len(piece)].append(piece)
    for length, group in sorted(by_length.items()):
        most = max(1, BUDGET // (length + 2))
        for first in range(0, len(group), most):
            yield for_judging(group[first : first + most], vocabulary)


def slotted(pair: Pair, tokenizer: Tokenizer) -> tuple[list[int], int, int, int] | str:
    """The better sentence's tokens, the place where the two differ, and the two tokens there; or why there is none."""
    good, bad = (tokenizer.encode(text, add_special_tokens=False).ids for text in (pair.good, pair.bad))
    if len(good) != len(bad):
        return "they differ in a word of more than one token"
    places = [place for place, (one, other) in enumerate(zip(good, bad, strict=True)) if one != other]
    if len(places) != 1:
        return f"they differ in {len(places)} tokens"
    (place,) = places
    if {good[place], bad[place]} & special_ids(tokenizer):
        return "they differ in a word that is not in the vocabulary"
    return good, place, good[place], bad[place]
