"""How a classifier is trained: the numbers, what each recipe begins with, and grids of them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

from corpus.arguments import number, whole
from training.shared.settings import setting

# Those whose learning rate at a step does not hang on how many steps there will be.
OPEN_ENDED = ("constant", "inverse_sqrt")
SCHEDULES = ("linear", *OPEN_ENDED)
# Whose labels teach: the references, or the majority of those who labeled the items.
TAUGHT_BY = REFERENCE, MAJORITY = ("reference", "majority")
# What a grid runs over, in the order of its points: the last changes fastest.
AXES = ("without", "learns", "seed", "epochs", "batch_size", "learning_rate")
# In place of a label that is left out: none is.
NO_LABEL = "none"
# What learns: everything, or what the seed drew above an encoder that stays as it is.
ALL, NEW = "all", "new"


def label_left_out(text: str) -> str | None:
    return None if text == NO_LABEL else text


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """AdamW with a schedule (Loshchilov and Hutter 2019); the best epoch by held-out accuracy is kept.

    With `learns` = new the encoder is frozen, so that what is measured is how much of the labels it holds already: a
    probe (Emami et al. 2021, footnote 3). `without` is a label whose items are left out of both parts, and which the
    classifier then does not know: their four classes are those without `impossible`.

    `held_out` is the share of the training items that no weight learns from, drawn by `split_seed`. `max_length` is
    in tokens with start, end and separators; None cuts nothing. `numbers` are those of the matrix products in training;
    weights, judgments and the finished model are float32 either way.
    """

    learning_rate: float = setting("the peak of the schedule", number(above=0, most=1), label="Learning rate")
    epochs: int = setting("passes over the items; the best epoch is kept", whole(1, 1000), label="Epochs")
    batch_size: int = setting("items per step", whole(1, 4096), label="Batch size")
    seed: int = setting("for the new layer, the order of items, and dropout", whole(0, 2**31 - 1), 1, label="Seed")
    schedule: str = setting(
        "how the rate changes", str, "linear", label="Schedule of the learning rate", choices=SCHEDULES
    )
    warmup_steps: int = setting("steps over which the rate rises", whole(0, 2**31 - 1), 0, label="Warm-up steps")
    weight_decay: float = setting("of AdamW", number(least=0, below=1), 0.0, label="Weight decay")
    beta1: float = setting("of AdamW", number(least=0, below=1), 0.9, label="Beta 1")
    beta2: float = setting("of AdamW", number(least=0, below=1), 0.999, label="Beta 2")
    max_grad_norm: float = setting(
        "longer gradients are clipped to it", number(above=0), 1.0, label="Gradient clipping"
    )
    max_length: int | None = setting(
        "longer passages are cut; none: nothing is cut, and training stops at a passage too long for the encoder",
        whole(8),
        None,
        label="Longest text, in tokens",
    )
    held_out: float = setting(
        "share of items held out to choose the best epoch", number(above=0, most=0.5), 0.1, label="Share held out"
    )
    split_seed: int = setting("draws the held-out items", whole(0, 2**31 - 1), 1, label="Seed of the split")
    numbers: str = setting(
        "precision of matrix products: bfloat16 is faster on processors that support it",
        str,
        "float32",
        label="Numbers",
        choices=("float32", "bfloat16"),
    )
    learns: str = setting(
        "all weights, or only the new layer on a frozen encoder (a probe)",
        str,
        ALL,
        label="Trained weights",
        choices=(ALL, NEW),
    )
    without: str | None = setting(
        f"a label whose items are left out, such as impossible for four classes; {NO_LABEL}: keep all labels",
        label_left_out,
        None,
        label="Label left out",
        metavar="LABEL",
    )

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> "Settings":
        return cls(**stored)

    def steps(self, items: int) -> int:
        """Steps of the optimizer for that many training items."""
        return math.ceil(items / self.batch_size) * self.epochs


# The paper gives the axes of its grid and leaves the rest to transformers' defaults (Emami et al. 2021, section 5.4).
ADEPT = Settings(learning_rate=5e-5, epochs=3, batch_size=32)
# Shen 2022, section 5.1.
BOOLQ = Settings(
    learning_rate=2e-5,
    epochs=10,
    batch_size=16,
    schedule="inverse_sqrt",
    warmup_steps=400,
    weight_decay=0.1,
    beta2=0.98,
)
DEFAULTS = {"adept": ADEPT, "adept-no-context": ADEPT, "boolq": BOOLQ, "boolq-question": BOOLQ}
GRIDS: dict[str, dict[str, tuple[Any, ...]]] = {
    "adept": {
        "learning_rate": (1e-5, 3e-5, 5e-5),
        "epochs": (3, 4, 5, 8),
        "batch_size": (8, 16, 32),
        "seed": (1, 2, 3),
    },
    "boolq": {"learning_rate": (1e-5, 2e-5), "epochs": (10,), "batch_size": (16,), "seed": (1,)},
}


def grid_points(base: Settings, axes: Mapping[str, Sequence[Any]]) -> list[Settings]:
    """Every combination of the axes' values; what is no axis stays as in `base`. Each point once."""
    lists = [list(axes.get(name, (getattr(base, name),))) for name in AXES]
    points = [replace(base, **dict(zip(AXES, values, strict=True))) for values in product(*lists)]
    return list(dict.fromkeys(points))


def trained_once(points: Iterable[Settings]) -> tuple[list[Settings], int]:
    """The points that have to be trained, and how many others are the beginnings of those.

    Where the schedule does not hang on the number of epochs, three epochs are the first three of eight, and the best
    of eight is the best of three if it came that early. A linear schedule falls to zero at the last step, so there
    nothing is shared.
    """
    points = list(points)
    longest: dict[Settings, int] = {}
    for point in points:
        if point.schedule in OPEN_ENDED:
            alike = replace(point, epochs=0)
            longest[alike] = max(longest.get(alike, 0), point.epochs)
    remaining = [
        point
        for point in points
        if point.schedule not in OPEN_ENDED or point.epochs == longest[replace(point, epochs=0)]
    ]
    return remaining, len(points) - len(remaining)
