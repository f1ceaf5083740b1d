"""From the database to a run's probabilities of labels, its surprisal and ranks, in the order of a panel's items."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from django.db.models import OuterRef, QuerySet, Subquery
from django.db.models.fields.json import KeyTransform

from annotation.models import Item, Study
from annotation.tasktypes.contract import Scale
from comparison.frame.filters.ranges import ENTROPY, JENSEN_SHANNON
from comparison.frame.filters.selection import Selection
from comparison.frame.outline import RunNumbers
from comparison.frame.panel import Panel, Probabilities
from comparison.statistics.counts import Floats
from comparison.statistics.divergence import bits, divergences, entropy, shares
from scoring.metrics import METRICS
from scoring.models import Run, Score
from scoring.ranks import Ranks

# Where a score's detail has them, and how they are called beside figures.
OWN, OPTIONS = "probabilities", "options"
ITS_OWN = "its own probabilities"
CHUNK = 5000


@dataclass(frozen=True)
class RankedRun:
    """A run whose scores have ranks; `neutral` are those in the neutral context, where it was asked about one."""

    key: str
    name: str
    context: Ranks
    neutral: Ranks | None


def read_ranks(study: Study, panel: Panel) -> tuple[RankedRun, ...]:
    """The runs that give ranks of the scale's values, in the panel's order of runs; items as in the panel."""
    roles = study.task.scale.values
    ranked = {str(run.pk): run for run, first in _firsts(study) if pair_of(first.get(OPTIONS), roles)}
    return tuple(
        _ranked(ranked[column.key], roles, list(panel.items), name=column.name)
        for column in panel.runs
        if column.key in ranked
    )


def _ranked(run: Run, roles: Sequence[str], names: list[str], *, name: str) -> RankedRun:
    # Only the options: what else a detail holds (tokens, the top of the vocabulary) may be long.
    rows = _scored().filter(run=run).values_list("item__external_id", "detail__options", "detail__neutral__options")
    context: dict[str, tuple[float, float]] = {}
    neutral: dict[str, tuple[float, float]] = {}
    for item, options, without in rows.iterator(chunk_size=2000):
        for ranks, pair in ((context, pair_of(options, roles)), (neutral, pair_of(without, roles))):
            if pair is not None:
                ranks[item] = pair
    return RankedRun(str(run.pk), name, _ranks(context, names), _ranks(neutral, names) if neutral else None)


def pair_of(options: Mapping[str, Mapping[str, Any]] | None, roles: Sequence[str]) -> tuple[float, float] | None:
    """The first role's rank and the best of the others'; None where one of them has none."""
    ranks = [(options or {}).get(role, {}).get("rank") for role in roles]
    defined = [float(rank) for rank in ranks if rank is not None]
    return (defined[0], min(defined[1:])) if len(defined) == len(roles) > 1 else None


def _ranks(pairs: Mapping[str, tuple[float, float]], names: list[str]) -> Ranks:
    table = np.array([pairs.get(name, (np.nan, np.nan)) for name in names], dtype=np.float64).reshape(-1, 2)
    return Ranks(table[:, 0], table[:, 1])


def read_probabilities(study: Study, panel: Panel, *, coarse: bool, only: str = "") -> dict[str, Probabilities]:
    """By the run's key, of the runs that give every label a probability; `coarse` adds those of merged labels up.

    `only` is the key of the one run to read.

    Runs that are asked for labels have probabilities of their own. Of log-probabilities of the options (whole
    sentences, words in a slot), what falls to each among the options is taken: as it is where they are
    log-probabilities, by convention where they are pseudo-log-likelihoods. A mean over tokens or words is none.
    """
    place = {item: row for row, item in enumerate(panel.items)}
    merged = _merging(study.task.scale, coarse=coarse)
    by_run = {}
    for run, first in _firsts(study):
        read = _read(run, first, study.task.scale.values, place) if only in ("", str(run.pk)) else None
        if read is not None:
            by_run[str(run.pk)] = Probabilities(read.given @ merged, read.how)
    return by_run


def read_surprisals(panel: Panel, *, run: str, option: str) -> Floats:
    """Of one of the run's texts on each item, in bits; NaN where it has none."""
    table = np.full((len(panel.items), 1), np.nan)
    rows = _rows(_scored().filter(run_id=int(run)), [option], OPTIONS, "logprob")
    _fill(table, rows, {item: row for row, item in enumerate(panel.items)})
    return np.asarray(bits(table[:, 0]))


def run_numbers(study: Study) -> dict[str, RunNumbers]:
    """By the run's key, what its scores hold besides decisions and strengths: one look at each run's first score."""
    values = study.task.scale.values
    return {
        str(run.pk): RunNumbers(
            shares=_shared(run, first, values)[1],
            options=tuple(name for name, one in (first.get(OPTIONS) or {}).items() if one.get("logprob") is not None),
            has_ranks=pair_of(first.get(OPTIONS), values) is not None,
        )
        for run, first in _firsts(study)
    }


def _firsts(study: Study) -> Iterator[tuple[Run, Mapping[str, Any]]]:
    """Every run with its first score's detail. A run is one measure, so that this tells what the others have.

    The first by item, as the index has them: by any other order all of a run's scores would be sorted.
    """
    first = _scored().filter(run=OuterRef("pk")).order_by("item_id").values("detail")[:1]
    for run in study.runs.select_related("model").annotate(first=Subquery(first)):
        yield run, run.first or {}


def _merging(scale: Scale, *, coarse: bool) -> Floats:
    """Which of the scale's labels become which, shape (values, values shown)."""
    labels = scale.coarse_values if coarse else scale.values
    into = [labels.index(scale.coarse.get(value, value) if coarse else value) for value in scale.values]
    return np.eye(len(labels))[into]


def _scored() -> "QuerySet[Score]":
    return Score.objects.filter(unscored="", item__kind=Item.Kind.TARGET).order_by("pk")


def _read(run: Run, first: Mapping[str, Any], values: Sequence[str], place: Mapping[str, int]) -> Probabilities | None:
    scored = _scored().filter(run=run)
    table = np.full((len(place), len(values)), np.nan)
    where, how = _shared(run, first, values)
    if where == OWN:
        _fill(table, _rows(scored, values, OWN), place)
        return Probabilities(table, how)
    if where == OPTIONS:
        _fill(table, _rows(scored, values, OPTIONS, "logprob"), place)
        table = np.exp(table - table.max(axis=1, keepdims=True))
        return Probabilities(table / table.sum(axis=1, keepdims=True), how)
    return None


def _shared(run: Run, first: Mapping[str, Any], values: Sequence[str]) -> tuple[str, str]:
    """Where in a detail its probabilities of the labels are, and how they are called; empty where it has none."""
    if set(first.get(OWN) or ()) == set(values):
        return OWN, ITS_OWN
    if _are_totals(run) and all("logprob" in (first.get(OPTIONS) or {}).get(value, {}) for value in values):
        return OPTIONS, f"{run.metric_shown}, normalized over the options"
    return "", ""


def _are_totals(run: Run) -> bool:
    """Whether its numbers are of whole texts or words. Of an imported run the file's word is taken for it."""
    metric = METRICS.get(run.metric)
    return metric is None or run.model.is_imported or metric.is_total


def _rows(scored: "QuerySet[Score]", values: Sequence[str], *path: str) -> Iterable[tuple[Any, ...]]:
    """Item and one number a value. Only these leave the database: tokens and the top of a vocabulary may be long."""
    field, *rest = path
    if any(value.lstrip("-").isdigit() for value in values):
        # To the database, a key of digits would be a place in a list.
        for item, node in scored.values_list("item__external_id", f"detail__{field}").iterator(chunk_size=CHUNK):
            yield item, *(_inside(node, value, *rest) for value in values)
        return
    paths = [_at("detail", field, value, *rest) for value in values]
    yield from scored.values_list("item__external_id", *paths).iterator(chunk_size=CHUNK)


def _inside(node: Any, *path: str) -> Any:
    for key in path:
        node = (node or {}).get(key)
    return node


def _at(*path: str) -> Any:
    expression: Any = path[0]
    for key in path[1:]:
        expression = KeyTransform(key, expression)
    return expression


def _fill(table: Floats, rows: Iterable[tuple[Any, ...]], place: Mapping[str, int]) -> None:
    for item, *numbers in rows:
        if item in place and all(number is not None for number in numbers):
            table[place[item]] = numbers


def read_number(name: str, study: Study, panel: Panel, selection: Selection) -> Floats:
    """In the order of the panel's items, in bits; NaN where an item has none. `selection` must fit the study."""
    if name == ENTROPY:
        return entropy(panel.counts)
    if name == JENSEN_SHANNON:
        probabilities = read_probabilities(study, panel, coarse=selection.coarse, only=selection.run)
        return divergences(shares(panel.counts), probabilities[selection.run].given)
    return read_surprisals(panel, run=selection.run, option=selection.surprisal_of)
