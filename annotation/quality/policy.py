"""A study's quality policy: every limit of [quality] in study.toml. Pure."""

from dataclasses import asdict, dataclass, fields
from typing import Self

from corpus.provenance import digest

AFTER_EXCLUSION = RECOLLECT, DROP = ("recollect", "drop")


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Limits of 0 milliseconds or 0 answers in a row mean that there is no such rule.

    `after_exclusion` is what becomes of items that lose a label: RECOLLECT offers them to somebody else; DROP drops the
    instance, as ADEPT did in its other version (Emami et al. 2021, section 4.1).
    """

    max_attention_failures: int = 0
    gold_tolerance: float = 0.10
    gold_distance: int = 1
    gold_least: int = 0
    item_floor_ms: int = 0
    quick_tolerance: float = 0.10
    sitting_floor_ms: int = 0
    timed_least: int = 10
    max_same_in_a_row: int = 0
    max_in_pattern: int = 0
    stretch_chance: float = 0.01
    after_exclusion: str = RECOLLECT

    @classmethod
    def of(cls, declares: object) -> Self:
        """That of whatever has all of its limits, such as a study's row."""
        return cls(**{name: getattr(declares, name) for name in DECLARED})

    @property
    def digest(self) -> str:
        """The sha256 of the limits by name, as JSON."""
        return digest(asdict(self))

    @property
    def drops(self) -> bool:
        """Whether an item that loses a label to an excluded annotator is given up."""
        return self.after_exclusion == DROP

    @property
    def times(self) -> bool:
        """Whether it asks how long answers took."""
        return bool(self.item_floor_ms or self.sitting_floor_ms)

    @property
    def orders(self) -> bool:
        """Whether it asks what was answered after what."""
        return bool(self.max_same_in_a_row or self.max_in_pattern)


DECLARED = tuple(one.name for one in fields(Policy))
# Those that are numbers.
LIMITS = tuple(name for name in DECLARED if name != "after_exclusion")
# Of a sitting: without checks in it, limits to them say nothing. They are fixed, and hashed, with the limits.
MIXED_IN = ("attention_per_sitting", "gold_per_sitting")


def fixed_hash(declares: object) -> str:
    """The sha256 of all that opening a study fixes of its quality control: the limits and the checks in a sitting.

    As JSON by name, of whatever has all of them, such as a study's row.
    """
    return digest(asdict(Policy.of(declares)) | {name: getattr(declares, name) for name in MIXED_IN})
