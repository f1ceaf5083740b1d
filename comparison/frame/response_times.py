"""How long each answer to a target took: read straight from the database, without pandas."""

from collections.abc import Collection
from dataclasses import dataclass
from typing import Self

import numpy as np

from annotation.models import Assignment, Exclusion, Item, Study
from comparison.statistics.counts import Ints


@dataclass(frozen=True, slots=True, eq=False)
class Timed:
    """Timed answers: annotator, item and milliseconds of each; `excluded`: annotators whose exclusion is in force."""

    annotators: Ints
    items: Ints
    took: Ints
    excluded: tuple[int, ...]

    def of_items(self, items: Collection[int]) -> Self:
        inside = np.isin(self.items, list(items))
        return type(self)(self.annotators[inside], self.items[inside], self.took[inside], self.excluded)


def read_timed(study: Study) -> Timed:
    """Two queries, one of them a row an answer: no database of ours knows a median."""
    targets = Assignment.objects.filter(
        sitting__study=study, state__in=Assignment.ANSWERED, item__kind=Item.Kind.TARGET
    ).order_by()
    timed = targets.filter(judgment__response_ms__isnull=False)
    rows = timed.values_list("annotator", "item", "judgment__response_ms").iterator(chunk_size=10_000)
    records = np.fromiter(rows, dtype=[("annotator", np.int64), ("item", np.int64), ("took", np.int64)])
    records.sort(order="annotator")
    excluded = Exclusion.objects.in_force().filter(study=study).values_list("annotator", flat=True)
    return Timed(records["annotator"], records["item"], records["took"], tuple(excluded))
