"""Accuracy for each value of an attribute, and for each pair of values of two attributes."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from comparison.statistics.accuracy.hits import Hits, accuracy
from comparison.statistics.aggregation import majority
from comparison.statistics.agreement.from_counts import percent_agreement
from comparison.statistics.counts import WITHOUT, Ints, values_of
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.evidence import MAJORITY, REFERENCE, Voices
from comparison.statistics.verdict.person import one_annotator


@dataclass(frozen=True, slots=True)
class Group:
    """The items that share one value of an attribute.

    `person` is one person against what runs are held against: the majority of the others, or the references;
    `majority` is people's majority against the references, None where runs are held against itself.
    """

    value: str
    items: int
    agreement: Estimate
    person: Estimate
    majority: Hits | None
    runs: Mapping[str, Hits]

    @property
    def address(self) -> str:
        """The value as a filter in the address, where an absent attribute is empty."""
        return "" if self.value == WITHOUT else self.value


def breakdown(
    attribute: Iterable[str],
    counts: Ints,
    truth: Ints,
    runs: Mapping[str, Ints],
    *,
    of_references: bool = False,
    voices: Voices | None = None,
    order: Sequence[str] = (),
    most: int | None = None,
    sample: Sample = ITEMS,
) -> tuple[Group, ...]:
    """One group a value, in `order` or else the largest first (ties by name), at most `most` of them.

    `attribute`, `counts` (items, values), `truth` and every run's decisions are in the order of the items; the truth is
    that `of_references`, or people's majority. `voices`: who gave which label, so that one person has the interval that
    they have of all items.

    >>> import numpy as np
    >>> counts, truth = np.array([[2, 0], [0, 2], [2, 0]]), np.array([0, 1, 0])
    >>> found = breakdown(["verb", "noun", "verb"], counts, truth, {"run": np.array([0, 0, 1])})
    >>> [(group.value, group.items, group.runs["run"].correct) for group in found]
    [('verb', 2, 1), ('noun', 1, 0)]
    """
    column, values = values_of(attribute, order=order, most=most)
    groups, against = [], REFERENCE if of_references else MAJORITY
    for name in values:
        here = column == name
        part, said, true = sample.where(here), counts[here], truth[here]
        groups.append(
            Group(
                value=name,
                items=int(here.sum()),
                agreement=percent_agreement(said, sample=part),
                person=one_annotator(
                    said, true, against=against, voices=voices.where(here) if voices else None, sample=part
                ),
                majority=accuracy(majority(said), true, sample=part) if of_references else None,
                runs={key: accuracy(decided[here], true, sample=part) for key, decided in runs.items()},
            )
        )
    return tuple(groups)


@dataclass(frozen=True, slots=True)
class Grid:
    """`cells[row][column]`; a cell without items has nothing to compare. `left_out` columns found no room."""

    rows: tuple[str, ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[Hits, ...], ...]
    left_out: int = 0

    @property
    def lines(self) -> list[tuple[str, tuple[Hits, ...]]]:
        """Each row's name and cells."""
        return list(zip(self.rows, self.cells, strict=True))


def grid_of_runs(
    down: Iterable[str],
    runs: Mapping[str, Ints],
    truth: Ints,
    *,
    order: Sequence[str] = (),
    most: int | None = None,
    sample: Sample = ITEMS,
) -> Grid:
    """A column for each run's decisions; the most frequent values, rows in `order` where it is given."""
    column, rows = values_of(down, order=order, most=most)
    masks = [column == row for row in rows]
    cells = (
        tuple(accuracy(decided[here], truth[here], sample=sample.where(here)) for decided in runs.values())
        for here in masks
    )
    return Grid(tuple(rows), tuple(runs), tuple(cells))


def grid(
    down: Iterable[str],
    across: Iterable[str],
    decided: Ints,
    truth: Ints,
    *,
    order: Sequence[str] = (),
    most: tuple[int | None, int | None] = (None, None),
    sample: Sample = ITEMS,
) -> Grid:
    """The most frequent values of both, rows in `order` where it is given.

    >>> import numpy as np
    >>> found = grid(["a", "a", "b"], ["x", "y", "x"], np.array([0, 1, 1]), np.array([0, 0, 1]))
    >>> found.columns, [[(cell.correct, cell.compared) for cell in row] for row in found.cells]
    (('x', 'y'), [[(1, 1), (0, 1)], [(1, 1), (0, 0)]])
    """
    first, rows = values_of(down, order=order, most=most[0])
    second, columns = values_of(across, most=most[1])
    return Grid(
        tuple(rows),
        tuple(columns),
        tuple(
            tuple(
                accuracy(decided[here], truth[here], sample=sample.where(here))
                for column in columns
                for here in [(first == row) & (second == column)]
            )
            for row in rows
        ),
    )
