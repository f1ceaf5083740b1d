"""The annotators of a study as its researcher sees them: work, checks, speed, verdict."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.paginator import Page, Paginator

from annotation.models import Annotator, Exclusion, Sitting, Study
from comparison.frame.names import annotator_name
from researcher.collecting.given import Work

# On one page.
ROWS = 50


@dataclass(frozen=True, slots=True)
class GoldDistances:
    """How many gold answers lie 0, 1, 2 … degrees from the reference; `limit` degrees are far off."""

    counts: tuple[int, ...]
    limit: int

    @property
    def answered(self) -> int:
        return sum(self.counts)

    @property
    def far(self) -> int:
        return sum(self.counts[self.limit :])

    @property
    def words(self) -> str:
        """The histogram as a sentence."""
        if not self.answered:
            return "no gold answers yet"
        parts = [f"{count} at {degrees}" for degrees, count in enumerate(self.counts) if count]
        return f"{self.answered} gold answers: {', '.join(parts)} steps; {self.far} wrong"

    @property
    def bars(self) -> list[dict[str, int | str]]:
        """Places of a histogram in a box 12 units a column wide and 24 high; the tallest bar is 20."""
        most = max(self.counts, default=0) or 1
        return [
            {
                "x": 12 * degrees,
                "y": 24 - (height := max(2, round(20 * count / most)) if count else 1),
                "height": height,
                "kind": "none" if not count else "far" if degrees >= self.limit else "near",
            }
            for degrees, count in enumerate(self.counts)
        ]

    @property
    def width(self) -> int:
        return 12 * len(self.counts)


@dataclass(frozen=True, slots=True)
class AnnotatorRow:
    """One annotator with what they have given."""

    annotator: Annotator
    work: Work
    gold: GoldDistances
    sittings: int
    state: str
    exclusion: Exclusion | None
    last_answer_at: datetime | None
    anonymous: bool = False

    @property
    def name(self) -> str:
        return annotator_name(self.annotator.pk)

    @property
    def name_elsewhere(self) -> str:
        """Of a program, or of a label file, whose names may be a platform's: not where the row is `anonymous`.

        What a platform calls somebody who came by it stands in the payment queue alone.
        """
        is_named = self.annotator.is_synthetic or (self.annotator.is_imported and not self.anonymous)
        return self.annotator.external_id if is_named else ""

    @property
    def is_excluded(self) -> bool:
        return self.exclusion is not None and self.exclusion.lifted_at is None


def read_annotators(
    study: Study, work: Mapping[int, Work], *, page: str | None, size: int, anonymous: bool = False
) -> Page[AnnotatorRow]:
    """One page of those who started a sitting, the busiest first. `work` is what they have given.

    Three queries, of which the first alone is of all annotators, and only of their numbers.
    """
    everyone = study.sittings.order_by().values_list("annotator", flat=True).distinct()
    ranked = sorted(everyone, key=lambda pk: (-work.get(pk, Work()).labels, pk))
    pages: Paginator[Any] = Paginator(ranked, size)
    found = pages.get_page(page)
    shown = list(found)
    sittings: dict[int, list[Sitting]] = defaultdict(list)
    for sitting in study.sittings.filter(annotator__in=shown).select_related("annotator").order_by("started_at"):
        sittings[sitting.annotator_id].append(sitting)
    verdicts = {exclusion.annotator_id: exclusion for exclusion in study.exclusions.filter(annotator__in=shown)}
    rows = [_row(study, sittings[pk], work.get(pk, Work()), verdicts.get(pk), anonymous=anonymous) for pk in shown]
    return Page(rows, found.number, pages)


def _row(
    study: Study, sittings: Sequence[Sitting], work: Work, exclusion: Exclusion | None, *, anonymous: bool
) -> AnnotatorRow:
    answers = [sitting.last_answer_at for sitting in sittings if sitting.last_answer_at is not None]
    return AnnotatorRow(
        annotator=sittings[0].annotator,
        work=work,
        gold=GoldDistances(work.distances, study.gold_distance),
        sittings=len(sittings),
        state=sittings[-1].state,
        exclusion=exclusion,
        last_answer_at=max(answers, default=None),
        anonymous=anonymous,
    )
