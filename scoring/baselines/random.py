"""`random` (docs/metrics.md, B3): a label by chance."""

import random
from typing import Any

from annotation.tasktypes.contract import Labeled, LabelNumbers, Result
from scoring.baselines.labels import AskedStudy, LabelBaseline, LabelScorer

SEEDED = {"seed": 1}


class RandomScorer(LabelScorer):
    """It depends on the seed and the text alone, so the order of work does not matter."""

    def answer(self, request: Labeled) -> Result:
        rng = random.Random(f"{self.settings['seed']}/{request.text}/{request.paired}")
        return LabelNumbers(rng.choice(request.labels))


def misfit(study: AskedStudy) -> str | None:
    """It can be run anywhere."""
    return None


def settings(study: AskedStudy) -> dict[str, Any]:
    return dict(SEEDED)


BASELINE = LabelBaseline(name="Random label", scorer=RandomScorer, misfit=misfit, settings=settings, kept=SEEDED)
