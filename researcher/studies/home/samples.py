"""The first page of somebody who has no study of their own yet: three steps, over the samples that `make run` loads."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from annotation.models import Study
from researcher.studies.home.glance import Dot, Glance, ListRow, at
from researcher.studies.list import StudyLine

# The one that leads comes first: what people chose, as its authors published it.
SAMPLES = ("blimp-human", "adjectives", "agreement", "events", "intensifiers", "passages")
# Models in the little picture of a sample's results.
DRAWN = 4


@dataclass(frozen=True, slots=True)
class Mark:
    """A model in the picture: its dot, and how far down it stands, in pixels."""

    dot: Dot
    y: int


@dataclass(frozen=True, slots=True)
class Lead:
    """The sample that is looked at first. `models` are compared, and `marks` are some of them: none before they ran."""

    line: StudyLine
    models: int
    marks: tuple[Mark, ...]
    glance: Glance

    @property
    def whose(self) -> str:
        return "Labels of synthetic annotators" if self.line.study.people.are_synthetic else "People’s labels"


def is_first_visit(seen: Iterable[Study]) -> bool:
    """Whether there is nothing but samples."""
    return all(study.slug in SAMPLES for study in seen)


def samples(rows: Iterable[ListRow]) -> list[ListRow]:
    """In their order; one with labels opens at its results."""
    found = sorted(rows, key=lambda row: SAMPLES.index(row.line.study.slug))
    return [replace(row, opens="results") if row.line.valid else row for row in found]


def lead(rows: Sequence[ListRow]) -> Lead | None:
    """The first sample that has labels."""
    first = next((row for row in rows if row.line.valid), None)
    if first is None:
        return None
    standing = first.line.standing
    runs = standing.verdict.runs if standing else None
    marks = []
    for place, one in enumerate(runs.models[:DRAWN] if runs else ()):
        value, low, high = one.value.value or 0.0, one.value.low, one.value.high
        ends = ("", "") if low is None or high is None else (at(low), at(high))
        is_hollow = runs is None or one not in runs.nearest
        marks.append(Mark(Dot(at(value), *ends, is_hollow=is_hollow), 12 + 20 * place))
    return Lead(first.line, len(runs.models) if runs else 0, tuple(marks), first.models)
