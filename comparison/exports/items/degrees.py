"""Degrees of runs that give strengths alone: the one thing of an item's line that rests on all the other items."""

from collections.abc import Sequence
from itertools import islice

import numpy as np
from django.db.models import QuerySet

from annotation.models import Item, Study
from comparison.exports.columns import text_of
from comparison.exports.items.scale import ShownScale
from comparison.statistics.aggregation.majority import majority
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.strengths.cut_points import cut, labels_to_fit
from scoring.models import Run, Score

CHUNK = 5_000
COLUMNS = ("reference", text_of("tally"))


def names_labels(run: Run) -> bool:
    """Whether the run names a label for any target item."""
    return _of_targets(run).filter(decision__isnull=False).exists()


def rates(run: Run) -> bool:
    """Whether the run gives any target item a strength."""
    return _of_targets(run).filter(strength__isnull=False).exists()


def cut_degrees(study: Study, runs: Sequence[Run], keys: Ints, scale: ShownScale) -> dict[int, Ints]:
    """Of these runs that give strengths, the degree of each item by the run's key; of none that cannot be cut."""
    rating = [run for run in runs if rates(run)]
    if not rating:
        return {}
    truth = _labels(study, scale)
    found = {}
    for run in rating:
        degrees, cuts = cut(_strengths(run, keys), truth, degrees=len(scale.values))
        if not cuts.undefined:
            found[run.pk] = degrees
    return found


def _of_targets(run: Run) -> QuerySet[Score]:
    return Score.objects.filter(run=run, item__kind=Item.Kind.TARGET)


def _labels(study: Study, scale: ShownScale) -> Ints:
    """The labels whose shares cut points reproduce, item by item in order."""
    truth = [np.empty(0, dtype=np.int64)]
    rows = study.items.filter(kind=Item.Kind.TARGET).order_by("position").values_list(*COLUMNS)
    found = rows.iterator(chunk_size=CHUNK)
    while chunk := list(islice(found, CHUNK)):
        references, tallies = zip(*chunk, strict=True)
        truth.append(labels_to_fit(scale.codes(references), majority(scale.counts(tallies))))
    return np.concatenate(truth)


def _strengths(run: Run, keys: Ints) -> Floats:
    """Of each item of these keys; NaN where there is none."""
    rows = Score.objects.filter(run=run, strength__isnull=False).order_by("item_id").values_list("item_id", "strength")
    found = np.fromiter(rows.iterator(chunk_size=CHUNK), dtype=[("item", "i8"), ("strength", "f8")])
    if not len(found):
        return np.full(len(keys), np.nan)
    places = np.minimum(np.searchsorted(found["item"], keys), len(found) - 1)
    return np.where(found["item"][places] == keys, found["strength"][places], np.nan)
