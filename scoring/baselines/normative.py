"""`normative` (docs/metrics.md, B2): a non-subsective modifier makes it less likely, any other leaves it equally so."""

from collections.abc import Mapping
from typing import Any

from annotation.tasktypes.contract import Labeled, LabelNumbers, Result, Unscored
from scoring.baselines.labels import AskedStudy, LabelBaseline, LabelScorer
from scoring.scorers.contract import ModelSpec


class NormativeScorer(LabelScorer):
    """By the study's list of non-subsective adjectives (ADEPT, section 5.2)."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        super().__init__(spec, metric=metric, settings=settings)
        self.nonsubsective = {_bare(adjective) for adjective in settings["nonsubsective"]}

    def answer(self, request: Labeled) -> Result:
        if request.focus is None:
            return Unscored("the normative rule needs a modifier, and this item has none")
        return LabelNumbers("less_likely" if _bare(request.focus) in self.nonsubsective else "equally_likely")


def misfit(study: AskedStudy) -> str | None:
    if study.task_type != "plausibility":
        return "The normative rule is about modifiers, so it needs a plausibility study."
    if not study.nonsubsective:
        return (
            f"{study.slug} names no non-subsective adjectives, which the normative rule needs "
            "(study.toml: [scoring] nonsubsective; import_study adept: --nonsubsective FILE)."
        )
    return None


def settings(study: AskedStudy) -> dict[str, Any]:
    return {"nonsubsective": study.nonsubsective}


def _bare(adjective: str) -> str:
    """As it is looked up: case does not matter, nor the hyphen that marks a prefix (`anti-`)."""
    return adjective.casefold().strip("-")


BASELINE = LabelBaseline(name="Normative rule (ADEPT)", scorer=NormativeScorer, misfit=misfit, settings=settings)
