"""Everything that the page of trainings shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from comparison.frame.kept.remembered import remembered
from comparison.page.charts import Spec
from comparison.page.drawing.engine import DRAWING, Drawing, draw
from comparison.statistics.accuracy.hits import NOTHING_SHARED, share
from comparison.statistics.estimate import Estimate
from researcher.trainings.curves import SPARK_HEIGHT, SPARK_WIDTH, accuracy_figure, loss_figure, spark
from training.models import Training


@dataclass(frozen=True, slots=True)
class TrainingLine:
    """One training; `accuracy` is that of the epoch kept, or of the best so far, on the held-out part.

    `is_best` says that no other finished training that learned from the same items has a higher one.
    """

    training: Training
    accuracy: Estimate
    epoch: int | None
    is_best: bool

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
    shown: Training | None
    charts: dict[str, Spec]

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
        text = "Mean loss of the training part by step, and of the held-out part after every epoch."
        return f"{text} Lower is better."


def read_training_page(*, shown: str = "") -> TrainingPage:
    """All trainings, the newest first; `shown` is the id of the one whose curves are drawn."""
    lines = read_trainings()
    chosen = next((line.training for line in lines if str(line.training.pk) == shown), None) or _of_interest(lines)
    return TrainingPage(lines, chosen, charts_of(chosen) if chosen else {})


def charts_of(training: Training) -> dict[str, Spec]:
    """Those that there is something to draw for, by the names that addresses have."""
    found = {"loss": loss_figure(training.curves), "accuracy": accuracy_figure(training.curves)}
    return {name: spec for name, spec in found.items() if spec is not None}


def read_trainings() -> tuple[TrainingLine, ...]:
    trainings = list(Training.objects.select_related("model"))
    best: dict[str, Training] = {}
    for one in trainings:
        if one.state == Training.State.FINISHED:
            best[one.contest] = min(best.get(one.contest, one), one, key=lambda each: each.rank)
    alone = {one.contest for one in best.values() if _contestants(one, trainings) == 1}
    return tuple(_line(one, is_best=best.get(one.contest) is one and one.contest not in alone) for one in trainings)


def _contestants(training: Training, trainings: Sequence[Training]) -> int:
    return sum(one.contest == training.contest and one.state == Training.State.FINISHED for one in trainings)


def _line(training: Training, *, is_best: bool) -> TrainingLine:
    judged = training.curves.get("held_out", [])
    if not judged:
        return TrainingLine(training, Estimate.none("no epoch has ended yet"), None, is_best)
    found = max(judged, key=lambda one: (one["accuracy"], -one["loss"]))
    n = training.held_out_items
    accuracy = share(round(found["accuracy"] * n), n, reason=NOTHING_SHARED)
    return TrainingLine(training, accuracy, found["epoch"], is_best)


def _of_interest(lines: Sequence[TrainingLine]) -> Training | None:
    """The one that is trained now, or the newest that has something to draw."""
    running = [line.training for line in lines if line.training.state == Training.State.RUNNING]
    drawn = [line.training for line in lines if line.training.curves.get("loss")]
    return next(iter([*running, *drawn]), None)
