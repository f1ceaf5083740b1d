"""What decides the result of one training of a masked language model, and how it is written down."""

import math
from dataclasses import asdict, dataclass
from typing import Any

# What is trained and carried: all but the word embeddings in 8 bits, or everything in 4. Both fit 12 MB (artefact.py).
BITS = {"body": 8, "all": 4}
NUMBERS = ("float32", "bfloat16")


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Tokens are counted with start and end. Shares are of 1.

    `rows` is the longest row in tokens, `batch` the tokens of one forward pass and `step` those of one optimizer step.
    `masked` is the share of a row's tokens that is hidden in training (what is judged is always at 15 %).
    `alone` is the share of lines that are a row by themselves; the others are joined with the lines that follow.
    """

    train: str = "body"
    seed: int = 1
    held_out: float = 0.01
    rows: int = 128
    alone: float = 0.5
    masked: float = 0.15
    batch: int = 2048
    step: int = 8192
    rate: float = 5e-4
    weight_decay: float = 0.01
    warm_up: int = 200
    # The last part of all steps (or minutes), in which the rate falls to 0.
    cool_down: float = 0.2
    numbers: str = "float32"

    def __post_init__(self) -> None:
        faults = [
            fault
            for is_wrong, fault in (
                (self.train not in BITS, f"train must be one of {', '.join(BITS)}"),
                (self.numbers not in NUMBERS, f"numbers must be one of {', '.join(NUMBERS)}"),
                (not 0 < self.held_out < 0.5, "held_out must be above 0 and below 0.5"),
                (not 0 < self.masked < 1, "masked must be above 0 and below 1"),
                (not 0 <= self.alone <= 1, "alone must be from 0 to 1"),
                (not 0 < self.cool_down <= 1, "cool_down must be above 0 and at most 1"),
                (self.rows < 16, "rows must be at least 16"),
                (self.batch < self.rows, "batch must be at least rows"),
                (self.step < self.batch, "step must be at least batch"),
                (not 0 < self.rate < 1, "rate must be above 0 and below 1"),
                (self.warm_up < 1, "warm_up must be at least 1"),
                (not 0 <= self.weight_decay < math.inf, "weight_decay must be a number that is not negative"),
                (self.seed < 0, "seed must not be negative"),
            )
            if is_wrong
        ]
        if faults:
            raise ValueError("; ".join(faults))

    def as_json(self) -> dict[str, Any]:
        return asdict(self)
