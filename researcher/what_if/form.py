"""The limits of a policy as a form of an address: what is left out is the study's own."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from django import forms

from annotation.models import Study
from annotation.quality.policy import LIMITS, Policy
from annotation.studyfile import QUALITY

SHARES = ("gold_tolerance", "quick_tolerance", "stretch_chance")
LABELS = {
    "max_attention_failures": "Failed attention checks allowed",
    "gold_tolerance": "Share of gold answers that may be far off",
    "gold_distance": "Degrees from the reference that are far off",
    "gold_least": "Gold answers needed to decide",
    "item_floor_ms": "Least milliseconds for an answer (0: no rule)",
    "quick_tolerance": "Share of timed answers that may be quicker",
    "sitting_floor_ms": "Least median milliseconds of a sitting (0: no rule)",
    "timed_least": "Timed answers needed to decide",
    "max_same_in_a_row": "Same answer in a row allowed (0: no rule)",
    "max_in_pattern": "Answers in a repeated pattern allowed (0: no rule)",
    "stretch_chance": "Chance from which a row or pattern is excused",
}


class PolicyForm(forms.Form):
    """A field for each limit; its value must be what study.toml asks for."""

    def __init__(self, asked: Mapping[str, str], *, study: Study) -> None:
        own = {name: str(value) for name, value in asdict(Policy.of(study)).items()}
        super().__init__({**own, **{name: asked[name] for name in LIMITS if asked.get(name)}})
        self.after_exclusion = study.after_exclusion
        self.greatest = study.task.scale.greatest_distance
        for name in LIMITS:
            kind = forms.FloatField if name in SHARES else forms.IntegerField
            self.fields[name] = kind(label=LABELS[name], widget=_number(name))

    def clean(self) -> dict[str, Any]:
        for name, value in list(self.cleaned_data.items()):
            if not QUALITY[name].holds(value):
                self.add_error(name, f"It must be {QUALITY[name].must_be}.")
        if self.cleaned_data.get("gold_distance", 0) > self.greatest:
            self.add_error("gold_distance", f"No two answers of this task are more than {self.greatest} apart.")
        return self.cleaned_data

    def policy(self) -> Policy:
        return Policy(**self.cleaned_data, after_exclusion=self.after_exclusion)


def _number(name: str) -> forms.NumberInput:
    most = {"max": 1, "step": "any"} if name in SHARES else {}
    return forms.NumberInput(attrs={"min": 0, "class": "short", **most})
