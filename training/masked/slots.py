"""A study of words for a slot, such as the intensifier sample, asked of a model in a folder by the metric `cloze`.

What comes is what a run on that study would give (docs/metrics.md, C1 to C7): the same requests, the same scorer.
"""

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.studyfile import StudyFile
from annotation.tasktypes.contract import Cloze, ClozeNumbers, Unscored
from scoring.ranks import Ranks
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelSpec

# By their place among an item's requests: the slot where it stands, and the same slot with next to nothing around it.
CONTEXTS = ("with context", "without context")
DRAWS, SEED = 10_000, 1


class NoSlots(ValueError):
    """A study that does not ask for words in a slot. str() says so."""


def require_slots(study: StudyFile) -> None:
    """NoSlots if no target of the study offers words for a slot."""
    if not any(_asked(study, row.content) for row in study.items if row.kind == "target"):
        raise NoSlots(f"no item of the study {study.slug} offers words for a slot")


def judge_slots(folder: Path, study: StudyFile) -> dict[str, Any]:
    """Accuracy, mean reciprocal rank and mean rank difference of the study's targets, with and without context.

    An item with a request that has no answer is left out, with the reason (G6). Without items a figure is None.
    """
    scorer = open_scorer(ModelSpec("masked", str(folder.resolve())), metric="cloze", settings={})
    found: list[list[tuple[float, float]]] = [[] for _ in CONTEXTS]
    left_out = {}
    for row in study.items:
        asked = _asked(study, row.content) if row.kind == "target" else []
        if not asked:
            continue
        results = scorer.score(asked)
        unscored = [result for result in results if isinstance(result, Unscored)]
        if unscored:
            left_out[row.id] = unscored[0].reason
            continue
        for kept, result in zip(found, results, strict=False):
            assert isinstance(result, ClozeNumbers)
            kept.append((float(result.ranks[0]), float(min(result.ranks[1:]))))
    return {
        "study": study.slug,
        "roles": list(study.task.scale.values),
        **{name: _figures(pairs) for name, pairs in zip(CONTEXTS, found, strict=True)},
        "left_out": left_out,
    }


def _asked(study: StudyFile, content: dict[str, Any]) -> list[Any]:
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
