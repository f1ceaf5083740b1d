"""What studies have gathered, in sums: the state of their data in a few queries, however many studies there are."""

import hashlib
import json
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Q

from annotation.models import Exclusion, ItemRevision, Sitting, Study
from comparison.frame.cache.item_sums import ITEM_SUMS, Row, grouped, read_sums
from scoring.models import Run

IN_FORCE = {"in_force": Count("pk", filter=Q(lifted_at=None))}


@dataclass(frozen=True, slots=True)
class Gathered:
    """A study's target items, counting labels, exclusions and runs; `version` changes whenever a figure could."""

    items: int
    complete: int
    dropped: int
    labels: int
    wanted: int
    excluded: int
    is_open: bool
    answered_at: datetime | None
    runs: tuple[Run, ...]
    version: str

    @property
    def answers(self) -> int:
        """Labels and scores: what the cost of the study's figures grows with."""
        return self.labels + sum(run.done for run in self.runs)

    @property
    def missing(self) -> int:
        """Labels that people are still asked for."""
        return max(self.wanted - self.labels, 0) if self.is_open else 0

    @property
    def is_full(self) -> bool:
        """Whether every label that was wanted is there."""
        return 0 < self.wanted <= self.labels

    @property
    def share_in(self) -> float:
        """Of the labels that are wanted, while people are asked for them; 1 where no more are."""
        return self.labels / self.wanted if self.missing else 1.0


def read_gathered(studies: Sequence[Study]) -> dict[int, Gathered]:
    """By study, in five queries, and three more where one of them is large."""
    items = read_sums(studies)
    sittings = grouped(Sitting.objects.filter(study__in=studies).values("study"), latest=Max("last_answer_at"))
    exclusions = grouped(
        Exclusion.objects.filter(study__in=studies).values("study"),
        count=Count("pk"),
        made=Max("created_at"),
        lifted=Max("lifted_at"),
        **IN_FORCE,
    )
    revisions = grouped(ItemRevision.objects.filter(study__in=studies).values("study"), latest=Max("pk"))
    runs: dict[int, list[Run]] = defaultdict(list)
    for run in Run.objects.filter(study__in=studies).select_related("model"):
        runs[run.study_id].append(run)
    return {
        study.pk: _gathered(
            study,
            items.get(study.pk, dict.fromkeys(ITEM_SUMS, 0)),
            sittings.get(study.pk, {"latest": None}),
            exclusions.get(study.pk, {"in_force": 0}),
            revisions.get(study.pk),
            runs[study.pk],
        )
        for study in studies
    }


def read_one(study: Study) -> Gathered:
    return read_gathered([study])[study.pk]


def _gathered(study: Study, items: Row, sittings: Row, excluded: Row, revised: Row | None, runs: list[Run]) -> Gathered:
    # The names of a run and of its model stand beside its figures.
    states = [
        (run.pk, run.state, run.done, run.started_at, run.finished_at, run.model.name, run.short_name) for run in runs
    ]
    is_open = study.state == Study.State.OPEN
    rests_on = [study.pk, study.content_hash, study.population, study.measure, study.numbers, is_open]
    sums = {name: items[name] for name in ITEM_SUMS}
    parts = [*rests_on, sums, sittings, excluded, revised, states]
    return Gathered(
        **{name: items[name] for name in ITEM_SUMS},
        excluded=excluded["in_force"],
        is_open=is_open,
        answered_at=sittings["latest"],
        runs=tuple(runs),
        version=hashlib.sha256(json.dumps(parts, default=str).encode()).hexdigest()[:32],
    )
