"""What every line of the items' file rests on, and no column of the study for it, unless a filter is asked for.

What can be said of an item by itself is read when its line is written. Of all items at once, these must be known: their
keys in order, the names of their attributes, which runs name labels, and the degrees of those that were cut into any.
"""

from array import array
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from django.db.models import QuerySet

from annotation.models import Item, Study
from comparison.exports.cells import read_all, text_of
from comparison.frame.coded import count_tallies
from comparison.frame.filters.selection import Selection
from comparison.frame.names import named_runs
from comparison.frame.panel import run_name
from comparison.frame.selected import select
from comparison.statistics.aggregation import majority
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.strengths.cut_points import cut, labels_to_fit
from scoring.models import Run, Score


@dataclass(frozen=True, slots=True)
class ScaleOfExport:
    """`codes` has the place among the `values` of every label of the scale, and of None, which is MISSING."""

    values: tuple[str, ...]
    ordered: bool
    places: Mapping[str | None, int]

    def codes(self, labels: Sequence[str | None]) -> Ints:
        return np.fromiter(map(self.places.__getitem__, labels), dtype=np.int64, count=len(labels))

    def named(self, codes: Ints) -> list[str | None]:
        names = [*self.values, None]
        return [names[code] for code in codes.tolist()]

    def counts(self, tallies: Sequence[str]) -> Ints:
        """Of the tallies that items carry, as text: most items share theirs with many, and each is read once."""
        rows = {text: row for row, text in enumerate(dict.fromkeys(tallies))}
        every = [label for label in self.places if label is not None]
        merging = np.eye(len(self.values), dtype=np.int64)[[self.places[label] for label in every]]
        return (count_tallies(read_all(list(rows)), every) @ merging)[[rows[text] for text in tallies]]


def scale_of_export(study: Study, *, coarse: bool) -> ScaleOfExport:
    scale = study.task.scale
    merging = scale.coarse if coarse else {}
    values = scale.coarse_values if coarse else scale.values
    places: dict[str | None, int] = {label: values.index(merging.get(label, label)) for label in scale.values}
    return ScaleOfExport(values, scale.ordered, places | {None: MISSING})


CHUNK = 5_000


@dataclass(frozen=True, slots=True)
class Side:
    """A run: `degrees`, of each item, are those that its strengths were cut into; None where it is not so."""

    pk: int
    name: str
    is_baseline: bool
    degrees: Ints | None

    @property
    def is_cut(self) -> bool:
        return self.degrees is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Outset:
    """`keys` are the items' in the database, in the order of the file. `compared`: the runs that divergence is of."""

    keys: Ints
    scale: ScaleOfExport
    is_whole_scale: bool
    attributes: tuple[str, ...]
    has_published: bool
    has_labels: bool
    runs: tuple[Side, ...]
    compared: frozenset[int]


def read_outset(study: Study, selection: Selection) -> Outset:
    """Of the items that pass the filters; SelectionError if they name what the study lacks."""
    if selection.narrows:
        return _of_panel(study, selection)
    select(study, selection).refuse()
    keys, attributes, has_published, has_labels = _items(study)
    run_models = named_runs(study)
    scale = scale_of_export(study, coarse=selection.coarse)
    deciding = {run.pk for run, _ in run_models if names_labels(run)}
    rated = [run for run, _ in run_models if run.pk not in deciding]
    degrees = cut_degrees(study, rated, keys, scale) if scale.ordered else {}
    runs = tuple(
        Side(run.pk, run_name(model, run.metric_shown), run.model.is_baseline, degrees.get(run.pk))
        for run, model in run_models
    )
    return Outset(
        keys=keys,
        scale=scale,
        is_whole_scale=not selection.coarse,
        attributes=attributes,
        has_published=has_published,
        has_labels=has_labels,
        runs=runs,
        compared=_compared(runs, deciding),
    )


def begins_at_once(study: Study, selection: Selection) -> bool:
    """Whether nothing must be computed before the first line: neither a filter's panel nor cut points."""
    if selection.narrows:
        return False
    return not study.task.scale.ordered or all(names_labels(run) or not rates(run) for run in study.runs.all())


def _items(study: Study) -> tuple[Ints, tuple[str, ...], bool, bool]:
    """Keys, the names of attributes in the order of first sight, whether a number is published and a label given."""
    keys, names = array("q"), dict[str, None]()
    has_published = has_labels = False
    rows = study.items.filter(kind=Item.Kind.TARGET).order_by("position")
    records = rows.values_list("pk", text_of("attributes"), "reference_strength", "counted").iterator(chunk_size=CHUNK)
    while chunk := list(islice(records, CHUNK)):
        pks, attributes, published, counted = zip(*chunk, strict=True)
        keys.extend(pks)
        for one in read_all(list(dict.fromkeys(attributes))):
            names |= dict.fromkeys(one)
        has_published = has_published or any(number is not None for number in published)
        has_labels = has_labels or any(counted)
    return np.frombuffer(keys, dtype=np.int64), tuple(names), has_published, has_labels


def _compared(runs: Sequence[Side], deciding: set[int]) -> frozenset[int]:
    """As a panel has it: models that name labels, or else those that are cut into degrees, or else baselines."""
    those = [run for run in runs if run.pk in deciding or (run.degrees is not None and (run.degrees != MISSING).any())]
    models = [run for run in those if not run.is_baseline]
    return frozenset(run.pk for run in [run for run in models if not run.is_cut] or models or those)


def _of_panel(study: Study, selection: Selection) -> Outset:
    """Only a panel knows which items pass a filter; once they are known, it is let go."""
    chosen = select(study, selection)
    panel = chosen.rows
    rows: Any = study.items.filter(kind=Item.Kind.TARGET).values_list("external_id", "pk")
    keys = dict(rows.iterator(chunk_size=CHUNK))
    return Outset(
        # 0 is nobody's key: of an item that is gone since, there is no line.
        keys=np.array([keys.get(name, 0) for name in panel.items.tolist()], dtype=np.int64),
        scale=scale_of_export(study, coarse=selection.coarse),
        is_whole_scale=not selection.coarse,
        attributes=tuple(panel.attributes),
        has_published=chosen.whole.has_published,
        has_labels=panel.has_labels,
        runs=tuple(
            Side(int(run.key), run.name, run.is_baseline, run.decided if run.is_cut else None) for run in panel.runs
        ),
        compared=frozenset(int(key) for key in panel.compared_keys),
    )


COLUMNS = ("reference", text_of("tally"))


def names_labels(run: Run) -> bool:
    """Whether the run names a label for any target item."""
    return _of_targets(run).filter(decision__isnull=False).exists()


def rates(run: Run) -> bool:
    """Whether the run gives any target item a strength."""
    return _of_targets(run).filter(strength__isnull=False).exists()


def cut_degrees(study: Study, runs: Sequence[Run], keys: Ints, scale: ScaleOfExport) -> dict[int, Ints]:
    """Of these runs that give strengths, the degree of each item by the run's key; of none that cannot be cut."""
    rating = [run for run in runs if rates(run)]
    if not rating:
        return {}
    truth = _labels(study, scale)
    by_run = {}
    for run in rating:
        degrees, cuts = cut(_strengths(run, keys), truth, degrees=len(scale.values))
        if not cuts.undefined:
            by_run[run.pk] = degrees
    return by_run


def _of_targets(run: Run) -> QuerySet[Score]:
    return Score.objects.filter(run=run, item__kind=Item.Kind.TARGET)


def _labels(study: Study, scale: ScaleOfExport) -> Ints:
    """The labels whose shares cut points reproduce, item by item in order."""
    truth = [np.empty(0, dtype=np.int64)]
    rows = study.items.filter(kind=Item.Kind.TARGET).order_by("position").values_list(*COLUMNS)
    records = rows.iterator(chunk_size=CHUNK)
    while chunk := list(islice(records, CHUNK)):
        references, tallies = zip(*chunk, strict=True)
        truth.append(labels_to_fit(scale.codes(references), majority(scale.counts(tallies))))
    return np.concatenate(truth)


def _strengths(run: Run, keys: Ints) -> Floats:
    """Of each item of these keys; NaN where there is none."""
    rows = Score.objects.filter(run=run, strength__isnull=False).order_by("item_id").values_list("item_id", "strength")
    scored = np.fromiter(rows.iterator(chunk_size=CHUNK), dtype=[("item", "i8"), ("strength", "f8")])
    if not len(scored):
        return np.full(len(keys), np.nan)
    places = np.minimum(np.searchsorted(scored["item"], keys), len(scored) - 1)
    return np.where(scored["item"][places] == keys, scored["strength"][places], np.nan)
