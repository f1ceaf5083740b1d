"""Gold items from a pilot, offered on the setup of a draft: which pilots there are, and how many items of each."""

from dataclasses import dataclass

from django import forms
from django.db.models import QuerySet

from annotation.drafting.gold import LEAST, all_alike
from annotation.models import Study
from annotation.models.population import StudyPopulation


class GoldForm(forms.Form):
    """One of the pilots, and how many labels an item must have."""

    pilot = forms.ChoiceField(label="Pilot")
    least = forms.IntegerField(
        label="Labels that an item must have",
        min_value=2,
        max_value=1000,
        initial=LEAST,
        help_text="All of them the same.",
    )

    def __init__(self, data: object = None, *, pilots: list["Pilot"]) -> None:
        super().__init__(data, auto_id="gold-%s", label_suffix="")  # type: ignore[arg-type]
        field = self.fields["pilot"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(one.study.slug, f"{one.study.title} ({one.items:,} items)") for one in pilots]


@dataclass(frozen=True, slots=True)
class Pilot:
    """`items`: those with LEAST labels or more that are all the same."""

    study: Study
    items: int


def pilots_for(study: Study, visible: "QuerySet[Study]") -> list[Pilot]:
    """Of the studies that the reader may see, those of the same task that people labeled alike; of a draft alone."""
    if study.has_opened:
        return []
    alike = visible.filter(task_type=study.task_type, population=StudyPopulation.PEOPLE).exclude(pk=study.pk)
    found = [one for one in alike.order_by("title", "slug") if one.task_settings == study.task_settings]
    counted = [Pilot(one, all_alike(one, least=LEAST).count()) for one in found]
    return [one for one in counted if one.items]
