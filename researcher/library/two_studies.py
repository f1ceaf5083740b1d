"""Two studies side by side: people's agreement, and what the models that ran in both reach in each.

And the accuracy of every rater in each and over the items of both: the BoolQ+ of Shen (2022). That table is that of
`manage.py accuracy_table A B --pool A+B=A,B`, by the same code; single annotators are not in it. Of large studies
nobody waits for it: `manage.py two_studies` computes it, and it stands on the page afterwards.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet
from pydantic import TypeAdapter

from annotation.models import Study
from annotation.models.population import Words
from comparison.across.columns import different_items, pooled, read_column
from comparison.across.layout import Caption, records
from comparison.across.table import RaterLine, accuracy_table, selected
from comparison.figures.findings import MAJORITY, REFERENCE
from comparison.frame.cache.remembered import known, remembered
from comparison.frame.filters.selection import Selection
from comparison.page.drawn.dots import axis_of
from comparison.page.drawn.pair import Both, Pairs, pairs
from comparison.page.page import Page
from comparison.statistics.chance import holm
from comparison.statistics.counts import MISSING
from comparison.statistics.estimate import Estimate, difference, p_of
from comparison.statistics.verdict.measure import ACCURACY, DISTANCE, KAPPA, RHO
from comparison.statistics.verdict.words.wording import listed
from researcher.library.board import titles_of
from researcher.library.same_items import RestingOn, Studies, resting_on, same_labels
from researcher.studies.current_figures import Shown, read_shown_part
from scoring.models import Run
from scoring.short_names import short_names

LEVEL = 0.05
NOT_COMPARED = Estimate.none("not compared")


@dataclass(frozen=True, slots=True)
class DifferenceLine:
    """One figure in both; the difference is the first less the second."""

    name: str
    one: Estimate
    other: Estimate
    short: str = ""
    metric: str = ""
    is_baseline: bool = False

    @property
    def difference(self) -> Estimate:
        return difference(self.one, self.other)

    @property
    def drawn(self) -> Both:
        apart = self.difference.short if self.difference.value is not None else ""
        return Both("", self.short or self.name, self.metric, self.name, self.one, self.other, apart)


@dataclass(frozen=True, slots=True)
class Side:
    """One study; `against` is what its runs are held against here. Its `title` is not that of the other."""

    study: Study
    shown: Shown[Page]
    against: str
    title: str

    @property
    def page(self) -> Page | None:
        return self.shown.found

    @property
    def measure(self) -> str:
        """As its verdict has it."""
        return self.page.verdict.measure if self.page else ""

    @property
    def level(self) -> str:
        return "ordinal" if self.study.task.scale.ordered else "nominal"


@dataclass(frozen=True, slots=True)
class TwoStudies:
    """A model does better in one where its difference is shown (Holm over models). `own`: by the `measure` of both."""

    sides: tuple[Side, Side]
    people: tuple[DifferenceLine, ...]
    models: tuple[DifferenceLine, ...]
    own: bool
    measure: str = ACCURACY

    @property
    def is_computing(self) -> bool:
        return any(side.page is None and not _failed(side) for side in self.sides)

    @property
    def failed(self) -> tuple[Side, ...]:
        return tuple(side for side in self.sides if _failed(side))

    @property
    def labeled_by(self) -> tuple[Words, ...]:
        """Who gave the labels: of both, or of either."""
        return tuple(dict.fromkeys(side.study.people for side in self.sides))

    @property
    def held_against(self) -> tuple[str, ...]:
        """What runs are compared with in either."""
        return tuple(
            side.page.chosen.measured_against if self.own and side.page else f"the {side.against}"
            for side in self.sides
        )

    @property
    def same_truth(self) -> bool:
        """Whether runs are compared with the same in both."""
        return len(set(self.held_against)) == 1

    @property
    def better(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The models that do better in the first, and those in the second."""
        tested = [(line, p_of(line.difference)) for line in self.models if not line.is_baseline]
        known = {line: p for line, p in tested if p is not None}
        shown = [line for line, p in zip(known, holm(known.values()), strict=True) if p < LEVEL]
        sign = -1 if self.measure == DISTANCE else 1
        first = tuple(line.short for line in shown if sign * (line.difference.value or 0) > 0)
        return first, tuple(line.short for line in shown if line.short not in first)

    @property
    def headline(self) -> str:
        if not self.models:
            return "No model ran with the same metric in both studies."
        said = [
            f"{listed(names)} {'does' if len(names) == 1 else 'do'} better in “{side.title}”"
            for names, side in zip(self.better, self.sides, strict=True)
            if names
        ]
        return f"{'; '.join(said)}." if said else "No model is shown to do better in one of the two studies."

    @property
    def options(self) -> tuple[int, ...]:
        """How many answers there are to choose from in either."""
        return tuple(len(side.study.task.scale.values) for side in self.sides)

    @property
    def drawn_models(self) -> Pairs | None:
        return self._drawn(self.models, self.measure)

    @property
    def drawn_people(self) -> Pairs | None:
        return self._drawn(self.people, KAPPA)

    def _drawn(self, lines: Sequence[DifferenceLine], measure: str) -> Pairs | None:
        first, second = self.sides
        axis = axis_of(measure, (found for line in lines for found in (line.one, line.other)))
        return pairs((line.drawn for line in lines), names=(first.title, second.title), axis=axis)

    @property
    def measures(self) -> list[str]:
        return [side.measure for side in self.sides]

    @property
    def by_rho(self) -> bool:
        """Whether the measure of both is ρ."""
        return self.measure == RHO


def read_two_studies(one: Study, other: Study) -> TwoStudies:
    """What is shown on the overview of each, and nothing that it does not compute."""
    titles = titles_of((one, other))
    shown = [read_shown_part(study, Selection(), "overview") for study in (one, other)]
    pages = [one.found for one in shown]
    if pages[0] is None or pages[1] is None:
        sides = (Side(one, shown[0], "", titles[one.slug]), Side(other, shown[1], "", titles[other.slug]))
        return TwoStudies(sides, (), (), own=False)
    chosen = pages[0].selection.against, pages[1].selection.against
    against = chosen if all(page.verdict.measure == RHO for page in pages if page) else _against(pages[0], pages[1])
    sides = (
        Side(one, shown[0], against[0], titles[one.slug]),
        Side(other, shown[1], against[1], titles[other.slug]),
    )
    own = sides[0].measure == sides[1].measure and chosen == against
    people, models = _people(pages[0], pages[1]), _models(sides, own=own)
    return TwoStudies(sides, tuple(people), tuple(models), own, sides[0].measure if own else ACCURACY)


def _failed(side: Side) -> bool:
    progress = side.shown.progress
    return side.page is None and progress is not None and progress.failed


def _against(one: Page, other: Page) -> tuple[str, str]:
    """What both studies are compared with where both have it; else what each is compared with by itself."""
    own = one.selection.against, other.selection.against
    if own[0] == own[1]:
        return own
    if one.outline.has_references and other.outline.has_references:
        return REFERENCE, REFERENCE
    has_majority = [page.outline.has_labels and not page.outline.no_majority for page in (one, other)]
    return (MAJORITY, MAJORITY) if all(has_majority) else own


def _people(one: Page, other: Page) -> Iterator[DifferenceLine]:
    first, second = one.verdict.people, other.verdict.people
    yield DifferenceLine("Krippendorff’s α", first.alpha, second.alpha)
    yield DifferenceLine("Percent agreement", first.percent, second.percent)
    yield DifferenceLine("Gwet’s AC1", first.ac1, second.ac1)


def _models(sides: tuple[Side, Side], *, own: bool) -> Iterator[DifferenceLine]:
    """Those with a run by the same metric in both: models by name, then baselines."""
    first, second = (
        {(run.model_id, run.metric): run for run in side.study.runs.select_related("model")} for side in sides
    )
    figures = [_figures(side, own=own) for side in sides]
    shorts = short_names(first.values())
    both = sorted((first[key].model.is_baseline, str(first[key]), key) for key in first.keys() & second.keys())
    for is_baseline, name, key in both:
        runs = str(first[key].pk), str(second[key].pk)
        one, other = (figure.get(run, NOT_COMPARED) for figure, run in zip(figures, runs, strict=True))
        yield DifferenceLine(
            name, one, other, short=shorts[first[key].pk], metric=first[key].metric, is_baseline=is_baseline
        )


def _figures(side: Side, *, own: bool) -> Mapping[str, Estimate]:
    """By the run's key: the study's own measure as its verdict has it, or accuracy on the run's own items."""
    page = side.page
    assert page is not None
    if own and side.measure != ACCURACY:
        return {str(one.run): one.value for one in page.verdict.runs.placed}
    return {run.key: run.against(side.against).hits.accuracy for run in page.findings.runs}


@dataclass(frozen=True, slots=True)
class Column:
    """One study, or both: `items` with something to compare with, which have so many `ids`, and `others` without."""

    name: str
    items: int
    ids: int
    others: int
    is_pooled: bool


@dataclass(frozen=True, slots=True)
class Together:
    """`rows` are those of the file, `caption` says what is counted how, and `command` makes it anew."""

    columns: tuple[Column, ...]
    lines: tuple[RaterLine, ...]
    rows: tuple[list[Any], ...]
    caption: str
    command: str


TOGETHER = TypeAdapter(Together)
# What stands for studies that the reader may not see.
OTHERS = "studies in which you have no role"
TRAINED_ON = "trained_on"


def read_together(studies: Studies, *, seen: QuerySet[Study]) -> Together | None:
    """What is known, or None; small studies are computed now. `seen`: the reader's studies, others are not named."""
    if not same_labels(studies):
        return None
    rests = resting_on(studies)
    if rests.are_large:
        found = known(TOGETHER, {"": _parts(rests)}).get("")
    else:
        found = remembered(TOGETHER, _parts(rests), lambda: _computed(studies))
    return found and _shown_to(found, _hidden(studies, seen))


def compute_together(studies: Studies) -> Together:
    """Now, and remembered for the page."""
    return remembered(TOGETHER, _parts(resting_on(studies)), lambda: _computed(studies))


def _hidden(studies: Studies, seen: QuerySet[Study]) -> set[str]:
    """Studies that models of these learned from, and that the reader may not see."""
    runs = Run.objects.filter(study__in=studies, model__training__isnull=False)
    named = {slug for several in runs.values_list("model__training__studies", flat=True) for slug in several}
    return named - set(seen.filter(slug__in=named).values_list("slug", flat=True))


def _shown_to(found: Together, hidden: set[str]) -> Together:
    """Without the names of these."""
    place = found.rows[0].index(TRAINED_ON)
    names = {" + ".join(line.trained_on) for line in found.lines if hidden & {*line.trained_on}}
    return replace(
        found,
        lines=tuple(replace(one, trained_on=(OTHERS,)) if hidden & {*one.trained_on} else one for one in found.lines),
        rows=tuple([*row[:place], OTHERS, *row[place + 1 :]] if row[place] in names else row for row in found.rows),
    )


def _parts(rests: RestingOn) -> list[object]:
    return ["accuracy together", *rests.versions]


def _computed(studies: Studies) -> Together:
    # Here and not above: pandas and its pyarrow take 70 MB, which a web process that computes nothing does without.
    from comparison.frame.reading import read_panel

    panels = [read_panel(study, coarse=False) for study in studies]
    against = REFERENCE if all((panel.truth != MISSING).any() for panel in panels) else MAJORITY
    each = [
        read_column(study, panel, against=against, where=selected(panel, {}))
        for study, panel in zip(studies, panels, strict=True)
    ]
    slugs = [study.slug for study in studies]
    name = "+".join(slugs)
    columns = [*each, pooled(name, each)]
    table = accuracy_table(columns)
    is_grouped = any(column.sample.clusters is not None for column in columns)
    caption = Caption(against, "all items", "left-out", is_grouped=is_grouped)
    command = f"manage.py accuracy_table {' '.join(slugs)} --pool {name}={','.join(slugs)}"
    return Together(
        columns=tuple(
            Column(one.name, one.with_truth, different_items(one), one.without_truth, bool(one.pooled))
            for one in columns
        ),
        lines=table,
        rows=tuple(records(columns, table, caption)),
        caption=str(caption),
        command=command if against == REFERENCE else f"{command} --against {against}",
    )
