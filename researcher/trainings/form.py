"""The form that starts a training: the studies to learn from, the encoder, and the recipe's settings to change."""

from dataclasses import Field, fields
from typing import Any

from django import forms
from django.db.models import QuerySet

from annotation.models import Study
from annotation.tasktypes import task_type
from corpus.errors import counted
from scoring.scorers.recipes import Recipe
from training.classifier.bases import bases_here
from training.classifier.collecting import Teaching, teaching
from training.classifier.settings import (
    ALL,
    DEFAULTS,
    NO_LABEL,
    REFERENCE,
    Settings,
    grid_points,
    label_left_out,
)
from training.models import Training
from training.shared.settings import faults, is_whole, label

# What a grid is started over here, each value ticked; the command has the other axes.
SEVERAL = ("learns", "without")
OF_SEVERAL = {
    "learns": "If both, both are trained and the better one is kept.",
    "without": "One training for each selected value.",
}
# What most trainings differ in; the rest is folded away.
OFTEN = ("studies", "taught_by", "base", "learning_rate", "epochs", "batch_size", "seed", "max_length")


class TrainingForm(forms.Form):
    """One training of one recipe, or a small grid. Where it is valid, `points` are settings that have no faults."""

    studies = forms.MultipleChoiceField(
        label="Training studies",
        widget=forms.CheckboxSelectMultiple,
        help_text="Part of the items is held out to choose the best epoch.",
    )
    taught_by = forms.ChoiceField(
        label="Labels",
        choices=Training.TaughtBy,
        widget=forms.RadioSelect,
        help_text="Items without a majority of at least two labels are left out.",
    )
    base = forms.ChoiceField(label="Base model", help_text="An installed encoder.")
    apart_from = forms.MultipleChoiceField(
        label="Leave out items of",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Items of these studies stay unseen, for testing.",
    )

    def __init__(self, recipe: Recipe, data: Any = None, *, among: QuerySet[Study]) -> None:
        """`among` are the studies whose items its reader may train on."""
        begins = DEFAULTS[recipe.key].as_json() | {"taught_by": REFERENCE, "learns": [ALL], "without": [NO_LABEL]}
        super().__init__(data, initial=begins, auto_id="training-%s", label_suffix="")
        self.recipe = recipe
        last = self.fields.pop("apart_from")
        self.fields |= {one.name: _field(one) for one in fields(Settings)} | {"apart_from": last}
        self._offer_labels()
        found, bases = teaching(recipe, among), bases_here()
        self._offer("studies", [(one.study.slug, _with_counts(one)) for one in found])
        self._offer("apart_from", [(one.study.slug, f"{one.study.title} ({one.study.slug})") for one in found])
        self._offer("base", bases)
        # Why nothing can be started with this recipe; empty where something can.
        self.why_none = (
            "" if bases else "No encoder is installed. Ask the administrator for one (manage.py fetch_models)."
        )
        if not found:
            self.why_none = (
                f"No study of the type {recipe.task_type} has items with a reference or a majority label. Import one "
                "first."
            )
        if not recipe.cuts:
            del self.fields["max_length"]

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def _offer_labels(self) -> None:
        """One may be left out where more than one is left then."""
        labels = task_type(self.recipe.task_type).configured({}).scale.labels
        if len(labels) < 3:
            del self.fields["without"]
        else:
            self._offer(
                "without", [(NO_LABEL, "none: keep all labels"), *((label.value, label.text) for label in labels)]
            )

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors:
            for fault in dict.fromkeys(fault for point in self.points for fault in faults(point)):
                self.add_error(None, fault)
        return cleaned

    @property
    def points(self) -> list[Settings]:
        """The settings as they were filled in: one, or those of a grid."""
        said = {name: self.cleaned_data[name] for name in Settings.__dataclass_fields__ if name in self.cleaned_data}
        axes = {name: said.pop(name) for name in SEVERAL if name in said}
        if "without" in axes:
            axes["without"] = [label_left_out(one) for one in axes["without"]]
        return grid_points(Settings(**said), axes)

    @property
    def often(self) -> list[forms.BoundField]:
        return [self[name] for name in OFTEN if name in self.fields]

    @property
    def rarely(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in OFTEN]

    @property
    def has_rare_faults(self) -> bool:
        """Whether something is wrong with what is folded away."""
        return any(field.errors for field in self.rarely)


def _with_counts(one: Teaching) -> str:
    """`Pilot (pilot-2: 180 items, 170 with a majority)`: which it is, and what each choice of labels would find."""
    found = [counted(one.references, "item")] if one.references else []
    found += [f"{one.majorities:,} with a majority{' of synthetic labels' * one.study.people.are_synthetic}"] * (
        one.majorities > 0
    )
    return f"{one.study.title} ({one.study.slug}: {', '.join(found)})"


def _field(one: Field[Any]) -> forms.Field:
    """What its setting says, as a field of a page. What it may not be is told by `faults`."""
    meaning: str = one.metadata["meaning"]
    choices = [(name, name) for name in one.metadata["choices"]]
    words: dict[str, Any] = {"label": label(one), "help_text": f"{meaning[0].upper()}{meaning[1:]}."}
    if one.name in SEVERAL:
        words["help_text"] += f" {OF_SEVERAL[one.name]}"
        return forms.MultipleChoiceField(choices=choices, widget=forms.CheckboxSelectMultiple, **words)
    if choices:
        return forms.ChoiceField(choices=choices, **words)
    made = forms.IntegerField if is_whole(one) else forms.FloatField
    return made(required=one.default is not None, **words)
