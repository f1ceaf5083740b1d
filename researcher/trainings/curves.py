"""How a training went: its loss by step, and how the held-out part was judged after every epoch."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from comparison.pictures.altair import alt
from comparison.pictures.charts import SAID, Spec, drawn

TRAINING, HELD_OUT = "training part", "held-out part"
COLORS = {TRAINING: "var(--muted)", HELD_OUT: "var(--models)"}
# A small drawing in a table's row, in the units of its view box.
SPARK_WIDTH, SPARK_HEIGHT = 120, 28
ROOM = 0.05
# Of a figure, in pixels.
HEIGHT = 220
# Room beside numbers and words, in pixels: readers' fonts may be wider than the one that is measured with.
APART = 10


def loss_figure(curves: Mapping[str, Any]) -> Spec | None:
    """The mean training loss as a line, the held-out loss as points; None before the first step."""
    points = [{"step": step, "loss": loss, "part": TRAINING} for step, loss in curves.get("loss", [])]
    judged = [
        {"step": one["step"], "loss": one["loss"], "part": HELD_OUT, "said": _said("Loss", one["loss"], one)}
        for one in curves.get("held_out", [])
    ]
    if not points:
        return None
    x, y = (
        alt.X("step:Q", title="Step"),
        alt.Y("loss:Q", title="Mean loss, nats", scale=alt.Scale(zero=False), axis=alt.Axis(titlePadding=APART)),
    )
    color = alt.Color(
        "part:N",
        scale=alt.Scale(domain=list(COLORS), range=list(COLORS.values())),
        legend=alt.Legend(title=None, orient="top", labelColor="var(--muted)", columnPadding=4 * APART),
    )
    layers = [_of(points).mark_line(strokeWidth=2, aria=False).encode(x=x, y=y, color=color)]
    if judged:
        dots = _of(judged).mark_point(filled=True, size=90, opacity=1)
        layers.append(dots.encode(x=x, y=y, color=color, description=SAID))
    return drawn(layers, said=f"Mean loss of the {TRAINING} by step", height=HEIGHT)


def accuracy_figure(curves: Mapping[str, Any]) -> Spec | None:
    """The held-out accuracy after every epoch; None before the first has ended."""
    judged: list[dict[str, Any]] = list(curves.get("held_out", []))
    if not judged:
        return None
    x = alt.X("epoch:Q", title="Epoch", axis=alt.Axis(values=[one["epoch"] for one in judged], format="d"))
    shares = [one["accuracy"] for one in judged]
    # Room above and below: one epoch alone has no range of its own.
    room = alt.Scale(domain=[max(0.0, min(shares) - ROOM), min(1.0, max(shares) + ROOM)], nice=True)
    y = alt.Y(
        "accuracy:Q",
        title="Held-out accuracy",
        scale=room,
        axis=alt.Axis(format=".2f", tickCount=6, titlePadding=APART),
    )
    base = _of([one | {"said": _said("Accuracy", one["accuracy"], one)} for one in judged])
    line = base.mark_line(strokeWidth=2, color="var(--models)", aria=False).encode(x=x, y=y)
    dots = base.mark_point(filled=True, size=90, opacity=1, color="var(--models)")
    layers = [line, dots.encode(x=x, y=y, description=SAID)]
    return drawn(layers, said="Held-out accuracy after each epoch", height=HEIGHT)


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


def _of(values: Sequence[Mapping[str, Any]]) -> Any:
    return alt.Chart(alt.InlineData(values=[dict(value) for value in values]))
