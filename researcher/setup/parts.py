"""Every part of a study's setup: those of the participant's path in order, then the rest. Each names its settings."""

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
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import TaskType
from researcher.setup.part_form import PEOPLE_SEE, PartForm, Sections

ITEMS, RECRUITMENT, MODELS = "Items and labels", "Recruitment", "Models"
# As the rail and the overview list the parts.
GROUPS = (PEOPLE_SEE, ITEMS, RECRUITMENT, MODELS)


class InformationForm(PartForm):
    key, heading = "information", "Information"
    says = "The first page. Nothing is stored before it. Empty fields are not shown."
    covers = ("", "information")
    sections = (
        ("", "", ("title", "information.minutes", "collection.pay", "collection.currency", "information.pay")),
        ("", "", ("information.researcher",)),
    )


class ConsentForm(PartForm):
    key, heading = "consent", "Consent"
    says = "People agree or decline before they get items. Leave the text empty to skip this page."
    covers = ("consent",)


class InstructionsForm(PartForm):
    key, heading = "instructions", "Instructions"
    says = (
        "Shown on their own page, or on the first page without consent and comprehension questions. Always "
        "available below an item."
    )
    sections = (("", "", ("instructions",)),)


class ComprehensionForm(PartForm):
    key, heading = "comprehension", "Comprehension questions"
    says = "Questions about the instructions. People who do not answer all correctly are screened out."
    covers, listed = ("comprehension",), "comprehension.questions"


class ItemsForm(PartForm):
    key, heading = "items", "Practice and items"
    says = "How pages with items behave."
    covers = ("practice", "page")
    sections = (("", "", ("practice.feedback", "page.advance", "page.cannot_judge", "page.report_problem")),)

    def clean_practice__feedback(self) -> bool | None:
        # It is so unless the file says otherwise.
        return None if self.cleaned_data["practice__feedback"] else False


class QuestionnaireForm(PartForm):
    key, heading = "questionnaire", "Questionnaire"
    says = "Questions after the last item. The batch counts as completed even without answers here."
    covers, listed = ("questionnaire",), "questionnaire.fields"


class DebriefingForm(PartForm):
    key, heading = "debriefing", "Debriefing"
    says = "Text before the last page. Leave it empty to skip this page."
    covers = ("debriefing",)


class LanguageForm(PartForm):
    key, heading = "language", "Languages"
    says = "The pages’ language sets buttons, hints and built-in scales. Your own texts are not translated."
    group = RECRUITMENT
    sections = (("", "", ("language", "page.stimulus_language", "page.text_language")),)

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data, study=study)
        field = self.fields["language"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(tag, get_language_info(tag)["name"]) for tag in of_pages()]


class PlatformForm(PartForm):
    key, heading = "platform", "Platform and codes"
    says = "Recruitment platform, and the completion code and return URL for each outcome."
    group, covers = RECRUITMENT, ("codes", "return")
    sections = (("", "", ("collection.platform",)),)

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data, study=study)
        if platform := PLATFORMS.get(study.platform):
            for name, address in ((EVERY, platform.address), (HOME, platform.home)):
                if address and address != study.addresses.get(name):
                    # Where the field does not show it.
                    self.fields[f"return__{name}"].help_text += f" Platform default: {address}"

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
    key, heading = "ids", "Participant IDs"
    says = "How people are recognized, and who is turned away."
    group = RECRUITMENT
    # It decides what holds where nothing is said.
    beside = ("collection.platform",)
    sections = (
        (
            "ID in the link",
            "Without an ID, each browser counts as one annotator.",
            ("collection.id_parameter", "collection.id_required", "collection.id_pattern", "collection.signed_ids"),
        ),
        (
            "Other URL parameters",
            "Both are stored with the batch.",
            ("collection.study_parameter", "collection.session_parameter"),
        ),
        (
            "Who can start and resume",
            "A batch belongs to the browser it was started in.",
            ("collection.recovery", "collection.excludes"),
        ),
        ("ID retention", "", ("collection.forget_after_days",)),
    )
    folded = ("Other URL parameters", "ID retention")


class LimitsForm(PartForm):
    key, heading = "limits", "Start limits"
    says = "Protects items from invented IDs and forwarded links."
    group = RECRUITMENT
    sections = (("", "", ("collection.max_starts", "collection.max_unanswered")),)


class TaskForm(PartForm):
    """What is asked of an item; the names of options stand in the items, so that they are only shown."""

    key, heading = "question", "Question"
    says = "What annotators are asked about each item."
    group, covers = ITEMS, ("task",)

    def __init__(self, data: Any = None, *, study: Study) -> None:
        super().__init__(data, study=study)
        if "task__options" in self.fields:
            self.fields["task__options"].disabled = True
            self.fields[
                "task__options"
            ].help_text = "Names of the option columns. Annotators see each item’s own words."
        if "task__points" in self.fields and study.runs.exists():
            self.fields["task__points"].disabled = True
            self.fields[
                "task__points"
            ].help_text = "Models have answered on this scale. Remove their runs to change it."

    def has(self, path: str) -> bool:
        return path.removeprefix("task.") in self.study.task.settings

    @property
    def shows(self) -> bool:
        return True

    @property
    def task(self) -> TaskType:
        """As typed; as it is stored where that is no task."""
        typed = {path.removeprefix("task."): self.field_value(name) for name, path in self.paths.items()}
        kind = task_type(self.study.task_type)
        return self.study.task if kind.faults_in_settings(typed) else kind.configured(typed)

    def field_value(self, name: str) -> Any:
        """What a field holds, typed or stored, as the study file would have it."""
        field = self[name]
        return field.initial if field.field.disabled else field.field.clean(field.value())


class LabelsForm(PartForm):
    key, heading = "labels", "Labels per item"
    says = "How many labels each item gets, and what one batch contains."
    group, covers = ITEMS, ("collection",)
    sections = (
        (
            "Labels",
            "",
            ("collection.labels_per_item", "collection.as_imported", "collection.max_items_per_annotator"),
        ),
        (
            "Batch",
            "Checks appear at random positions. Opening the study locks their number.",
            (
                "collection.sitting_length",
                "collection.attention_per_sitting",
                "collection.gold_per_sitting",
                "collection.lease_minutes",
            ),
        ),
        (
            "Balance",
            "Items of the same group are variants of one source.",
            ("collection.lists", "collection.one_per_group", "collection.option_order"),
        ),
        ("Latin square by attribute", "", ("collection.condition_attribute", "collection.list_attribute")),
    )
    folded = ("Balance", "Latin square by attribute")


class QualityForm(PartForm):
    key, heading = "quality", "Exclusion rules"
    says = (
        "Annotators who break a rule are excluded: their labels are kept but do not count. Payment is a separate "
        "decision. Opening the study locks these rules."
    )
    group, covers = ITEMS, ("quality",)
    sections = (
        ("Attention checks", "", ("quality.max_attention_failures",)),
        ("Gold items", "", ("quality.gold_tolerance", "quality.gold_distance", "quality.gold_least")),
        (
            "Time",
            "Try a pilot first and read minimum times from its response times.",
            ("quality.item_floor_ms", "quality.quick_tolerance", "quality.sitting_floor_ms", "quality.timed_least"),
        ),
        (
            "Repeated answers",
            "",
            ("quality.max_same_in_a_row", "quality.max_in_pattern", "quality.stretch_chance"),
        ),
        ("Items of excluded annotators", "", ("quality.after_exclusion",)),
    )


class ResultsForm(PartForm):
    key, heading = "scoring", "Scoring and results"
    says = "Metrics of models, and how they are compared with people."
    group, covers = MODELS, ("results", "scoring")

    def has(self, path: str) -> bool:
        # One baseline reads it, which answers in steps of plausibility.
        return path != "scoring.nonsubsective" or self.study.task_type == "plausibility"


class PromptForm(PartForm):
    key, heading = "prompt", "Prompt"
    says = "For the metrics prompted and sampled. A run keeps the prompt it was started with."
    group, covers = MODELS, ("prompt",)
    sections = (
        ("Messages", "", ("prompt.system", "prompt.template", "prompt.shots")),
        (
            "Sampling",
            "Only for the metric sampled: the most frequent answer over all prompts counts.",
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
        TaskForm,
        LabelsForm,
        QualityForm,
        ResultsForm,
        PromptForm,
    )
}


def sections_of(part: type[PartForm], settings: Mapping[str, Setting]) -> Sections:
    """The part's sections, with the settings that no part lists: each stands after the one before it in its table,
    and the first of a table last in the part that covers it. A list of tables has pages of its own.
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
