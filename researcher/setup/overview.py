"""Where a study's path stands: one line for each part, what is fixed, and pilots whose gold items a draft can take."""

from collections import Counter
from dataclasses import dataclass

from django import forms
from django.conf import settings
from django.db.models import QuerySet
from django.utils.translation import get_language_info

from annotation.arrival.way_back import gives_code
from annotation.balancing import square
from annotation.drafting.gold import LEAST, all_alike
from annotation.models import Consent, Item, Study
from annotation.models.population import StudyPopulation
from annotation.models.study import Advance
from annotation.platforms import PLATFORMS, Outcome
from annotation.quality.policy import Policy
from annotation.quality.sentences import rules, warnings
from annotation.stages.declared import Stages
from annotation.studyfile.tables import MEASURES
from researcher.setup.parts import GROUPS, PARTS
from scoring.metrics import METRICS
from scoring.models import LanguageModel
from scoring.runs.fitting import choices_for


@dataclass(frozen=True, slots=True)
class SetupLine:
    """`is_there` is False for a stage that the study does not have."""

    key: str
    heading: str
    is_there: bool
    says: str


@dataclass(frozen=True, slots=True)
class Overview:
    """`tables`: the parts of the participant's path, and what holds for all of it."""

    tables: list[tuple[str, list[SetupLine]]]
    warnings: list[str]


def read_overview(study: Study) -> Overview:
    said = _said(study)
    tables = [
        (
            group,
            [
                SetupLine(key, form.heading, bool(said[key]), said[key] or "none")
                for key, form in PARTS.items()
                if form.group == group
            ],
        )
        for group in GROUPS
    ]
    return Overview(tables, warnings(study))


def consent_facts(study: Study) -> tuple[str, int]:
    """The version of the text that people are asked to agree to now, and how many have decided on it."""
    consent = study.path.consent
    if consent is None:
        return "", 0
    decided = Consent.objects.filter(version__study=study, version__version=consent.version)
    return consent.version, decided.count()


def limits_facts(study: Study) -> dict[str, object]:
    """Each link with its own limit, and what the server allows from one internet address."""
    return {"links": study.links.order_by("pk"), "per_address": settings.STARTS_PER_ADDRESS}


def _said(study: Study) -> dict[str, str]:
    """Of each part in a few words; empty for a stage that there is not."""
    path = study.path
    return {
        "information": _information(path),
        "consent": f"{_words(path.consent.text)}, version {path.consent.version}" if path.consent else "",
        "instructions": f"{_words(study.instructions)}, "
        + ("on their own page" if path.has_gate else "on the first page"),
        "comprehension": f"{_count(len(path.comprehension.questions), 'question')}, "
        f"{_count(path.comprehension.tries, 'try', 'tries')}"
        if path.comprehension
        else "",
        "items": _items(study),
        "questionnaire": _count(len(path.questionnaire), "question") if path.questionnaire else "",
        "debriefing": _words(path.debriefing) if path.debriefing else "",
        **_of_study(study),
    }


def _of_study(study: Study) -> dict[str, str]:
    """Of each part that holds for the whole study."""
    return {
        "language": f"pages in {_language(study.language)}, items in {_language(study.stimuli_speak)}, "
        f"other texts in {_language(study.texts_speak)}",
        "platform": _platform(study),
        "ids": _ids(study),
        "limits": f"{_at_most(study.max_starts)} per link; {_at_most(study.max_unanswered)} at once without an answer",
        "labels": _labels(study),
        "quality": " ".join(rules(Policy.of(study), study)),
        "scoring": f"{study.get_measure_display()}; {_count(len(study.metrics), 'metric')}",
        "prompt": _prompt(study),
    }


def _prompt(study: Study) -> str:
    said = study.prompt
    if not (said.get("system") or said.get("template") or said.get("shots")):
        return "default"
    system = "own system message" if said.get("system") else "the instructions"
    template = "own template" if said.get("template") else "default template"
    return f"{system}, {template}, {_count(len(said.get('shots', [])), 'example')}"


def _ids(study: Study) -> str:
    must = "required" if study.id_required else "not required"
    signed = ", personal links only" if study.signed_ids else ""
    excluded = f"; without participants of {', '.join(study.excludes)}" if study.excludes else ""
    return f"in {study.id_parameter}, {must}{signed}{excluded}"


def _labels(study: Study) -> str:
    checks = f"{study.attention_per_sitting} attention and {study.gold_per_sitting} gold items"
    on_lists = square(study)
    lists = f". {str(on_lists).removesuffix('.')}" if on_lists else ""
    pay = f"; {study.pay} {study.currency} per submission".replace("  ", " ") if study.pay else ""
    labels, targets = _count(study.labels_per_item, "label"), _count(study.sitting_length, "item")
    return f"{labels} per item; {targets} per batch, with {checks}{pay}{lists}"


def _at_most(number: int) -> str:
    return f"{number:,} at most" if number else "no limit"


def _information(path: Stages) -> str:
    one = path.information
    if one is None:
        return ""
    minutes = f"about {_count(one.minutes, 'minute')}" if one.minutes else ""
    said = [minutes, one.pay, one.researcher, one.contact, _words(one.text) if one.text else ""]
    return " · ".join(part for part in said if part)


def _items(study: Study) -> str:
    practice = study.items.filter(kind=Item.Kind.PRACTICE).count()
    feedback = "with feedback" if study.path.feedback else "without feedback"
    first = f"{_count(practice, 'practice item')}, {feedback}" if practice else "no practice items"
    then = "Enter moves on" if study.advance == Advance.ENTER else "choosing an answer moves on"
    offered = {"“I cannot judge this item”": study.cannot_judge, "“Report a problem”": study.report_problem}
    buttons = " and ".join(name for name, is_there in offered.items() if is_there)
    return f"{first}; {then}" + (f"; with {buttons}" if buttons else "")


def _language(tag: str) -> str:
    """Its English name, or the tag itself where Django knows no name for it."""
    try:
        return str(get_language_info(tag.lower())["name"])
    except KeyError:
        return tag


def _platform(study: Study) -> str:
    who = PLATFORMS[study.platform].name if study.platform in PLATFORMS else "an open link"
    if not study.codes:
        return f"{who}; {'each batch has its own code' if gives_code(study) else 'return URL without a code'}"
    return f"{who}; {len(study.codes)} of {len(Outcome)} outcomes have a code"


def _words(text: str) -> str:
    return _count(len(text.split()), "word")


def _count(number: int, one: str, many: str = "") -> str:
    return f"{number:,} {one if number == 1 else many or f'{one}s'}"


class GoldForm(forms.Form):
    """One of the pilots, and how many labels an item must have."""

    pilot = forms.ChoiceField(label="Pilot")
    least = forms.IntegerField(
        label="Minimum labels per item",
        min_value=2,
        max_value=1000,
        initial=LEAST,
        help_text="All must be the same.",
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


@dataclass(frozen=True, slots=True)
class Measured:
    """Keys of metrics: `named` by the study, others that a model here has for its items, and those that none has;
    `measures` are keys and words of what nearness to people is measured by.
    """

    named: list[str]
    fitting: list[tuple[str, int]]
    others: list[str]
    measures: list[tuple[str, str]]


def read_measured(study: Study, *, among: QuerySet[LanguageModel]) -> Measured:
    """`fitting` has how many of the models `among` them have each."""
    having = Counter(metric.key for _, fitting in choices_for(study, among=among) for metric in fitting)
    rest = [key for key in METRICS if key not in study.metrics]
    return Measured(
        list(study.metrics),
        [(key, having[key]) for key in rest if having[key]],
        [key for key in rest if not having[key]],
        list(MEASURES.items()),
    )
