"""What methods and datasheet say of a study beside its figures, read in a constant number of queries; and whose labels
it holds, in one sentence that stands in every file.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from django.db.models import Count, F, Max, Min, Q

from annotation import itemfile
from annotation.drafting.rows import as_revised
from annotation.loading import place_of
from annotation.models import Assignment, Exclusion, Item, ItemRevision, LabelSource, Sitting, Study
from annotation.models.people import ExclusionRule
from annotation.models.population import StudyPopulation
from scoring.models import Run

MANIFEST = "manifest.json"


@dataclass(frozen=True, slots=True)
class Origin:
    """Empty where nothing is said of it."""

    paper: str = ""
    license: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """`kinds`: items by kind; `exclusions`: annotators by rule as (in force, lifted); `payments`: sittings by state;
    `imported_answers`, and how many of them are `imported_timed`: the file said how long each took.
    """

    kinds: Mapping[str, int]
    references: int
    published: int
    grouped: int
    groups: int
    revised: int
    attributes: tuple[str, ...]
    exclusions: Mapping[str, tuple[int, int]]
    payments: Mapping[str, int]
    sittings: int
    imported_sittings: int
    imported_answers: int
    imported_timed: int
    profiles: Mapping[str, int]
    first_answer: datetime | None
    last_answer: datetime | None
    sources: tuple[LabelSource, ...]
    runs: tuple[Run, ...]
    origin: Origin

    @property
    def timeframe(self) -> str:
        """The days of the first and the last answer; empty where there is none."""
        if self.first_answer is None or self.last_answer is None:
            return ""
        first, last = self.first_answer.date(), self.last_answer.date()
        return f"on {first}" if first == last else f"from {first} to {last}"


def read_facts(study: Study, *, attributes: tuple[str, ...]) -> Facts:
    items = study.items.order_by()
    targets = items.filter(kind=Item.Kind.TARGET).aggregate(
        references=Count("pk", filter=Q(reference__isnull=False)),
        published=Count("pk", filter=Q(reference_strength__isnull=False)),
        grouped=Count("pk", filter=~Q(group="")),
        groups=Count("group", filter=~Q(group=""), distinct=True),
    )
    sittings = study.sittings.order_by()
    # Where labels came as a file, nobody knows when they were given.
    collected, imported = Q(sitting__source=None), Q(sitting__source__isnull=False)
    answers = Assignment.objects.filter(sitting__study=study, state__in=Assignment.ANSWERED).aggregate(
        first=Min("judgment__answered_at", filter=collected),
        last=Max("judgment__answered_at", filter=collected),
        imported=Count("pk", filter=imported),
        timed=Count("pk", filter=imported & Q(judgment__response_ms__isnull=False)),
    )
    profiles = sittings.exclude(annotator__profile="").values_list("annotator__profile")
    return Facts(
        kinds=dict(items.values_list("kind").annotate(Count("pk")).order_by("kind")),
        **targets,
        revised=ItemRevision.objects.filter(study=study).exclude(before=F("after")).count(),
        attributes=attributes,
        exclusions=_exclusions(study),
        payments=dict(sittings.filter(source=None).values_list("payment").annotate(Count("pk")).order_by("payment")),
        sittings=sittings.filter(source=None).count(),
        imported_sittings=sittings.exclude(source=None).count(),
        profiles=dict(profiles.annotate(Count("annotator", distinct=True)).order_by("annotator__profile")),
        imported_answers=answers["imported"],
        imported_timed=answers["timed"],
        first_answer=answers["first"],
        last_answer=answers["last"],
        sources=tuple(study.label_sources.all()),
        runs=tuple(study.runs.select_related("model", "source").order_by("pk")),
        origin=read_origin(study),
    )


def _exclusions(study: Study) -> dict[str, tuple[int, int]]:
    """Every rule, also those that met nobody."""
    exclusions = Exclusion.objects.filter(study=study).order_by().values_list("rule")
    met = {
        rule: (now, before)
        for rule, now, before in exclusions.annotate(
            now=Count("pk", filter=Q(lifted_at=None)), before=Count("pk", filter=Q(lifted_at__isnull=False))
        )
    }
    return {rule.label: met.get(rule.value, (0, 0)) for rule in ExclusionRule}


def is_folder(source: object) -> bool:
    """Whether it is a whole path, which names places of the machine."""
    return isinstance(source, str) and PurePath(source).is_absolute()


def payment_words(facts: Facts) -> str:
    """`12 submissions approved, 1 submission declined`; empty where nothing was decided."""
    decided = {state: count for state, count in facts.payments.items() if state != Sitting.Payment.UNDECIDED}
    return ", ".join(
        f"{count:,} submission{'' if count == 1 else 's'} {Sitting.Payment(state).label.lower()}"
        for state, count in decided.items()
    )


def read_origin(study: Study) -> Origin:
    """Nothing where the folder is elsewhere, or holds other items than the study: another may have had its name."""
    folder = place_of(study.slug)
    try:
        rows = as_revised(study, itemfile.read_items(folder / itemfile.NAME, study.task))
        if itemfile.sum_of(rows) != study.content:
            return Origin()
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return Origin()
    fields = manifest if isinstance(manifest, dict) else {}
    return Origin(paper=str(fields.get("paper") or ""), license=str(fields.get("license") or ""))


SAID = {
    StudyPopulation.SYNTHETIC: "Labels are synthetic: a program made them, and they say nothing about the items.",
    StudyPopulation.PEOPLE: "The annotators are people; none is synthetic.",
    StudyPopulation.NOBODY: "No one has labeled these items yet.",
}


def mark(study: Study) -> str:
    return SAID[StudyPopulation(study.population)]


def title(study: Study) -> str:
    """The study's title, which says so too where labels are synthetic."""
    return f"{study.title} (synthetic labels)" if study.people.are_synthetic else study.title


def name(study: Study) -> str:
    """What files outside the bundle are called."""
    return f"{study.slug}-synthetic-report" if study.people.are_synthetic else f"{study.slug}-report"
