"""Two studies side by side: people's agreement, and what the models that ran in both reach in each."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from annotation.models import Study
from annotation.models.population import Words
from comparison.figures.findings import MAJORITY, REFERENCE
from comparison.frame.filters.selection import Selection
from comparison.page.drawn.dots import axis_of
from comparison.page.drawn.pair import Both, Pairs, pairs
from comparison.page.page import Page
from comparison.statistics.estimate import Estimate
from comparison.statistics.independent import difference, p_of
from comparison.statistics.resampling.holm import holm
from comparison.statistics.verdict.measure import ACCURACY, DISTANCE, KAPPA, RHO
from comparison.statistics.verdict.words.wording import listed
from researcher.library.board import titles_of
from researcher.studies.shown import Shown, read_shown_part
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
