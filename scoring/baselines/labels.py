"""Baselines: answers that read little or nothing. They keep the contract of every scorer."""

import random
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.tasktypes.contract import Labelled, LabelNumbers, Result, ScoreRequest, Unscored
from scoring.scorers import ModelSpec


class Baseline:
    """What the three share: only `Labelled` requests make sense to them."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        self.settings = settings

    def score(self, requests: Sequence[ScoreRequest]) -> list[Result]:
        return [
            self.answer(request)
            if isinstance(request, Labelled)
            else Unscored("a baseline gives labels, and this asks for a probability")
            for request in requests
        ]

    def answer(self, request: Labelled) -> Result:
        raise TypeError(f"{type(self).__name__} does not say how it answers")

    def provenance(self) -> dict[str, Any]:
        return {"settings": dict(self.settings)}


class MajorityScorer(Baseline):
    """The most common label of the study, always: of its references, or of people's labels (docs/metrics.md, B1)."""

    def answer(self, request: Labelled) -> Result:
        label = self.settings["label"]
        return Unscored(self.settings["reason"]) if label is None else LabelNumbers(label)


class NormativeScorer(Baseline):
    """A non-subsective modifier makes it less likely, any other leaves it equally likely (ADEPT, section 5.2)."""

    def __init__(self, spec: ModelSpec, *, metric: str, settings: Mapping[str, Any]) -> None:
        super().__init__(spec, metric=metric, settings=settings)
        self.nonsubsective = {_bare(adjective) for adjective in settings["nonsubsective"]}

    def answer(self, request: Labelled) -> Result:
        if request.focus is None:
            return Unscored("the normative rule needs a modifier, and this item has none")
        return LabelNumbers("less_likely" if _bare(request.focus) in self.nonsubsective else "equally_likely")


class RandomScorer(Baseline):
    """A label by chance. It depends on the seed and the text alone, so the order of work does not matter."""

    def answer(self, request: Labelled) -> Result:
        rng = random.Random(f"{self.settings['seed']}/{request.text}/{request.paired}")
        return LabelNumbers(rng.choice(request.labels))


def _bare(adjective: str) -> str:
    """As it is looked up: case does not matter, nor the hyphen that marks a prefix (`anti-`)."""
    return adjective.casefold().strip("-")
