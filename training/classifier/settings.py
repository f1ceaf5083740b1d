"""How a classifier is trained: the numbers, what each recipe begins with, and grids of them."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from typing import Any

# Those whose learning rate at a step does not hang on how many steps there will be.
OPEN_ENDED = ("constant", "inverse_sqrt")
SCHEDULES = ("linear", *OPEN_ENDED)
NUMBERS = ("float32", "bfloat16")
# More is a slip of the keys.
MOST_EPOCHS, MOST_AT_ONCE = 1000, 4096
# What a grid runs over, in the order of its points: the last changes fastest.
AXES = ("seed", "epochs", "batch_size", "learning_rate")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """AdamW with a schedule (Loshchilov and Hutter 2019); the best epoch by held-out accuracy is kept.

    `held_out` is the share of the training items that no weight learns from, drawn by `split_seed`. `max_length` is
    in tokens with start, end and separators; None cuts nothing. `numbers` are those of the matrix products in training;
    weights, judgments and the finished model are float32 either way.
    """

    learning_rate: float
    epochs: int
    batch_size: int
    seed: int = 1
    schedule: str = "linear"
    warmup_steps: int = 0
    weight_decay: float = 0.0
    beta1: float = 0.9
    beta2: float = 0.999
    max_grad_norm: float = 1.0
    max_length: int | None = None
    held_out: float = 0.1
    split_seed: int = 1
    numbers: str = "float32"

    def as_json(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def of_json(cls, stored: Mapping[str, Any]) -> "Settings":
        return cls(**stored)

    def steps(self, items: int) -> int:
        """Steps of the optimizer for that many training items."""
        return math.ceil(items / self.batch_size) * self.epochs

    def faults(self) -> list[str]:
        """Everything that no training could be done with, in sentences."""
        wanted = [
            (0 < self.learning_rate <= 1, f"The learning rate must lie between 0 and 1; it is {self.learning_rate}."),
            (self.epochs >= 1, f"There must be at least one epoch, not {self.epochs}."),
            (self.epochs <= MOST_EPOCHS, f"There may be at most {MOST_EPOCHS:,} epochs, not {self.epochs:,}."),
            (self.batch_size >= 1, f"A batch must hold at least one item, not {self.batch_size}."),
            (self.batch_size <= MOST_AT_ONCE, f"A batch holds at most {MOST_AT_ONCE:,} items, not {self.batch_size}."),
            (0 <= self.seed < 2**31, f"The seed must lie between 0 and {2**31 - 1}; it is {self.seed}."),
            (0 <= self.split_seed < 2**31, f"The split's seed lies between 0 and {2**31 - 1}, not {self.split_seed}."),
            (self.schedule in SCHEDULES, f"The schedule {self.schedule!r} is not one of {', '.join(SCHEDULES)}."),
            (0 <= self.warmup_steps < 2**31, f"Warm-up steps cannot be {self.warmup_steps}."),
            (0 <= self.weight_decay < 1, f"The weight decay must be from 0 to below 1; it is {self.weight_decay}."),
            (0 <= self.beta1 < 1 and 0 <= self.beta2 < 1, f"AdamW's betas lie in [0, 1): {self.beta1}, {self.beta2}."),
            (0 < self.max_grad_norm < math.inf, f"Gradients are cut to a norm above 0, not to {self.max_grad_norm}."),
            (self.max_length is None or self.max_length >= 8, f"A length of {self.max_length} tokens holds no text."),
            (self.numbers in NUMBERS, f"The numbers {self.numbers!r} are not one of {', '.join(NUMBERS)}."),
            (0 < self.held_out <= 0.5, f"The share held out must lie between 0 and a half; it is {self.held_out}."),
        ]
        return [sentence for is_so, sentence in wanted if not is_so]


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
    kept = [
        point
        for point in points
        if point.schedule not in OPEN_ENDED or point.epochs == longest[replace(point, epochs=0)]
    ]
    return kept, len(points) - len(kept)
