"""Everything that the page of trainings shows."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from annotation.access.matrix import Right
from annotation.access.visible import Reader, studies_for
from annotation.models import Study
from comparison.frame.cache.remembered import remembered
from comparison.pictures.engine import DRAWING, Drawing, draw
from comparison.pictures.vega_lite import Spec
from comparison.statistics.accuracy.hits import NOTHING_SHARED, share
from comparison.statistics.estimate import Estimate
from researcher.trainings.curves import SPARK_HEIGHT, SPARK_WIDTH, accuracy_figure, loss_figure, spark
from training.classifier.taking import waits_of
from training.models import Training
from training.visible import trainings_for


@dataclass(frozen=True, slots=True)
class TrainingLine:
    """One training; `accuracy` is that of the epoch kept, or of the best so far, on the held-out part.

    `studies`: what it learns from and leaves out, in words. `is_best` says that no other finished training that learned
    from the same items has a higher one. `waits`: that no worker has its encoder, in a sentence.
    """

    training: Training
    accuracy: Estimate
    epoch: int | None
    is_best: bool
    studies: str = ""
    waits: str = ""

    @property
    def spark(self) -> str:
        return spark(self.training.curves, steps=self.training.steps)

    @property
    def view_box(self) -> str:
        return f"0 0 {SPARK_WIDTH} {SPARK_HEIGHT}"

    @property
    def loss(self) -> float | None:
        """The latest mean loss of the training part."""
        points = self.training.curves.get("loss")
        return points[-1][1] if points else None

    @property
    def commonest(self) -> str:
        """The share of the held-out part that the commonest label gets right: `.66`; empty for rows from before."""
        right, n = self.training.commonest_right, self.training.held_out_items
        return "" if right is None else share(right, n, reason=NOTHING_SHARED).number

    @property
    def can_go_on(self) -> bool:
        return self.training.state in (Training.State.STOPPED, Training.State.FAILED)


@dataclass(frozen=True, slots=True)
class TrainingPage:
    lines: tuple[TrainingLine, ...]
    line: TrainingLine | None
    charts: dict[str, Spec]

    @property
    def shown(self) -> Training | None:
        return self.line.training if self.line else None

    @property
    def drawings(self) -> dict[str, Drawing]:
        return {name: remembered(DRAWING, ["drawing", spec], partial(draw, spec)) for name, spec in self.charts.items()}

    @property
    def is_live(self) -> bool:
        return any(line.training.is_live for line in self.lines)

    @property
    def left_out(self) -> str:
        """Items of the training shown that are in neither part: `; 7 left out: no reference`."""
        reasons = self.shown.left_out.items() if self.shown else ()
        return "".join(f"; {count:,} left out: {reason}" for reason, count in reasons)

    @property
    def loss_caption(self) -> str:
        text = "Mean loss of the training part by step, and of the held-out part after each epoch."
        return f"{text} Lower is better."


def read_training_page(user: Reader, *, shown: str = "") -> TrainingPage:
    """All trainings of the user, the newest first; `shown` is the id of the one whose curves are drawn."""
    lines = read_trainings(user)
    chosen = next((line for line in lines if str(line.training.pk) == shown), None) or _of_interest(lines)
    return TrainingPage(lines, chosen, charts_of(chosen.training) if chosen else {})


def charts_of(training: Training) -> dict[str, Spec]:
    """Those that there is something to draw for, by the names that addresses have."""
    found = {"loss": loss_figure(training.curves), "accuracy": accuracy_figure(training.curves)}
    return {name: spec for name, spec in found.items() if spec is not None}


def read_trainings(user: Reader) -> tuple[TrainingLine, ...]:
    """Two who ask for the same have one row, which names the studies of one of them: others stay unnamed."""
    trainings = list(trainings_for(user).select_related("model"))
    hidden, waits = _hidden(user, trainings), waits_of(trainings)
    best: dict[str, Training] = {}
    finished = [one for one in trainings if one.state == Training.State.FINISHED]
    for one in finished:
        best[one.contest] = min(best.get(one.contest, one), one, key=lambda each: each.rank)
    contests = Counter(one.contest for one in finished)
    alone = {contest for contest, many in contests.items() if many == 1}
    return tuple(
        replace(
            _line(one, is_best=best.get(one.contest) is one and one.contest not in alone),
            studies=one.studies_beside(hidden),
            waits=waits.get(one.pk, ""),
        )
        for one in trainings
    )


def _hidden(user: Reader, trainings: Sequence[Training]) -> set[str]:
    """Of the studies that these name, those that are there and that the user may not see."""
    named = {slug for one in trainings for slug in (*one.studies, *one.apart_from)}
    others = Study.objects.filter(slug__in=named).exclude(pk__in=studies_for(user, Right.SEE).values("pk"))
    return set(others.values_list("slug", flat=True))


def _line(training: Training, *, is_best: bool) -> TrainingLine:
    judged = training.curves.get("held_out", [])
    if not judged:
        return TrainingLine(training, Estimate.none("first epoch in progress"), None, is_best)
    found = max(judged, key=lambda one: (one["accuracy"], -one["loss"]))
    n = training.held_out_items
    accuracy = share(round(found["accuracy"] * n), n, reason=NOTHING_SHARED)
    return TrainingLine(training, accuracy, found["epoch"], is_best)


def _of_interest(lines: Sequence[TrainingLine]) -> TrainingLine | None:
    """The one that is trained now, or the newest that has something to draw."""
    running = [line for line in lines if line.training.state == Training.State.RUNNING]
    drawn = [line for line in lines if line.training.curves.get("loss")]
    return next(iter([*running, *drawn]), None)
