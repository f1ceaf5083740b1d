"""`majority` (docs/metrics.md, B1): the most common label of a study, of its references or of what people gave."""

from typing import Any

from annotation.tasktypes.contract import Labeled, LabelNumbers, Result, Unscored
from scoring.baselines.labels import AskedStudy, LabelBaseline, LabelScorer


class MajorityScorer(LabelScorer):
    """The most common label, always."""

    def answer(self, request: Labeled) -> Result:
        label = self.settings["label"]
        return Unscored(self.settings["reason"]) if label is None else LabelNumbers(label)


def misfit(study: AskedStudy) -> str | None:
    if study.has_one_role:
        return f"{study.slug}: every item has the same right answer by design, so a constant label is not a baseline."
    if study.has_labels:
        return None
    return f"{study.slug} has neither references nor labels that count yet, so no label is the most common."


def settings(study: AskedStudy) -> dict[str, Any]:
    """The most common label, of what it is the most common (`of`), and how often: `count` of `n`."""
    of, counts = study.label_counts()
    if not counts:
        return {"label": None, "reason": "the study has neither references nor labels, so none is the most common"}
    # Among equally common labels the first on the scale, so that the run can be repeated.
    values = study.task.scale.values
    label = max(values, key=lambda value: (counts[value], -values.index(value)))
    return {"label": label, "of": of, "n": counts.total(), "count": counts[label]}


BASELINE = LabelBaseline(name="Majority label", scorer=MajorityScorer, misfit=misfit, settings=settings)
