"""Baselines that give labels, without looking at any text but an item's own: the most common one, ADEPT's rule, and one
by chance. They keep the contract of every scorer; their rules are B1 to B3 in docs/metrics.md.
"""

import random
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Protocol

from annotation.tasktypes.contract import Labeled, LabelNumbers, Result, ScoreRequest, TaskType, Unscored
from scoring.scorers.contract import ModelSpec


class LabeledStudy(Protocol):
    """What a baseline may know of a study before it is run there. Its scorer knows only what `settings` made of it."""

    slug: str
    task_type: str
    nonsubsective: Any

    @property
    def task(self) -> TaskType: ...

    @property
    def has_labels(self) -> bool: ...

    @property
    def has_one_role(self) -> bool: ...

    def label_counts(self) -> tuple[str, Counter[str]]: ...


class LabelScorer:
    """One of them: its `name` on pages, what its row keeps, how it goes with a study. It answers `Labeled` alone."""

    name: ClassVar[str]
    kept: ClassVar[Mapping[str, Any]] = {}

    @classmethod
    def misfit(cls, study: LabeledStudy) -> str | None:
        """Why it cannot be run there, as a sentence, or None."""
        return None

    @classmethod
    def settings_of(cls, study: LabeledStudy) -> dict[str, Any]:
        """What it is opened with there."""
        return dict(cls.kept)

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.settings = settings

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        return [
            self.answer(request)
            if isinstance(request, Labeled)
            else Unscored("a baseline gives labels, not probabilities")
            for request in requests
        ]

    def answer(self, request: Labeled) -> Result:
        raise TypeError(f"{type(self).__name__} does not define how it answers")

    def provenance(self) -> dict[str, Any]:
        return {"settings": dict(self.settings)}


class MajorityScorer(LabelScorer):
    """The most common label, always."""

    name = "Majority label"

    @classmethod
    def misfit(cls, study: LabeledStudy) -> str | None:
        if study.has_one_role:
            return (
                f"{study.slug}: every item has the same correct answer by design, so a constant label is not a "
                f"baseline."
            )
        if study.has_labels:
            return None
        return f"{study.slug} has no references or valid labels yet, so there is no most common label."

    @classmethod
    def settings_of(cls, study: LabeledStudy) -> dict[str, Any]:
        """The most common label, of what it is the most common (`of`), and how often: `count` of `n`."""
        of, counts = study.label_counts()
        if not counts:
            return {"label": None, "reason": "the study has no references or labels, so there is no most common label"}
        # Among equally common labels the first on the scale, so that the run can be repeated.
        values = study.task.scale.values
        label = max(values, key=lambda value: (counts[value], -values.index(value)))
        return {"label": label, "of": of, "n": counts.total(), "count": counts[label]}

    def answer(self, request: Labeled) -> Result:
        label = self.settings["label"]
        return Unscored(self.settings["reason"]) if label is None else LabelNumbers(label)


class NormativeScorer(LabelScorer):
    """By the study's list of non-subsective adjectives (ADEPT, section 5.2)."""

    name = "Normative rule (ADEPT)"

    @classmethod
    def misfit(cls, study: LabeledStudy) -> str | None:
        if study.task_type != "plausibility":
            return "The normative rule needs a plausibility study, because it is about modifiers."
        if not study.nonsubsective:
            return (
                f"{study.slug} lists no non-subsective adjectives, which the normative rule needs (study.toml: "
                f"[scoring] nonsubsective; import_study adept: --nonsubsective FILE)."
            )
        return None

    @classmethod
    def settings_of(cls, study: LabeledStudy) -> dict[str, Any]:
        return {"nonsubsective": study.nonsubsective}

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        super().__init__(spec, metric=metric, settings=settings)
        self.nonsubsective = {_bare(adjective) for adjective in settings["nonsubsective"]}

    def answer(self, request: Labeled) -> Result:
        if request.focus is None:
            return Unscored("the normative rule needs a modifier, but this item has none")
        return LabelNumbers("less_likely" if _bare(request.focus) in self.nonsubsective else "equally_likely")


def _bare(adjective: str) -> str:
    """As it is looked up: case does not matter, nor the hyphen that marks a prefix (`anti-`)."""
    return adjective.casefold().strip("-")


class RandomScorer(LabelScorer):
    """It depends on the seed and the text alone, so the order of work does not matter."""

    name = "Random label"
    kept: ClassVar[Mapping[str, Any]] = {"seed": 1}

    def answer(self, request: Labeled) -> Result:
        rng = random.Random(f"{self.settings['seed']}/{request.text}/{request.paired}")
        return LabelNumbers(rng.choice(request.labels))
