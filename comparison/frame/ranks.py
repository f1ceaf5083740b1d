"""From the database to the ranks of a study's runs, in the order of a panel's items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from annotation.models import Item, Study
from comparison.frame.panel import Mask, Panel
from scoring.models import Run, Score
from scoring.ranks import Ranks


@dataclass(frozen=True)
class RankedRun:
    """A run whose scores have ranks; `neutral` are those in the neutral context, where it was asked about one."""

    key: str
    name: str
    is_baseline: bool
    context: Ranks
    neutral: Ranks | None

    def where(self, mask: Mask) -> "RankedRun":
        neutral = None if self.neutral is None else self.neutral.where(mask)
        return replace(self, context=self.context.where(mask), neutral=neutral)


def read_ranks(study: Study, panel: Panel) -> tuple[RankedRun, ...]:
    """The runs that give ranks of the scale's values, in the panel's order of runs; items as in the panel."""
    roles = study.task.scale.values
    ranked = {str(run.pk): run for run in study.runs.all() if _has_ranks(run, roles)}
    return tuple(
        _read(ranked[column.key], roles, list(panel.items), name=column.name, is_baseline=column.is_baseline)
        for column in panel.runs
        if column.key in ranked
    )


def _has_ranks(run: Run, roles: Sequence[str]) -> bool:
    """A run is one measure, so that its first score tells what the others have."""
    first = _scored(run).values_list("detail__options", flat=True).first()
    return pair_of(first, roles) is not None


def _scored(run: Run) -> Any:
    return Score.objects.filter(run=run, unscored="", item__kind=Item.Kind.TARGET).order_by("pk")


def _read(run: Run, roles: Sequence[str], names: list[str], *, name: str, is_baseline: bool) -> RankedRun:
    # Only the options: what else a detail holds (tokens, the top of the vocabulary) may be long.
    rows = _scored(run).values_list("item__external_id", "detail__options", "detail__neutral__options")
    context: dict[str, tuple[float, float]] = {}
    neutral: dict[str, tuple[float, float]] = {}
    for item, options, without in rows.iterator(chunk_size=2000):
        for kept, found in ((context, pair_of(options, roles)), (neutral, pair_of(without, roles))):
            if found is not None:
                kept[item] = found
    return RankedRun(
        str(run.pk), name, is_baseline, _ranks(context, names), _ranks(neutral, names) if neutral else None
    )


def pair_of(options: Mapping[str, Mapping[str, Any]] | None, roles: Sequence[str]) -> tuple[float, float] | None:
    """The first role's rank and the best of the others'; None where one of them has none."""
    ranks = [(options or {}).get(role, {}).get("rank") for role in roles]
    known = [float(rank) for rank in ranks if rank is not None]
    return (known[0], min(known[1:])) if len(known) == len(roles) > 1 else None


def _ranks(found: Mapping[str, tuple[float, float]], names: list[str]) -> Ranks:
    table = np.array([found.get(name, (np.nan, np.nan)) for name in names], dtype=np.float64).reshape(-1, 2)
    return Ranks(table[:, 0], table[:, 1])
