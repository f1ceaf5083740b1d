"""How a training went: its loss by step, and how the held-out part was judged after every epoch."""

from collections.abc import Iterator, Mapping
from typing import Any

from comparison.pictures.vega_lite import SAID, Spec, drawn, field, layer

TRAINING, HELD_OUT = "training part", "held-out part"
COLORS = {TRAINING: "var(--muted)", HELD_OUT: "var(--models)"}
# A small drawing in a table's row, in the units of its view box.
SPARK_WIDTH, SPARK_HEIGHT = 120, 28
ROOM = 0.05
# Of a figure, in pixels.
HEIGHT = 220
# Room beside numbers and words, in pixels: readers' fonts may be wider than the one that is measured with.
APART = 10
DOT = {"filled": True, "size": 90, "opacity": 1}


def loss_figure(curves: Mapping[str, Any]) -> Spec | None:
    """The mean training loss as a line, the held-out loss as points; None before the first step."""
    points = [{"step": step, "loss": loss, "part": TRAINING} for step, loss in curves.get("loss", [])]
    judged = [
        {"step": one["step"], "loss": one["loss"], "part": HELD_OUT, "said": _said("Loss", one["loss"], one)}
        for one in curves.get("held_out", [])
    ]
    if not points:
        return None
    x = field("step:Q", title="Step")
    y = field("loss:Q", title="Mean loss, nats", scale={"zero": False}, axis={"titlePadding": APART})
    color = field(
        "part:N",
        scale={"domain": list(COLORS), "range": list(COLORS.values())},
        legend={"title": None, "orient": "top", "labelColor": "var(--muted)", "columnPadding": 4 * APART},
    )
    layers = [layer(points, "line", {"strokeWidth": 2, "aria": False}, x=x, y=y, color=color)]
    if judged:
        layers.append(layer(judged, "point", DOT, x=x, y=y, color=color, description=SAID))
    return drawn(layers, description=f"Mean loss of the {TRAINING} by step", height=HEIGHT)


def accuracy_figure(curves: Mapping[str, Any]) -> Spec | None:
    """The held-out accuracy after every epoch; None before the first has ended."""
    judged: list[dict[str, Any]] = list(curves.get("held_out", []))
    if not judged:
        return None
    x = field("epoch:Q", title="Epoch", axis={"values": [one["epoch"] for one in judged], "format": "d"})
    shares = [one["accuracy"] for one in judged]
    # Room above and below: one epoch alone has no range of its own.
    room = {"domain": [max(0.0, min(shares) - ROOM), min(1.0, max(shares) + ROOM)], "nice": True}
    ticks = {"format": ".2f", "tickCount": 6, "titlePadding": APART}
    y = field("accuracy:Q", title="Held-out accuracy", scale=room, axis=ticks)
    points = [one | {"said": _said("Accuracy", one["accuracy"], one)} for one in judged]
    color = {"color": "var(--models)"}
    layers = [
        layer(points, "line", color | {"strokeWidth": 2, "aria": False}, x=x, y=y),
        layer(points, "point", color | DOT, x=x, y=y, description=SAID),
    ]
    return drawn(layers, description="Held-out accuracy after each epoch", height=HEIGHT)


def spark(curves: Mapping[str, Any], *, steps: int) -> str:
    """The loss curve as the points of an SVG polyline; empty with fewer than two points."""
    points: list[list[float]] = curves.get("loss", [])
    if len(points) < 2:
        return ""
    losses = [loss for _, loss in points]
    low, span = min(losses), (max(losses) - min(losses)) or 1.0
    return " ".join(
        f"{SPARK_WIDTH * step / steps:.1f},{(SPARK_HEIGHT - 2) * (1 - (loss - low) / span) + 1:.1f}"
        for step, loss in points
    )


def rows(curves: Mapping[str, Any]) -> Iterator[list[Any]]:
    """The curves as lines of a table, its heading first."""
    yield ["part", "step", "epoch", "loss", "accuracy"]
    for step, loss in curves.get("loss", []):
        yield [TRAINING, step, "", loss, ""]
    for one in curves.get("held_out", []):
        yield [HELD_OUT, one["step"], one["epoch"], one["loss"], one["accuracy"]]


def _said(what: str, value: float, judged: Mapping[str, Any]) -> str:
    """What one point of the held-out part is of."""
    return f"{what} after epoch {judged['epoch']}: {value:.4f}"
