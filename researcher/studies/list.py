"""The list of studies, searched by words, state and tag, read in a constant number of queries.

Agreement and accuracy are the results' own, computed once for each state of the data and remembered, so that a list
costs a few sums in SQL.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django import forms
from django.db.models import F
from django.http import QueryDict
from pydantic import TypeAdapter

from annotation.models import Assignment, Item, Study
from comparison.frame import selected
from comparison.frame.cache.gathered import Gathered, read_gathered
from comparison.frame.cache.item_sums import grouped
from comparison.frame.cache.remembered import each_remembered
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import Selected
from comparison.frame.status import SET_ASIDE, Standing, none_valid, read_standing
from comparison.statistics.verdict.measure import RHO
from comparison.statistics.verdict.parts import STRENGTHS, Placed
from researcher.studies.current_figures import read_shown_part

ARCHIVED = "archived"

STANDING = TypeAdapter(Standing)
# Labels and scores of which a standing by another measure is computed while a reader waits: no worker is asked for one.
BY_ANOTHER = 50_000


@dataclass(frozen=True, slots=True)
class StudyLine:
    """One study at a glance. `valid` of `target` labels on target items; last_activity None if nothing happened.

    `none_valid` says in words why there are labels and none of them counts; empty where that is not so. `is_computing`:
    a worker is at the figures, and `standing` is what it last came to, or None.
    """

    study: Study
    task: str
    items: int
    complete: int
    valid: int
    target: int
    standing: Standing | None
    is_computing: bool
    has_runs: bool
    live_runs: int
    none_valid: str
    last_activity: datetime | None

    @property
    def nearest_value(self) -> float | None:
        """What the nearest model reaches; None where no model is told to be near."""
        found = self._nearest
        return found[0].value.value if found else None

    @property
    def on_strengths(self) -> str:
        """Of models that name no label."""
        return self.standing.verdict.on(STRENGTHS) if self.standing else ""

    @property
    def how_cut(self) -> list[str]:
        """How the degrees of the nearest models came about, if they were cut."""
        return list(dict.fromkeys(one.how for one in self._nearest if one.how))

    @property
    def _nearest(self) -> tuple[Placed, ...]:
        return self.standing.verdict.runs.nearest if self.standing else ()

    @property
    def held_against(self) -> str:
        """What the nearest model is near to."""
        found = self.standing
        if found is not None and found.verdict.measure == RHO and found.against_people:
            return f"{self.study.people.theirs} mean ratings"
        return self.study.people.truth if found is None or found.against_people else f"the {found.instead}"

    @property
    def percent(self) -> int:
        """Whole percent, rounded down: 100 only when nothing is missing."""
        return 100 * self.valid // self.target if self.target else 0


def read_lines(
    studies: Iterable[Study], read: Mapping[int, Gathered] | None = None, *, measure: str = ""
) -> list[StudyLine]:
    """A line for each study, by its own measure.

    Four queries, however many studies there are, and those of the results for each whose figures have changed; one more
    where a study has no label that counts, over the labels of such studies. `read` is what they have gathered.
    `measure` is one to take instead of their own; large studies are shown by their own only.
    """
    found = list(studies)
    gathered = read_gathered(found) if read is None else read
    empty = [study for study in found if not gathered[study.pk].labels]
    targets = Assignment.objects.filter(item__study__in=empty, item__kind=Item.Kind.TARGET)
    aside = grouped(targets.annotate(study=F("item__study")).values("study"), **SET_ASIDE)
    most = BY_ANOTHER if measure else selected.QUICK
    small = [study for study in found if gathered[study.pk].answers <= most]
    # Without an order there is no other measure.
    asked = {study.pk: Selection(measure=measure if study.task.scale.ordered else "") for study in small}
    standings = each_remembered(
        STANDING,
        {study.pk: _key(study, gathered[study.pk].version, asked[study.pk].measure) for study in small},
        lambda stale: {
            study.pk: read_standing(Selected(study=study, asked=asked[study.pk], gathered=gathered[study.pk]))
            for study in small
            if study.pk in stale
        },
    )
    return [_line(study, gathered[study.pk], standings.get(study.pk), aside.get(study.pk)) for study in found]


def _key(study: Study, version: str, measure: str) -> list[str]:
    """What a standing is remembered by; its own measure is in a study's version."""
    return ["standing", version, *([measure] if measure not in ("", study.measure) else [])]


def _line(study: Study, gathered: Gathered, small: Standing | None, aside: Mapping[str, Any] | None) -> StudyLine:
    found, is_computing = (small, False) if small else _large(study, gathered)
    return StudyLine(
        study=study,
        task=study.task.name,
        items=gathered.items,
        complete=gathered.complete,
        valid=gathered.labels,
        target=gathered.wanted,
        standing=found,
        is_computing=is_computing,
        none_valid=none_valid(**{name: aside[name] for name in SET_ASIDE}, annotators=gathered.excluded)
        if aside
        else "",
        has_runs=bool(gathered.runs),
        live_runs=sum(run.is_live for run in gathered.runs),
        last_activity=_latest(gathered),
    )


def _large(study: Study, gathered: Gathered) -> tuple[Standing | None, bool]:
    """Where it stands by what its results show, and whether a worker is at newer figures."""
    shown = read_shown_part(study, Selection(), "overview", gathered=gathered)
    if shown.found is None:
        return None, True
    return read_standing(shown.found.chosen), shown.of is not None


def _latest(gathered: Gathered) -> datetime | None:
    times = [time for run in gathered.runs for time in (run.created_at, run.started_at, run.finished_at)]
    return max((time for time in (*times, gathered.answered_at) if time is not None), default=None)


@dataclass(frozen=True, slots=True)
class Chip:
    """A state to narrow the list to; `count` of the studies that have the words and the tag."""

    value: str
    name: str
    count: int
    is_on: bool


@dataclass(frozen=True, slots=True)
class Found:
    studies: list[Study]
    chips: tuple[Chip, ...]


class SearchForm(forms.Form):
    """What the address asks for. Nothing that is left empty narrows the list."""

    q = forms.CharField(label="Search", required=False, max_length=200)
    state = forms.ChoiceField(
        label="State", required=False, choices=[("", "any"), *Study.State.choices, (ARCHIVED, "Archived")]
    )
    tag = forms.ChoiceField(label="Tag", required=False)

    def __init__(self, data: QueryDict, *, studies: Iterable[Study]) -> None:
        super().__init__(data, auto_id="search-%s", label_suffix="")
        field = self.fields["tag"]
        assert isinstance(field, forms.ChoiceField)
        tags = sorted({tag for study in studies for tag in study.tags}, key=str.casefold)
        field.choices = [("", "any"), *((tag, tag) for tag in tags)]

    @property
    def narrows(self) -> bool:
        return self.is_valid() and any(self.cleaned_data.values())

    def found(self, studies: Iterable[Study]) -> Found:
        """Of these; all that are not archived where the address asks for what is not there."""
        asked = self.cleaned_data if self.is_valid() else {"q": "", "state": "", "tag": ""}
        words = asked["q"].casefold().split()
        matching = [
            study
            for study in studies
            if (not asked["tag"] or asked["tag"] in study.tags) and all(word in _text_of(study) for word in words)
        ]
        by_state = {
            value: [study for study in matching if _is_in(study, value)]
            for value in ("", *Study.State.values, ARCHIVED)
        }
        names = {"": "All", **dict(Study.State.choices), ARCHIVED: "Archived"}
        chips = tuple(
            Chip(value, names[value], len(inside), value == asked["state"])
            for value, inside in by_state.items()
            if inside or value in ("", asked["state"])
        )
        return Found(by_state[asked["state"]], chips)


def _is_in(study: Study, state: str) -> bool:
    """What is archived is in no other state of the list."""
    return bool(study.archived_at) if state == ARCHIVED else not study.archived_at and state in ("", study.state)


def _text_of(study: Study) -> str:
    """What is searched. In Python: SQLite knows the capitals of no letter but A to Z."""
    return "\n".join((study.title, study.slug, *study.tags)).casefold()
