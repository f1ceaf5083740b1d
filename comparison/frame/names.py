"""What annotators and runs are called outside the house, which annotators a reader asks for by these names, and what
attributes items have; without pandas. No annotator is called by a platform's id.
"""

import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db.models import Count, Min, Q, TextField
from django.db.models.functions import Cast

from annotation.elsewhere.label_import import external_id
from annotation.models import Annotator, Assignment, Item, Study, annotator_name
from comparison.frame.assessors import MOST, Assessor
from comparison.frame.filters.address import SelectionError
from comparison.frame.panel import NamedRun, run_name
from comparison.statistics.verdict.words.wording import CUT
from scoring.models import LanguageModel, Run

# The method of the baseline that gives every item one label.
MAJORITY = "majority"
# What every run's whole name has in it.
BETWEEN = run_name("", "")


def named_runs(study: Study) -> list[tuple[Run, str]]:
    """A study's runs with the names of their models: models first, then baselines, each by name.

    Without the majority label where one role is right for every item: it knows the key.
    """
    shared = _shared_names()
    runs = Run.objects.filter(study=study).select_related("model", "study")
    if study.has_one_role:
        runs = runs.exclude(model__method=MAJORITY)
    pairs = [(run, _named(run.model, shared)) for run in runs]
    return sorted(pairs, key=lambda one: (one[0].model.is_baseline, run_name(one[1], one[0].metric_shown)))


def read_attributes(study: Study) -> dict[str, Counter[str]]:
    """Of each attribute, how many items have each value (empty: lacking), in file order; counted by the database."""
    alike = study.items.filter(kind=Item.Kind.TARGET).order_by().values(text=Cast("attributes", TextField()))
    counted = alike.annotate(items=Count("pk"), first=Min("position")).order_by("first")
    counts: dict[str, Counter[str]] = {}
    before = 0
    for text, items in counted.values_list("text", "items"):
        attributes = json.loads(text)
        for name in attributes:
            counts.setdefault(name, Counter({"": before} if before else ()))
        for name, values in counts.items():
            values[attributes.get(name, "")] += items
        before += items
    return counts


def _shared_names() -> set[str]:
    """Names that several models have. Imported ones are apart: no two have one name, and their metric is marked."""
    names = LanguageModel.objects.filter(is_imported=False).order_by().values("name")
    return set(names.annotate(models=Count("pk")).filter(models__gt=1).values_list("name", flat=True))


def _named(model: LanguageModel, shared: set[str]) -> str:
    """The model's name, with its key where another has the name too: figures and files tell runs apart by it."""
    return f"{model.name} ({model.key})" if model.name in shared and not model.is_imported else model.name


@dataclass(frozen=True)
class Shortened:
    """Short names for whole ones of these `runs`, on pages; with a † where labels are by cut points."""

    runs: tuple[NamedRun, ...]

    @classmethod
    def of(cls, runs: Iterable[NamedRun]) -> "Shortened":
        return cls(tuple(runs))

    def __call__(self, text: str) -> str:
        """
        >>> owl = NamedRun(
        ...     key="1", short="Owl pll", model="Owl base", metric="pll", family="", is_baseline=False, state="finished"
        ... )
        >>> Shortened.of([owl])("Owl base · pll is right more often"), Shortened.of([owl])("Owl base · pll_whole_word")
        ('Owl pll is right more often', 'Owl base · pll_whole_word')
        """
        if BETWEEN not in text or not self.runs:
            return text
        return self._whole.sub(lambda match: self._names[match.group()], text)

    def spec(self, chart: dict[str, Any]) -> dict[str, Any]:
        """Of a picture: its names are in strings throughout, and rooms are measured for them."""
        return {key: self._in(value) for key, value in chart.items()}

    def _in(self, value: Any) -> Any:
        match value:
            case str():
                return self(value)
            case list():
                return [self._in(one) for one in value]
            case dict():
                return self.spec(value)
        return value

    @cached_property
    def _names(self) -> dict[str, str]:
        plain = {run.name: run.short for run in self.runs}
        return plain | {run.title: f"{run.short}\N{NO-BREAK SPACE}{CUT}" for run in self.runs if run.is_cut}

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        """The longest first, and no part of a longer word."""
        every = sorted(self._names, key=len, reverse=True)
        return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, every))})(?!\w)")


NUMBERED = re.compile(r"a([0-9]{1,18})")


def read_assessors(
    study: Study, names: Sequence[str], *, few: Sequence[str] = (), anonymous: bool = False
) -> tuple[Assessor, ...]:
    """Those that are asked for by name or number, in that order, or else the `few`, by their numbers.

    `anonymous`: by number alone, since a file may have a platform's ids for names. SelectionError, saying which, for
    one who has no label that counts in the study, and for more than MOST.
    """
    if len(names) > MOST:
        raise SelectionError(f"assessors takes at most {MOST} annotators, not {len(names)}.")
    if names:
        return tuple(dict.fromkeys(_assessor_named(study, one, anonymous=anonymous) for one in names))
    numbers = [int(key.removeprefix("a")) for key in few]
    return _assessors_of(study, Q(number__in=numbers), anonymous=anonymous) if few else ()


def _assessor_named(study: Study, query: str, *, anonymous: bool) -> Assessor:
    """By the name in the file first: a file may call somebody a7 who has another number here."""
    pks = [] if anonymous else _by_name(study, query)
    if not pks and (number := NUMBERED.fullmatch(query)):
        pks = list(study.annotator_numbers.filter(number=int(number[1])).values_list("annotator", flat=True))
    labeled = Assignment.objects.filter(sitting__study=study, state=Assignment.State.COUNTED, annotator__in=pks)
    if not pks or not labeled.exists():
        names = "" if anonymous else "Use names from the imported file, or "
        raise SelectionError(
            f"assessors cannot be {query!r}: no annotator with that {'' if anonymous else 'name or '}number has a "
            f"label that counts here. {names or 'Use '}numbers from the labels file, such as a12."
        )
    return _assessors_of(study, Q(annotator__in=pks), anonymous=anonymous)[0]


def _by_name(study: Study, query: str) -> list[int]:
    # A database takes no NUL in a text.
    name = external_id(study, query) if query.isprintable() else ""
    annotators = Annotator.objects.filter(platform=Annotator.IMPORTED, external_id=name)
    return list(annotators.values_list("pk", flat=True))


def _assessors_of(study: Study, which: Q, *, anonymous: bool) -> tuple[Assessor, ...]:
    """In the order of their numbers."""
    rows = study.annotator_numbers.filter(which).order_by("number")
    prefix = external_id(study, "")
    return tuple(
        Assessor(
            annotator_name(number),
            name.removeprefix(prefix) if platform == Annotator.IMPORTED and not anonymous else annotator_name(number),
        )
        for number, platform, name in rows.values_list("number", "annotator__platform", "annotator__external_id")
    )
