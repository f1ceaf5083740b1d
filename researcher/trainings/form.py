"""The form that starts a training: the studies to learn from, the encoder, and the recipe's settings to change."""

from typing import Any

from django import forms

from scoring.scorers.recipes import Recipe
from training.classifier.bases import bases_here
from training.classifier.collecting import studies_for
from training.classifier.settings import DEFAULTS, NUMBERS, SCHEDULES, Settings

# What most trainings differ in; the rest is folded away.
OFTEN = ("studies", "base", "learning_rate", "epochs", "batch_size", "seed", "max_length")


class TrainingForm(forms.Form):
    """One training of one recipe. Where it is valid, `settings` are settings that have no faults."""

    studies = forms.MultipleChoiceField(
        label="Learns from",
        widget=forms.CheckboxSelectMultiple,
        help_text="Items with a reference. Part of them is held out to choose the best epoch by.",
    )
    base = forms.ChoiceField(label="Begins with", help_text="An encoder that is here.")
    learning_rate = forms.FloatField(label="Learning rate", help_text="The peak of the schedule.")
    epochs = forms.IntegerField(label="Epochs", help_text="Passes over the items. The best one is kept.")
    batch_size = forms.IntegerField(label="Batch size", help_text="Items a step.")
    seed = forms.IntegerField(label="Seed", help_text="Of the new layer, the order of items, and dropout.")
    max_length = forms.IntegerField(
        label="Longest text, in tokens",
        required=False,
        help_text="Longer passages are cut. Empty: nothing is cut, and one that the encoder cannot read ends it.",
    )
    schedule = forms.ChoiceField(label="Schedule of the learning rate", choices=[(name, name) for name in SCHEDULES])
    warmup_steps = forms.IntegerField(label="Warm-up steps", help_text="In which the rate rises.")
    weight_decay = forms.FloatField(label="Weight decay", help_text="Of AdamW.")
    beta1 = forms.FloatField(label="Beta 1", help_text="Of AdamW.")
    beta2 = forms.FloatField(label="Beta 2", help_text="Of AdamW.")
    max_grad_norm = forms.FloatField(label="Longest gradient", help_text="Longer ones are cut to it.")
    held_out = forms.FloatField(label="Share held out", help_text="Of the items, to choose by.")
    split_seed = forms.IntegerField(label="Seed of the split", help_text="Draws the part that is held out.")
    numbers = forms.ChoiceField(
        label="Numbers",
        choices=[(name, name) for name in NUMBERS],
        help_text="Of the products while it learns: bfloat16 is quicker where the processor has it.",
    )
    apart_from = forms.MultipleChoiceField(
        label="Leaves out what is also in",
        required=False,
        widget=forms.CheckboxSelectMultiple,
        help_text="Items whose texts stand in these studies are not learnt from, so that they stay a test.",
    )

    def __init__(self, recipe: Recipe, data: Any = None) -> None:
        super().__init__(data, initial=DEFAULTS[recipe.key].as_json(), auto_id="training-%s", label_suffix="")
        self.recipe = recipe
        found, bases = studies_for(recipe), bases_here()
        self._offer("studies", [(study.slug, f"{study.title} ({count:,} items)") for study, count in found])
        self._offer("apart_from", [(study.slug, study.title) for study, _ in found])
        self._offer("base", bases)
        # Why nothing can be started with this recipe; empty where something can.
        self.why_none = "" if bases else "No encoder is in place. Run manage.py fetch_models once."
        if not found:
            self.why_none = f"No study of the type {recipe.task_type} has items with a reference. Import one first."
        if not recipe.cuts:
            del self.fields["max_length"]

    def _offer(self, name: str, choices: list[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors:
            for fault in self.settings.faults():
                self.add_error(None, fault)
        return cleaned

    @property
    def settings(self) -> Settings:
        """The numbers as they were filled in."""
        said = {name: self.cleaned_data[name] for name in Settings.__dataclass_fields__ if name in self.cleaned_data}
        return Settings(**said)

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
