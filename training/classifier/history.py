"""What a training has seen so far: the loss of every step, and how the held-out part was judged after every epoch."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

# Points of the loss curve at most: as many as a screen can tell apart.
POINTS = 100


@dataclass(frozen=True, slots=True)
class Judged:
    """One look at the held-out part. `epoch` counts from 1; `loss` is the mean cross-entropy in nats."""

    epoch: int
    step: int
    accuracy: float
    loss: float


@dataclass(slots=True)
class History:
    """Kept with every saved state, so that a training that was interrupted has the curves of one that was not."""

    losses: list[float] = field(default_factory=list)
    judged: list[Judged] = field(default_factory=list)

    @property
    def best(self) -> Judged | None:
        """The epoch with the highest held-out accuracy; of equals the one with the lower loss, then the earlier."""
        return min(self.judged, key=lambda one: (-one.accuracy, one.loss, one.epoch), default=None)

    def curves(self, *, steps: int) -> dict[str, Any]:
        """For a chart: the mean loss of every stretch of steps under its last step, and the judgments.

        Stretches are a fixed share of all `steps`, so that a point once drawn stays where it is.
        """
        width = max(1, -(-steps // POINTS))
        stretches = (self.losses[start : start + width] for start in range(0, len(self.losses), width))
        points = [[place * width + len(stretch), fmean(stretch)] for place, stretch in enumerate(stretches)]
        return {"loss": points, "held_out": [asdict(one) for one in self.judged]}

    def as_json(self) -> dict[str, Any]:
        return {"losses": self.losses, "judged": [asdict(one) for one in self.judged]}

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> "History":
        return cls(list(stored["losses"]), [Judged(**one) for one in stored["judged"]])
