"""What somebody comes to first: what waits for them over all their studies, and before they have any, the samples.

A constant number of queries, however many studies there are. To add a kind that waits: a `Kind` below, and its count
in `read_over_all`. The samples are three steps over the studies that `make run` loads.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import Enum

from django.db.models import Count, F, Q, QuerySet

from accounts.models import User
from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.adjudicating import undecided
from annotation.models import Item, Sitting, Study
from annotation.models.population import StudyPopulation
from annotation.paying.money import in_words, pay_of
from corpus.errors import counted
from researcher.studies.glance import Dot, Glance, ListRow, at
from researcher.studies.list import StudyLine
from scoring.models import Run

# Studies that are named under a count.
NAMED = 3


class Kind(Enum):
    """Icon, what is counted, what is said of it, and the page of a study where it is seen to."""

    PAYMENTS = ("coin", "submission", "to decide", "payment")
    TIES = ("scale", "item", "without a majority", "adjudication")
    RUNS = ("warn", "run", "failed", "runs")

    def __init__(self, icon: str, what: str, said: str, at: str) -> None:
        self.icon, self.what, self.said, self.at = icon, what, said, at


@dataclass(frozen=True, slots=True)
class InStudy:
    """How many wait in one study. `more`: what they cost."""

    study: Study
    count: int
    more: str = ""


@dataclass(frozen=True, slots=True)
class Waits:
    """One kind over all studies, those with the most first."""

    kind: Kind
    studies: tuple[InStudy, ...]

    @property
    def first(self) -> Study:
        return self.studies[0].study

    @property
    def counted(self) -> str:
        return counted(sum(one.count for one in self.studies), self.kind.what)

    @property
    def named(self) -> tuple[InStudy, ...]:
        return self.studies[:NAMED]

    @property
    def unnamed(self) -> int:
        return len(self.studies) - len(self.named)


def read_over_all(user: User, studies: Mapping[int, Study]) -> tuple[Waits, ...]:
    """Of these studies what the user may see to: a query a kind. Nothing of a kind of which nothing waits."""
    found = {
        Kind.PAYMENTS: _submissions(user),
        Kind.TIES: {pk: count for pk, count in _ties(user).items() if pk in studies and not studies[pk].is_averaged},
        Kind.RUNS: _by_study(Run.objects.filter(study__in=studies_for(user, Right.SCORE), state=Run.State.FAILED)),
    }
    waits = []
    for kind, counts in found.items():
        inside = [_in_study(kind, studies[pk], count) for pk, count in counts.items() if pk in studies]
        if inside:
            waits.append(Waits(kind, tuple(sorted(inside, key=lambda one: -one.count))))
    return tuple(waits)


def _in_study(kind: Kind, study: Study, count: int) -> InStudy:
    pay = pay_of(study) if kind is Kind.PAYMENTS else None
    return InStudy(study, count, in_words(Decimal(count) * pay, study.currency) if pay is not None else "")


def _submissions(user: User) -> dict[int, int]:
    """Finished, by people who are paid here, and decided by nobody."""
    paid = (
        studies_for(user, Right.PAY).exclude(population=StudyPopulation.SYNTHETIC).filter(~Q(pay="") | ~Q(platform=""))
    )
    ended = Sitting.objects.filter(study__in=paid, source=None, state=Sitting.State.FINISHED)
    return _by_study(ended.filter(payment=Sitting.Payment.UNDECIDED))


def _ties(user: User) -> dict[int, int]:
    """Items with all their labels, no majority and no decision."""
    split = Item.objects.filter(study__in=studies_for(user, Right.EDIT)).complete().filter(agreed__lt=1)
    return _by_study(undecided(split))


def _by_study(rows: "QuerySet[Sitting] | QuerySet[Item] | QuerySet[Run]") -> dict[int, int]:
    return dict(rows.order_by().values_list(F("study")).annotate(Count("pk")))


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
