"""The annotators of a study as its researcher sees them: work, checks, speed, verdict. Constant queries."""

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from annotation.models import Annotator, Assignment, Exclusion, Item, Sitting, Study
from comparison.frame.frames import annotator_name

State = Assignment.State


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
        return f"{self.answered} gold answers: {', '.join(parts)} degrees; {self.far} far off"

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
    """One annotator. `labels` are those on targets; `counted` of them count. Seconds are None where unmeasured."""

    annotator: Annotator
    labels: int
    counted: int
    attention_passed: int
    attention_failed: int
    gold: GoldDistances
    median_seconds: float | None
    sittings: int
    state: str
    exclusion: Exclusion | None
    last_answer_at: datetime | None

    @property
    def name(self) -> str:
        return annotator_name(self.annotator.pk)

    @property
    def is_excluded(self) -> bool:
        return self.exclusion is not None and self.exclusion.lifted_at is None


def read_annotators(study: Study) -> list[AnnotatorRow]:
    """Every annotator who started a sitting, the busiest first. Four queries, whatever their number."""
    sittings: dict[int, list[Sitting]] = defaultdict(list)
    for sitting in study.sittings.select_related("annotator").order_by("started_at"):
        sittings[sitting.annotator_id].append(sitting)
    verdicts = {exclusion.annotator_id: exclusion for exclusion in study.exclusions.all()}
    work, checks = _work(study), _checks(study)
    rows = [_row(study, own, work.get(pk, []), checks.get(pk, []), verdicts.get(pk)) for pk, own in sittings.items()]
    return sorted(rows, key=lambda row: (-row.labels, row.annotator.pk))


# state, response time in ms
Worked = tuple[str, int | None]
# kind, reference, answer
Checked = tuple[str, str, str]


def _work(study: Study) -> Mapping[int, list[Worked]]:
    found: dict[int, list[Worked]] = defaultdict(list)
    answered = Assignment.objects.filter(
        sitting__study=study, state__in=Assignment.ANSWERED, item__kind=Item.Kind.TARGET
    ).order_by()
    for annotator, state, took in answered.values_list("annotator", "state", "judgment__response_ms"):
        found[annotator].append((state, took))
    return found


def _checks(study: Study) -> Mapping[int, list[Checked]]:
    found: dict[int, list[Checked]] = defaultdict(list)
    answered = Assignment.objects.filter(
        sitting__study=study,
        state__in=Assignment.ANSWERED,
        item__kind__in=[Item.Kind.GOLD, Item.Kind.ATTENTION],
    ).order_by()
    rows = answered.values_list("annotator", "item__kind", "item__reference", "judgment__answer")
    for annotator, kind, reference, answer in rows:
        assert reference is not None  # the database holds checks to it
        found[annotator].append((kind, reference, answer))
    return found


def _row(
    study: Study,
    sittings: Sequence[Sitting],
    work: Sequence[Worked],
    checks: Sequence[Checked],
    exclusion: Exclusion | None,
) -> AnnotatorRow:
    scale = study.task.scale
    distances = [0] * (scale.greatest_distance + 1)
    passed = failed = 0
    for kind, reference, answer in checks:
        if kind == Item.Kind.GOLD:
            distances[scale.distance(reference, answer)] += 1
        elif reference == answer:
            passed += 1
        else:
            failed += 1
    times = [took for _, took in work if took is not None]
    answers = [sitting.last_answer_at for sitting in sittings if sitting.last_answer_at is not None]
    return AnnotatorRow(
        annotator=sittings[0].annotator,
        labels=len(work),
        counted=sum(state == State.COUNTED for state, _ in work),
        attention_passed=passed,
        attention_failed=failed,
        gold=GoldDistances(tuple(distances), study.gold_distance),
        median_seconds=statistics.median(times) / 1000 if times else None,
        sittings=len(sittings),
        state=sittings[-1].state,
        exclusion=exclusion,
        last_answer_at=max(answers, default=None),
    )
