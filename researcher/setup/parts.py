"""Every part of a study's setup: those of the participant's path in its order, then what holds for all.

A part names settings by their paths in study.toml; what each is called, and what it may be, stands with the setting.
One that no part names stands behind the one that is declared before it.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any

from django import forms
from django.utils.translation import get_language_info

from annotation.editing import EDITABLE
from annotation.languages import of_pages
from annotation.models import Study
from annotation.platforms import PLATFORMS, Outcome
from annotation.setting import Rows, Setting
from annotation.studyfile.leaving import EVERY, HOME, REDIRECT, WHO
from researcher.setup.part_form import PEOPLE_SEE, PartForm, Sections

ITEMS, RECRUITMENT, MODELS = "Items and labels", "Recruitment", "Models"
# As the rail and the overview list the parts.
GROUPS = (PEOPLE_SEE, ITEMS, RECRUITMENT, MODELS)


class InformationForm(PartForm):
    key, heading = "information", "Information"
    says = "The first page, before anything is stored. What you leave empty is not said."
    covers = ("", "information")


class ConsentForm(PartForm):
    key, heading = "consent", "Consent"
    says = "A page with your text, to agree to or not. Nobody holds items before. Without a text there is no such page."
    covers = ("consent",)


class InstructionsForm(PartForm):
    key, heading = "instructions", "Instructions"
    says = (
        "On a page of their own where there is a consent or there are comprehension questions, else on the first page; "
        "always behind “Instructions” below an item."
    )
    sections = (("", "", ("instructions",)),)


class ComprehensionForm(PartForm):
    key, heading = "comprehension", "Comprehension questions"
    says = (
        "Questions about the instructions. Who has not answered all of them right after so many tries is screened out: "
        "never excluded, and no item is held."
    )
    covers, listed = ("comprehension",), "comprehension.questions"


class ItemsForm(PartForm):
    key, heading = "items", "Practice and items"
    says = "How the pages with items behave. The items themselves come with the study’s folder."
    covers = ("practice", "page")
    sections = (("", "", ("practice.feedback", "page.advance", "page.cannot_judge", "page.report_problem")),)

    def clean_practice__feedback(self) -> bool | None:
        # It is so unless the file says otherwise.
        return None if self.cleaned_data["practice__feedback"] else False


class QuestionnaireForm(PartForm):
    key, heading = "questionnaire", "Questionnaire"
    says = "A page behind the last item. The sitting is completed before it, whatever is answered here."
    covers, listed = ("questionnaire",), "questionnaire.fields"


class DebriefingForm(PartForm):
    key, heading = "debriefing", "Debriefing"
    says = "What people read before the last page. Without a text there is no such page."
    covers = ("debriefing",)


class LanguageForm(PartForm):
    key, heading = "language", "Languages"
    says = (
        "Buttons, hints and built-in scales are in the pages’ language; your own texts stay as you wrote them. Screen "
        "readers and the direction of writing go by what is said here."
    )
    group = RECRUITMENT
    sections = (("", "", ("language", "page.stimulus_language", "page.text_language")),)

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data, study=study)
        field = self.fields["language"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(tag, get_language_info(tag)["name"]) for tag in of_pages()]


class PlatformForm(PartForm):
    key, heading = "platform", "Platform, codes and ways back"
    says = "Who sends participants, and what they hand in and where they are led, for each way in which a sitting ends."
    group, covers = RECRUITMENT, ("codes", "return")
    sections = (("", "", ("collection.platform",)),)

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data, study=study)
        if platform := PLATFORMS.get(study.platform):
            for name, address in ((EVERY, platform.address), (HOME, platform.home)):
                if address and address != study.addresses.get(name):
                    # Where the field does not show it.
                    self.fields[f"return__{name}"].help_text += f" The platform’s own: {address}"

    @property
    def of_platform(self) -> list[forms.BoundField]:
        return self.groups[0][2]

    @property
    def outcomes(self) -> list[tuple[Outcome, str, forms.BoundField, forms.BoundField]]:
        return [(one, who, self[f"codes__{one.value}"], self[f"return__{one.value}"]) for one, (who, _) in WHO.items()]

    @property
    def has_own_addresses(self) -> bool:
        """Whether what is folded away says something, or is wrong."""
        return any(address.value() or address.errors for _, _, _, address in self.outcomes)

    @property
    def of_all(self) -> list[forms.BoundField]:
        return [self[f"return__{name}"] for name in (EVERY, HOME, REDIRECT)]


class IdsForm(PartForm):
    key, heading = "ids", "Ids, and who may begin"
    says = "What a link carries of a participant, and whom the study turns away. Most of it comes from the platform."
    group = RECRUITMENT
    # It decides what holds where nothing is said.
    beside = ("collection.platform",)
    sections = (
        (
            "The id",
            "Without one, each browser counts as one annotator.",
            ("collection.id_parameter", "collection.id_required", "collection.id_pattern", "collection.signed_ids"),
        ),
        (
            "What else the link carries",
            "Both are kept with the sitting.",
            ("collection.study_parameter", "collection.session_parameter"),
        ),
        (
            "Who may begin, and go on",
            "A sitting belongs to the browser that began it.",
            ("collection.recovery", "collection.excludes"),
        ),
        ("How long ids are kept", "", ("collection.forget_after_days",)),
    )


class LimitsForm(PartForm):
    key, heading = "limits", "Limits on starts"
    says = "So that invented ids, or a link that gets around, cannot take a study’s items."
    group = RECRUITMENT
    sections = (("", "", ("collection.max_starts", "collection.max_unanswered")),)


class LabelsForm(PartForm):
    key, heading = "labels", "Labels and sittings"
    says = "How many labels each item gets, and what one sitting has. Practice items come on top."
    group, covers = ITEMS, ("collection",)
    sections = (
        (
            "Labels",
            "",
            ("collection.labels_per_item", "collection.as_imported", "collection.max_items_per_annotator"),
        ),
        (
            "One sitting",
            "Checks are mixed in at random places. Their number is fixed when the study opens.",
            (
                "collection.sitting_length",
                "collection.attention_per_sitting",
                "collection.gold_per_sitting",
                "collection.lease_minutes",
            ),
        ),
        (
            "Balance",
            "Variants of one source are targets with the same group.",
            ("collection.lists", "collection.one_per_group", "collection.option_order"),
        ),
        ("Latin square by attribute", "", ("collection.condition_attribute", "collection.list_attribute")),
        ("Pay", "The payment queue says what an hour comes to.", ("collection.pay", "collection.currency")),
    )
    folded = ("Latin square by attribute",)


class QualityForm(PartForm):
    key, heading = "quality", "Quality policy"
    says = (
        "Whoever breaks one of these rules is excluded: their labels stay stored and stop counting. Payment is decided "
        "apart. The policy is fixed, and hashed, when the study opens."
    )
    group, covers = ITEMS, ("quality",)
    sections = (
        ("Attention checks", "", ("quality.max_attention_failures",)),
        ("Gold items", "", ("quality.gold_tolerance", "quality.gold_distance", "quality.gold_least")),
        (
            "Time",
            "Quantiles of a pilot’s response times propose floors.",
            ("quality.item_floor_ms", "quality.quick_tolerance", "quality.sitting_floor_ms", "quality.timed_least"),
        ),
        (
            "The same answers again and again",
            "",
            ("quality.max_same_in_a_row", "quality.max_in_pattern", "quality.stretch_chance"),
        ),
        ("What becomes of their items", "", ("quality.after_exclusion",)),
    )


class ResultsForm(PartForm):
    key, heading = "scoring", "Scoring and results"
    says = "What models are asked of each item, and what nearness to people is measured by."
    group, covers = MODELS, ("results", "scoring")


class PromptForm(PartForm):
    key, heading = "prompt", "Asking models in words"
    says = (
        "For the metrics prompted and sampled. A run keeps the prompt that it was started with, under a version of its "
        "own; started again with another, it begins anew."
    )
    group, covers = MODELS, ("prompt",)
    sections = (
        ("What is said", "", ("prompt.system", "prompt.template", "prompt.shots")),
        (
            "Several asks",
            "For the metric sampled alone: replies are read as text, and the most frequent answer decides. "
            "An item has no decision where it changes with the order of the options.",
            ("prompt.asks", "prompt.temperature", "prompt.answer_tokens"),
        ),
    )


PARTS: dict[str, type[PartForm]] = {
    form.key: form
    for form in (
        InformationForm,
        ConsentForm,
        InstructionsForm,
        ComprehensionForm,
        ItemsForm,
        QuestionnaireForm,
        DebriefingForm,
        LanguageForm,
        PlatformForm,
        IdsForm,
        LimitsForm,
        LabelsForm,
        QualityForm,
        ResultsForm,
        PromptForm,
    )
}


def sections_of(part: type[PartForm], settings: Mapping[str, Setting]) -> Sections:
    """The part's, with what no part names: it stands behind the setting before it in its table, and the first of a
    table last in the part that covers it. A list of tables has pages of its own.
    """
    named = {path for form in PARTS.values() for _, _, paths in form.sections for path in paths}
    follows: dict[str, str] = {}
    first: list[str] = []
    last: dict[str, str] = {}
    for path in (path for path, setting in settings.items() if not isinstance(setting, Rows)):
        table = path.rpartition(".")[0]
        if path not in named and table in last:
            follows[last[table]] = path
        elif path not in named and table in part.covers:
            first.append(path)
        last[table] = path

    def run(path: str) -> tuple[str, ...]:
        return (path, *(run(follows[path]) if path in follows else ()))

    first.sort(key=lambda path: part.covers.index(path.rpartition(".")[0]))
    sections = (*part.sections, *([("", "", tuple(first))] if first else []))
    return tuple((heading, says, tuple(chain.from_iterable(map(run, paths)))) for heading, says, paths in sections)


for _form in PARTS.values():
    _form.sections = sections_of(_form, EDITABLE)
