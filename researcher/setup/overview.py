"""The first page of Setup: what is missing, what is done, what it comes to, and what a participant goes through.

Also what single pages show beside their form, and pilots whose gold items can be taken.
"""

from collections import Counter
from dataclasses import dataclass
from datetime import timedelta
from math import ceil

from django import forms
from django.conf import settings
from django.db.models import QuerySet
from django.urls import reverse

from annotation.arrival.way_back import gives_code
from annotation.drafting.gold import LEAST, all_alike
from annotation.models import Consent, Item, Study
from annotation.models.population import StudyPopulation
from annotation.paying.money import hourly, in_words, pay_of
from annotation.platforms import PLATFORMS
from annotation.quality.sentences import policy
from annotation.studyfile.tables import MEASURES
from comparison.frame.cache.item_sums import read_sums
from researcher.setup.checklist import Checked, Lack, Steps
from researcher.setup.parts import PARTS
from researcher.setup.preview import FIRST
from researcher.setup.steps import ITEM_LIST, NEW_CHECK, PREVIEW, STEPS, WALK, counted, steps
from scoring.metrics import METRICS
from scoring.models import LanguageModel
from scoring.runs.fitting import choices_for

# The addresses of pages that are no part.
OTHERS = {ITEM_LIST: "items", PREVIEW: "setup_preview"}


@dataclass(frozen=True, slots=True)
class ToDo:
    """Something that is missing, and where it is mended."""

    lack: Lack
    address: str


@dataclass(frozen=True, slots=True)
class Done:
    """A step that is done, and where it stands."""

    checked: Checked
    address: str


@dataclass(frozen=True, slots=True)
class Stop:
    """A page that participants come to; `says` is what it has, empty where the study has no such page."""

    name: str
    address: str
    says: str


@dataclass(frozen=True, slots=True)
class Overview:
    """`batch` and `whole` are names and values. `policy` is what opening locks, in sentences.

    Once a study has opened, what that has locked is neither missing nor done; of an archived one nothing is.
    """

    steps: Steps
    needed: list[ToDo]
    optional: list[ToDo]
    done: list[Done]
    batch: list[tuple[str, str]]
    whole: list[tuple[str, str]]
    path: list[Stop]
    policy: list[str]


def read_overview(study: Study) -> Overview:
    checked = steps(study)
    free = [one for one in checked.all if not ((one.step.is_locked and study.has_opened) or study.archived_at)]
    to_do = [ToDo(lack, address_of(study, lack.about or one.step.page)) for one, lack in checked.lacks if one in free]
    return Overview(
        checked,
        needed=[one for one in to_do if one.lack.is_needed],
        optional=[one for one in to_do if not one.lack.is_needed],
        done=[Done(one, address_of(study, one.step.page)) for one in checked.done if one in free],
        batch=_batch(study),
        whole=_whole(study),
        path=_path(study),
        policy=[] if study.has_opened else policy(study),
    )


def address_after(study: Study, page: str) -> str:
    """Where setup goes on after that page: at the next step that misses something, else at what is missing and done."""
    order, here = [step.page for step in STEPS], address_of(study, page)
    at = order.index(page) if page in order else 0
    lacks = [
        (STEPS.index(one.step), address_of(study, lack.about or one.step.page)) for one, lack in steps(study).lacks
    ]
    elsewhere = [(place, address) for place, address in lacks if address.partition("#")[0] != here]
    ahead = [address for place, address in elsewhere if place >= at] or [address for _, address in elsewhere]
    return ahead[0] if ahead else reverse("setup", args=[study.slug])


def address_of(study: Study, where: str) -> str:
    """Of a page of Setup by its key, or of the field of a setting by its path."""
    if where in OTHERS:
        return reverse(OTHERS[where], args=[study.slug])
    if where in PARTS:
        return reverse("setup_part", args=[study.slug, where])
    if where == WALK:
        return reverse("setup_preview_at", args=[study.slug, FIRST])
    if where == NEW_CHECK:
        return reverse("item_new", args=[study.slug], query={"kind": Item.Kind.ATTENTION.value})
    part = next(form for form in PARTS.values() if any(where in paths for _, _, paths in form.sections))
    return f"{reverse('setup_part', args=[study.slug, part.key])}#setup-{where.replace('.', '__')}"


def _minutes(study: Study) -> int:
    return study.path.information.minutes if study.path.information else 0


def _batch(study: Study) -> list[tuple[str, str]]:
    """What one person does at once, and gets for it."""
    checks = {"attention": study.attention_per_sitting, "gold": study.gold_per_sitting}
    mixed_in = ", ".join(f"{number} {kind}" for kind, number in checks.items() if number)
    minutes, pay = _minutes(study), pay_of(study)
    said = [("Items", f"{study.items_in_batch:,}"), ("Checks", mixed_in or "none")]
    said.append(("Time", f"about {counted(minutes, 'minute')}" if minutes else "not stated"))
    if pay is None:
        return [*said, ("Pay", "not stated")]
    hour = hourly(pay, timedelta(minutes=minutes))
    rate = f", about {in_words(hour, study.currency)} an hour" if hour is not None else ""
    return [*said, ("Pay", f"{in_words(pay, study.currency)}{rate}")]


def _whole(study: Study) -> list[tuple[str, str]]:
    """What all items need."""
    labels = read_sums([study]).get(study.pk, {"wanted": 0})["wanted"]
    batches, pay = ceil(labels / study.sitting_length), pay_of(study)
    said = [("Labels", f"{labels:,}"), ("Batches", f"{batches:,} or more")]
    return said if pay is None else [*said, ("Cost", f"about {in_words(batches * pay, study.currency)}, before fees")]


def _path(study: Study) -> list[Stop]:
    """Every page in its order, also those that the study does not have."""
    path, practice = study.path, study.items.filter(kind=Item.Kind.PRACTICE).count()
    asked = path.comprehension.questions if path.comprehension else ()
    checks = study.attention_per_sitting + study.gold_per_sitting
    with_checks = f" and {counted(checks, 'check')}" if checks else ""
    text = path.information.text if path.information else ""
    stops = (
        ("Welcome page", "information", _words(text) or "title"),
        ("Consent", "consent", _words(path.consent.text if path.consent else "")),
        ("Instructions", "instructions", _words(study.instructions) if path.has_gate else "on the welcome page"),
        ("Comprehension", "comprehension", counted(len(asked), "question") if asked else ""),
        ("Practice", "items" if practice else ITEM_LIST, counted(practice, "item") if practice else ""),
        ("Items", "labels", f"{study.items_in_batch:,}{with_checks}"),
        ("Questionnaire", "questionnaire", counted(len(path.questionnaire), "question") if path.questionnaire else ""),
        ("Debriefing", "debriefing", _words(path.debriefing)),
        ("Code" if gives_code(study) else "Last page", "platform", _way_back(study)),
    )
    return [Stop(name, address_of(study, part), says) for name, part, says in stops]


def _way_back(study: Study) -> str:
    return PLATFORMS[study.platform].name if study.platform in PLATFORMS else "open link"


def _words(text: str) -> str:
    return counted(len(text.split()), "word") if text else ""


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
        field.choices = [(one.study.slug, f"{one.study.title} ({counted(one.items, 'item')})") for one in pilots]


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
