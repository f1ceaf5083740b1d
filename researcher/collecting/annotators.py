"""The annotators of a study as its researcher sees them: labels, checks, speed, agreement with the others, verdict."""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any

from django.core.paginator import Page, Paginator

from annotation.models import Annotator, Exclusion, Sitting, Study, annotator_name
from comparison.page.drawn.axis import Axis, Mark
from comparison.page.drawn.stacks import Key, Stack, keys, stack
from comparison.page.page import Page as Results
from comparison.statistics.estimate import Estimate
from researcher.collecting.totals import Work

# On one page.
ROWS = 50
# What the page shows, as the address has it; empty: everybody.
EVERYONE, INCLUDED, REVIEW, EXCLUDED = "", "included", "review", "excluded"
SHOWS = {EVERYONE: "All", INCLUDED: "Included", REVIEW: "To review", EXCLUDED: "Excluded"}
NONE = Estimate.none("no labels that count")


@dataclass(frozen=True, slots=True)
class GoldDistances:
    """How many gold answers lie 0, 1, 2 … steps from the reference; from `limit` steps on, an answer is wrong."""

    counts: tuple[int, ...]
    limit: int

    @property
    def answered(self) -> int:
        return sum(self.counts)

    @property
    def near(self) -> int:
        return sum(self.counts[: self.limit])

    @property
    def words(self) -> str:
        """How many are how far off, as a sentence."""
        parts = [f"{count} at {steps}" for steps, count in enumerate(self.counts) if count]
        return f"{self.answered} gold answers: {', '.join(parts)} steps; {self.answered - self.near} wrong"


@dataclass(frozen=True, slots=True, kw_only=True)
class WithOthers:
    """How often each annotator, by name, gives the label that the others of the item agree on, and all on average.

    `by_rho`: of ratings that are averaged, ρ with the others' mean instead, which has no average. `outliers` differ
    from the others more often than the others do.
    """

    reached: Mapping[str, Estimate] = field(default_factory=dict)
    average: Estimate = NONE
    outliers: frozenset[str] = frozenset()
    by_rho: bool = False

    @classmethod
    def of(cls, results: Results | None) -> "WithOthers":
        """From the results of all items; of nobody while those are computed for the first time."""
        if results is None:
            return cls()
        found, by_rho = results.findings, results.chosen.is_averaged
        return cls(
            reached=dict(found.agreement_with_others(by_rho=by_rho)),
            average=NONE if by_rho else found.ceiling,
            outliers=frozenset(results.verdict.people.outliers),
            by_rho=by_rho,
        )

    @property
    def average_at(self) -> str:
        return "" if self.average.value is None else Axis().at(self.average.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class AnnotatorRow:
    """One annotator with what they have given. `in_progress`: a batch is. `is_hasty`: too fast to have read."""

    annotator: Annotator
    number: int
    work: Work
    gold: GoldDistances
    submissions: int
    in_progress: bool
    exclusion: Exclusion | None
    with_others: Estimate
    is_outlier: bool
    is_hasty: bool
    label_use: Stack | None
    anonymous: bool = False

    @property
    def name(self) -> str:
        return annotator_name(self.number)

    @property
    def name_elsewhere(self) -> str:
        """Of a program or a label file, not where `anonymous`; what a platform calls somebody is in Payment alone."""
        is_named = self.annotator.is_synthetic or (self.annotator.is_imported and not self.anonymous)
        return self.annotator.external_id if is_named else ""

    @property
    def is_excluded(self) -> bool:
        return self.exclusion is not None and self.exclusion.lifted_at is None

    @property
    def checks(self) -> int:
        """Attention checks that were answered."""
        return self.work.passed + self.work.failed

    @property
    def mark(self) -> Mark | None:
        return Axis().mark(self.with_others, called=f"{self.name} with the others")


@dataclass(frozen=True, slots=True)
class Chip:
    """A choice of whom to show, and how many they are."""

    key: str
    words: str
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Annotators:
    """One page of rows; `review` are the outliers who still count, those furthest from the others first.

    `too_fast` is how many count who are too fast to have read.
    """

    rows: Page[AnnotatorRow]
    shows: str
    chips: tuple[Chip, ...]
    with_others: WithOthers
    review: tuple[AnnotatorRow, ...]
    too_fast: int
    legend: tuple[Key, ...]


def read_annotators(
    study: Study,
    work: Mapping[int, Work],
    with_others: WithOthers,
    *,
    shows: str = EVERYONE,
    page: str | None = None,
    size: int = ROWS,
    hasty: Collection[int] = (),
    anonymous: bool = False,
) -> Annotators:
    """One page of those who started a batch: first whom to review, then the busiest. `work` is what they have
    given; who is `hasty` is to be reviewed too.

    Four queries, of which two are of all annotators, and only of their numbers.
    """
    numbers = study.annotator_numbers.by_annotator()
    everyone = numbers.keys()
    excluded = everyone & set(Exclusion.objects.in_force().filter(study=study).values_list("annotator", flat=True))
    fast = (everyone - excluded).intersection(hasty)
    review = fast | {pk for pk in everyone - excluded if annotator_name(numbers[pk]) in with_others.outliers}
    chosen = {EVERYONE: everyone, INCLUDED: everyone - excluded, REVIEW: review, EXCLUDED: excluded}
    shows = shows if shows in chosen else EVERYONE
    ranked = sorted(chosen[shows], key=lambda pk: (pk not in review, -work.get(pk, Work()).labels, numbers[pk]))
    pages: Paginator[Any] = Paginator(ranked, size)
    found = pages.get_page(page)
    rows = _rows(study, {pk: numbers[pk] for pk in found}, work, with_others, fast, anonymous=anonymous)
    to_review = sorted((row for row in rows if row.is_outlier), key=lambda row: row.with_others.from_lowest)
    return Annotators(
        rows=Page(rows, found.number, pages),
        shows=shows,
        chips=tuple(Chip(key, words, len(chosen[key])) for key, words in SHOWS.items()),
        with_others=with_others,
        review=tuple(to_review),
        too_fast=len(fast),
        legend=keys([label.text for label in study.task.scale.labels]),
    )


def _rows(
    study: Study,
    shown: Mapping[int, int],
    work: Mapping[int, Work],
    with_others: WithOthers,
    fast: Collection[int],
    *,
    anonymous: bool,
) -> list[AnnotatorRow]:
    sittings: dict[int, list[Sitting]] = defaultdict(list)
    for sitting in study.sittings.filter(annotator__in=shown).select_related("annotator").order_by("started_at"):
        sittings[sitting.annotator_id].append(sitting)
    verdicts = {exclusion.annotator_id: exclusion for exclusion in study.exclusions.filter(annotator__in=shown)}
    words = [label.text for label in study.task.scale.labels]
    rows = []
    for pk, number in shown.items():
        own, verdict, name = work.get(pk, Work()), verdicts.get(pk), annotator_name(number)
        rows.append(
            AnnotatorRow(
                annotator=sittings[pk][0].annotator,
                number=number,
                work=own,
                gold=GoldDistances(own.distances, study.policy.gold_distance),
                submissions=len(sittings[pk]),
                in_progress=sittings[pk][-1].state == Sitting.State.ACTIVE,
                exclusion=verdict,
                with_others=with_others.reached.get(name, NONE),
                is_outlier=name in with_others.outliers and (verdict is None or verdict.lifted_at is not None),
                is_hasty=pk in fast,
                label_use=stack(name, "", own.used, words, look="people") if any(own.used) else None,
                anonymous=anonymous,
            )
        )
    return rows
