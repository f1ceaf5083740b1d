"""The labels of a study as a file shows them: merged where three classes are asked for, as codes and as counts."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.models import Study
from comparison.exports.columns import read_all
from comparison.frame.coded import count_tallies
from comparison.statistics.counts import MISSING, Ints


@dataclass(frozen=True, slots=True)
class ShownScale:
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


def shown(study: Study, *, coarse: bool) -> ShownScale:
    scale = study.task.scale
    merging = scale.coarse if coarse else {}
    values = scale.coarse_values if coarse else scale.values
    places: dict[str | None, int] = {label: values.index(merging.get(label, label)) for label in scale.values}
    return ShownScale(values, scale.ordered, places | {None: MISSING})
