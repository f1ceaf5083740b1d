"""What a data set is asked to be, and what was written of it."""

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`shares` are per cent of the items in train, validation and test; `license` an identifier for the card."""

    shares: tuple[int, ...] = (80, 10, 10)
    seed: int = 1
    license: str = "unknown"


@dataclass(frozen=True, slots=True)
class Written:
    """Rows by part of `items` and of `labels`; items by part and label, None where there is no majority."""

    items: Mapping[str, int]
    labels: Mapping[str, int]
    of_label: Mapping[tuple[str, str | None], int]
    annotators: int
