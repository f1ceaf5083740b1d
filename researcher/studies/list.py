"""The list of studies, read in a constant number of queries.

Agreement and accuracy rest on per-item tallies and decisions. They are computed once for each state of
the data and remembered, so that a list of large studies costs a few sums in SQL.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Count, F, Max, Q, Sum
from pydantic import TypeAdapter

from annotation.models import Assignment, Exclusion, Item, Sitting, Study
from comparison.frame.progress import IN_FORCE, SET_ASIDE, none_valid
from comparison.frame.remembered import each_remembered
from comparison.frame.standing import Standing, read_standings
from comparison.statistics.verdict.parts import STRENGTHS
from scoring.models import Run

STANDING = TypeAdapter(Standing)


@dataclass(frozen=True, slots=True)
class StudyLine:
    """One study at a glance. `valid` of `target` labels on target items; last_activity None if nothing happened.

    `none_valid` says in words why there are labels and none of them counts; empty where that is not so.
    """

    study: Study
    task: str
    items: int
    complete: int
    valid: int
    target: int
    standing: Standing
    live_runs: int
    none_valid: str
    last_activity: datetime | None

    @property
    def why_no_agreement(self) -> str:
        if self.standing.has_labels:
            return str(self.standing.agreement)
        return self.none_valid or "no labels yet"

    @property
    def nearest_value(self) -> float | None:
        """What the nearest model reaches; None where no model is told to be near."""
        found = self.standing.verdict.runs.nearest
        return found[0].value.value if found else None

    @property
    def on_strengths(self) -> str:
        """Of models that name no label."""
        return self.standing.verdict.on(STRENGTHS)

    @property
    def how_cut(self) -> list[str]:
        """How the degrees of the nearest models came about, if they were cut."""
        return list(dict.fromkeys(one.how for one in self.standing.verdict.runs.nearest if one.how))

    @property
    def why_none_nearest(self) -> str:
        if not self.live_runs:
            return "nothing to compare yet"
        return f"{self.live_runs} run{'' if self.live_runs == 1 else 's'} under way"

    @property
    def held_against(self) -> str:
        """What the nearest model is near to."""
        return self.study.people.truth if self.standing.against_people else f"the {self.standing.instead}"

    @property
    def percent(self) -> int:
        """Whole percent, rounded down: 100 only when nothing is missing."""
        return 100 * self.valid // self.target if self.target else 0


def read_lines(studies: Iterable[Study]) -> list[StudyLine]:
    """A line for each study. Six queries, however many studies there are, and two more when figures have changed.

    One more where a study has no label that counts, over the labels of such studies.
    """
    found = list(studies)
    sums = _grouped(Item.objects.filter(study__in=found, kind=Item.Kind.TARGET).values("study"), **ITEM_SUMS)
    sittings = _grouped(Sitting.objects.filter(study__in=found).values("study"), latest=Max("last_answer_at"))
    verdicts = _grouped(
        Exclusion.objects.filter(study__in=found).values("study"),
        count=Count("pk"),
        made=Max("created_at"),
        lifted=Max("lifted_at"),
        **IN_FORCE,
    )
    runs: dict[int, list[Run]] = defaultdict(list)
    for run in Run.objects.filter(study__in=found).select_related("model"):
        runs[run.study_id].append(run)
    empty = [study for study in found if not sums.get(study.pk, {}).get("valid")]
    targets = Assignment.objects.filter(item__study__in=empty, item__kind=Item.Kind.TARGET)
    aside = _grouped(targets.annotate(study=F("item__study")).values("study"), **SET_ASIDE)
    versions = {
        study.pk: _version(
            study, sums.get(study.pk), sittings.get(study.pk), verdicts.get(study.pk), runs=runs[study.pk]
        )
        for study in found
    }
    standings = each_remembered(
        STANDING, versions, lambda stale: read_standings([study for study in found if study.pk in stale], runs)
    )
    return [
        StudyLine(
            study=study,
            task=study.task.name,
            **(_counts(sums.get(study.pk))),
            standing=standings[study.pk],
            none_valid=_none_valid(aside.get(study.pk), verdicts.get(study.pk)),
            live_runs=sum(run.is_live for run in runs[study.pk]),
            last_activity=_latest(sittings.get(study.pk), runs[study.pk]),
        )
        for study in found
    ]


ITEM_SUMS = {
    "items": Count("pk"),
    "complete": Count("pk", filter=Q(counted__gte=F("target"))),
    "valid": Sum("counted"),
    "wanted": Sum("target"),
}


def _grouped(rows: Any, **sums: Any) -> dict[int, dict[str, Any]]:
    # order_by() drops the model's own ordering, which would split the groups.
    return {row["study"]: row for row in rows.order_by().annotate(**sums)}


def _counts(row: Mapping[str, Any] | None) -> dict[str, int]:
    if row is None:
        return {"items": 0, "complete": 0, "valid": 0, "target": 0}
    return {"items": row["items"], "complete": row["complete"], "valid": row["valid"], "target": row["wanted"]}


def _none_valid(aside: Mapping[str, Any] | None, verdicts: Mapping[str, Any] | None) -> str:
    if aside is None:
        return ""
    annotators = verdicts["in_force"] if verdicts else 0
    return none_valid(excluded=aside["excluded"], surplus=aside["surplus"], annotators=annotators)


def _latest(sitting: Mapping[str, Any] | None, runs: Sequence[Run]) -> datetime | None:
    times = [time for run in runs for time in (run.created_at, run.started_at, run.finished_at)]
    times.append(sitting["latest"] if sitting else None)
    return max((time for time in times if time is not None), default=None)


def _version(study: Study, *rows: object, runs: Sequence[Run]) -> list[object]:
    """What changes whenever the study's figures could: labels, answers, verdicts, scores, items."""
    states = [(run.pk, run.state, run.done, run.model.name) for run in runs]
    return ["standing", study.pk, study.content_hash, study.population, study.measure, rows, states]
