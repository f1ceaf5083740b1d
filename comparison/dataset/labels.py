"""Rows of the configuration `labels`: what counts, by whom as a number of this data set alone."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from annotation.models import Assignment, Study

Row = dict[str, Any]


class Labels:
    """Annotators are numbered from 1 in the order in which their labels are read: neither an id nor when they came."""

    def __init__(self, study: Study) -> None:
        self._study = study
        self._numbers: dict[int, int] = {}

    @property
    def annotators(self) -> int:
        """How many have been met."""
        return len(self._numbers)

    def of(self, items: Sequence[str]) -> dict[str, list[Row]]:
        """The labels that count of these items, by item."""
        counted = Assignment.objects.filter(
            item__study=self._study, item__external_id__in=items, state=Assignment.State.COUNTED
        ).order_by("item__position", "annotator_id")
        found: dict[str, list[Row]] = defaultdict(list)
        for item, who, label in counted.values_list("item__external_id", "annotator_id", "judgment__answer"):
            number = self._numbers.setdefault(who, len(self._numbers) + 1)
            population = str(self._study.population)
            found[item].append({"item": item, "annotator": number, "label": label, "population": population})
        return found
