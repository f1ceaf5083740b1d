"""A study's quality policy: every limit of [quality] in study.toml, each declared once. Pure."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, Self

from annotation.setting import OPENED, Choice, Fixed, Number, Value, Whole
from corpus.provenance import digest

RECOLLECT, DROP = "recollect", "drop"
# A thousand seconds: no floor of time needs more.
LONGEST_MS = 1_000_000
FIXED = Fixed(when=OPENED, because="its exclusion rules are locked")


def _limit(setting: Value[Any]) -> Any:
    """A field of the policy that the setting declares; all are fixed alike."""
    return field(default=setting.default, metadata={"setting": replace(setting, fixed=FIXED)})


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """Limits of 0 milliseconds or 0 answers in a row mean that there is no such rule."""

    max_attention_failures: int = _limit(
        Whole(
            label="Failed attention checks allowed",
            empty="any failed check excludes",
            more="More failed attention items than this exclude.",
            default=0,
        )
    )
    gold_tolerance: float = _limit(
        Number(
            label="Share of gold answers that may be wrong",
            help="0.1 means 10 %.",
            more="A larger share of gold answers far from the reference excludes.",
            noun="share",
            default=0.10,
        )
    )
    gold_distance: int = _limit(
        Whole(
            label="Gold counts as wrong from … steps off",
            help="1: any answer other than the reference is wrong.",
            more="2 in ADEPT; 1 where values have no order. Required in the file if the study has gold items.",
            least=1,
            unit="degrees",
            default=1,
            of_items=True,
        )
    )
    gold_least: int = _limit(
        Whole(
            label="Gold answers needed before excluding",
            help="With fewer, gold items exclude no one.",
            default=0,
        )
    )
    item_floor_ms: int = _limit(
        Whole(
            label="Minimum response time in ms (0: no rule)",
            help="Faster answers count as too fast.",
            more="The exclusion rules page suggests one from the times so far.",
            most=LONGEST_MS,
            unit="milliseconds",
            default=0,
        )
    )
    quick_tolerance: float = _limit(
        Number(
            label="Share of answers that may be too fast",
            help="With more, the annotator is excluded.",
            noun="share",
            default=0.10,
        )
    )
    sitting_floor_ms: int = _limit(
        Whole(
            label="Minimum median response time per batch in ms (0: no rule)",
            help="Annotators with a faster batch are excluded.",
            most=LONGEST_MS,
            unit="milliseconds",
            default=0,
        )
    )
    timed_least: int = _limit(
        Whole(
            label="Timed answers needed before excluding",
            help="With fewer, response times exclude no one.",
            more="For `sitting_floor_ms` they are those of one batch.",
            least=1,
            default=10,
        )
    )
    max_same_in_a_row: int = _limit(
        Whole(
            label="Same answer in a row allowed (0: no rule)",
            help="The same label, or the same position on the page.",
            more="More often than this in a row excludes.",
            default=0,
        )
    )
    max_in_pattern: int = _limit(
        Whole(
            label="Answers in a repeated pattern allowed (0: no rule)",
            help="A sequence of two to five answers, repeated.",
            more="Over more answers than this, they exclude.",
            default=0,
        )
    )
    stretch_chance: float = _limit(
        Number(
            label="Ignore patterns more likely than",
            help="Likelihood from other annotators’ answers to the same items.",
            noun="probability",
            default=0.01,
        )
    )
    after_exclusion: str = _limit(
        Choice(
            label="Items that lose a label by exclusion",
            help="Dropped items have no majority label and get no more labels.",
            more=(
                "`drop` follows the other version of ADEPT’s rule (Emami et al. 2021, section 4.1): the item’s "
                "other labels are set aside (state *dropped*), and it no longer counts as missing labels. A person "
                "who is answering the item at that moment can finish. If the annotator is reinstated, the item "
                "returns with all its labels, unless another exclusion also dropped it."
            ),
            choices={
                RECOLLECT: "are labeled again by others",
                DROP: "are dropped, with their other labels",
            },
            default=RECOLLECT,
        )
    )

    @classmethod
    def of(cls, declared: Mapping[str, Any]) -> Self:
        """The one among what a study declares, by name."""
        return cls(**{name: limit.declared_in(declared, name) for name, limit in QUALITY.items()})

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


QUALITY: dict[str, Value[Any]] = {one.name: one.metadata["setting"] for one in fields(Policy)}
# Those that are numbers.
LIMITS = {name: setting for name, setting in QUALITY.items() if not isinstance(setting, Choice)}
# Of a sitting: without checks in it, limits to them say nothing. They are fixed, and hashed, with the limits.
MIXED_IN = ("attention_per_sitting", "gold_per_sitting")


def fixed_hash(study: Any) -> str:
    """The sha256 of the limits and the checks in a sitting, which opening a study fixes; as JSON by name."""
    return digest(asdict(study.policy) | {name: getattr(study, name) for name in MIXED_IN})
