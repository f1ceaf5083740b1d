"""The pictures of the People part, and the sentences that answer their titles."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from comparison.figures.findings import FINDINGS
from comparison.figures.people.aggregations import AGGREGATIONS, Aggregations, Movement, WayFinding
from comparison.figures.people.between_annotators import BETWEEN_ANNOTATORS
from comparison.figures.people.plan_ground import read_ground
from comparison.figures.people.planning import STOPPING, labels_an_item, read_plans
from comparison.figures.people.response_times import RESPONSE_TIMES, ResponseTimes
from comparison.figures.people.same_item import SAME_ITEM, WAYS, SameItem
from comparison.frame.aggregation_methods import Way
from comparison.frame.selected import Selected
from comparison.page.drawn.between import Between, between_picture
from comparison.page.drawn.by_label import by_label, by_steps
from comparison.page.drawn.dots import Coefficients, coefficients
from comparison.page.drawn.gauge import Gauge, gauge
from comparison.page.drawn.histogram import Histogram, histogram
from comparison.page.drawn.stacks import Stacks
from comparison.statistics.agreement.from_counts import Prevalence
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.planning.plan import Design
from comparison.statistics.strengths.same_item import MEAN
from comparison.statistics.verdict.measure import ACCURACY, RHO
from comparison.statistics.verdict.parts import PEOPLE
from comparison.statistics.verdict.parts import People as Agreed
from comparison.statistics.verdict.sentences import may_be_noise
from corpus.errors import counted

# Not agreement itself, but what it comes to for all labels of an item.
OF_ALL_LABELS = "reliability"
SHORT = {"percent_agreement": "Raw agreement", "ac2_ordinal": "Gwet’s AC2, ordinal"}
NAMED = 4
# Studies drawn for each plan, and the items from which on a page draws none.
DRAWN, MOST_PLANNED = 100, 2_000


@dataclass(frozen=True, slots=True)
class Combined:
    """The methods that are known, each with the accuracy of the best model by it, and what comes of them."""

    methods: tuple[tuple[Way, WayFinding, str], ...]
    sentence: str


@dataclass(frozen=True, slots=True)
class WayOfRatings:
    """One way to combine ratings: ρ with their mean, and the model whose scores follow it best."""

    name: str
    same: str
    best: str
    reached: str


@dataclass(frozen=True, slots=True)
class Plan:
    """What a study of so many items and labels would show; `width` is that of the interval of α."""

    items: int
    labels: int
    width: str
    apart: Estimate


@dataclass(frozen=True, slots=True, kw_only=True)
class Tiles:
    """How far people agree, in short; `agree` says it, `skew` whether the most used label distorts it."""

    gauge: Gauge | None
    agree: str
    raw: Estimate
    most_used: str
    skew: str
    bar: "Bar"


@dataclass(frozen=True, slots=True)
class Bar:
    """What people reach themselves: one of them or, where ratings are averaged, half of them; `term` explains it."""

    name: str
    term: str
    reached: Estimate
    says: str


@dataclass(frozen=True, slots=True, kw_only=True)
class People:
    """`outliers` are those who differ from the others more often than the others do, the furthest first."""

    tiles: Tiles
    coefficients: Coefficients
    # By label or, of ratings, by point.
    labels: Stacks | None
    ratings: tuple["WayOfRatings", ...]
    between: Between | None
    outliers: tuple[tuple[str, Estimate], ...]
    called: str
    # Each annotator beside the others, by the measure of the study.
    agreement_with_others: tuple[tuple[str, Estimate], ...]
    times: ResponseTimes
    by_rho: bool
    by_accuracy: bool
    combined: Combined
    stopping: str
    plans: tuple[Plan, ...]

    @property
    def outlying(self) -> str:
        """Who stands out, in words."""
        return _outlying(self.outliers, many=self.called)

    @property
    def histogram(self) -> Histogram | None:
        times = self.times.times
        return histogram(times, floor_ms=self.times.floor_ms) if times else None


def read_people(chosen: Selected) -> People:
    findings, stopping = FINDINGS.read(chosen), STOPPING.read(chosen)
    outlying = set(chosen.verdict.people.outliers)
    short = {run.title: run.short for run in chosen.outline.runs}
    by_rho, by_accuracy = chosen.is_averaged, chosen.verdict.measure == ACCURACY
    reached = findings.agreement_with_others(by_rho=by_rho)
    average = None if by_rho else findings.ceiling
    same, people = SAME_ITEM.read(chosen), chosen.study.people
    first, second = (short.get(run, "") for run in (stopping.first, stopping.second))
    return People(
        tiles=_tiles(chosen),
        coefficients=coefficients(_ways(chosen)),
        labels=by_steps(same.apart) if same else by_label(findings.counts, chosen.outline.words, people=people.many),
        ratings=tuple(_ways_of_ratings(same, chosen)) if same else (),
        between=between_picture(BETWEEN_ANNOTATORS.read(chosen), reached, average, outlying),
        agreement_with_others=reached,
        outliers=tuple(sorted((one for one in reached if one[0] in outlying), key=lambda one: one[1].from_lowest)),
        called=people.annotators,
        by_rho=by_rho,
        times=RESPONSE_TIMES.read(chosen),
        combined=_combined(AGGREGATIONS.read(chosen), short, nearest=_shown_nearest(chosen)),
        # Of accuracy: by another measure other runs may be first.
        stopping=replace(stopping, first=first, second=second).words if by_accuracy else "",
        by_accuracy=by_accuracy,
        plans=_plans(chosen),
    )


def _ways_of_ratings(ratings: SameItem, chosen: Selected) -> Iterator[WayOfRatings]:
    models = {run.key: run.short for run in chosen.outline.runs if not run.is_baseline}
    for way in ratings.ways:
        rhos = {key: one for key, one in way.runs.items() if key in models and one.value is not None}
        best = max(rhos, key=lambda key: rhos[key].value or 0.0, default="")
        same = "" if way.key == MEAN or way.same.value is None else plain(way.same.value, decimals=2)
        reached = plain(rhos[best].value or 0.0, decimals=2) if best else ""
        yield WayOfRatings(WAYS[way.key], same, models.get(best, ""), reached)


def _tiles(chosen: Selected) -> Tiles:
    findings, people = FINDINGS.read(chosen), chosen.verdict.people
    name, agreed = _agreed(people)
    finding = next(iter(chosen.verdict.of(PEOPLE)), None)
    most = findings.most_used
    return Tiles(
        gauge=gauge(name, agreed, findings.counts, ()),
        agree="" if finding is None or agreed.value is None else finding.statement,
        raw=next(one.estimate for one in findings.agreement if one.key == "percent_agreement"),
        most_used=chosen.outline.words[chosen.outline.values[most.code]] if most.share.value is not None else "",
        skew=_skew(people, most),
        bar=_bar(chosen),
    )


def _bar(chosen: Selected) -> Bar:
    """On seven points two people seldom give the very same one, so that exact matches say little."""
    if chosen.verdict.measure == RHO:
        reached = chosen.verdict.runs.person
        note = f"ρ of mean ratings, {counted(reached.n, 'item')}: benchmark for models" if reached.n else ""
        return Bar("People, split halves", "split_half", reached, note)
    synthetic = "synthetic " if chosen.study.people.are_synthetic else ""
    reached = FINDINGS.read(chosen).ceiling
    note = f"benchmark for models · {counted(reached.n, 'label')}" if reached.n else ""
    return Bar(f"One {synthetic}annotator vs. the others", "ceiling", reached, note)


def _agreed(people: Agreed) -> tuple[str, Estimate]:
    """The coefficient by which the verdict says how far people agree."""
    if people.alike is not None:
        return "Brennan–Prediger κ", people.alike
    return f"Krippendorff’s α, {people.level}", people.alpha


def _ways(chosen: Selected) -> list[tuple[str, Estimate]]:
    people, agreement = chosen.verdict.people, FINDINGS.read(chosen).agreement
    estimates = [(SHORT.get(one.key, one.name), one.estimate) for one in agreement if one.key != OF_ALL_LABELS]
    return estimates if people.alike is None else [*estimates, _agreed(people)]


def _skew(people: Agreed, most: Prevalence) -> str:
    if people.alike is not None:
        return "right in every item"
    return "skewed: read AC1 with α" if most.is_skewed else "not skewed"


def _outlying(apart: Sequence[tuple[str, Estimate]], *, many: str) -> str:
    if not apart:
        return f"No {many.removesuffix('s')} is shown to stand out"
    first = f"{apart[0][0]} ({apart[0][1].short})"
    if len(apart) == 1:
        return f"{first} stands out"
    if len(apart) > NAMED:
        return f"{len(apart):,} {many} stand out, {first} most"
    *names, last = (f"{name} ({one.short})" for name, one in apart)
    return f"{', '.join(names)} and {last} stand out"


def _shown_nearest(chosen: Selected) -> str | None:
    """The one model that is shown to be nearest; empty where several may be, None where accuracy is not the measure."""
    if chosen.verdict.measure != ACCURACY or chosen.selection.no_nearest:
        return None
    nearest = chosen.verdict.runs.nearest
    return (
        nearest[0].name if len(nearest) == 1 and not may_be_noise(chosen.verdict.labels, chosen.verdict.people) else ""
    )


def _combined(aggregations: Aggregations, short: Mapping[str, str], *, nearest: str | None) -> Combined:
    models = [one for one in aggregations.movements if not one.is_baseline]
    best = [_best(models, place) for place in range(len(aggregations.known))]
    reached = ["" if one is None else one.found[place].number for place, one in enumerate(best)]
    methods = tuple((way, one, number) for (way, one), number in zip(aggregations.known, reached, strict=True))
    return Combined(methods, _sentence([one for one in best if one is not None], short, nearest))


def _best(models: Sequence[Movement], place: int) -> Movement | None:
    defined = [one for one in models if one.found[place].value is not None]
    return max(defined, key=lambda one: one.found[place].value or 0.0) if defined else None


def _sentence(best: Sequence[Movement], short: Mapping[str, str], nearest: str | None) -> str:
    """Whether another model would score highest, and how far the accuracy of that one moves.

    A model is named as the highest only where it is shown to be nearest.
    """
    names = list(dict.fromkeys(short[one.run] for one in best))
    if nearest is None or not names or best[0].moved.value is None:
        return ""
    if len(names) == 1:
        moved = plain(best[0].moved.value, decimals=2)
        how = "does not move" if float(moved) == 0 else f"moves by {moved} at most"
        if names[0] != nearest:
            return f"The highest accuracy {how} with the method."
        return f"{names[0]} scores highest by every method; its accuracy {how}."
    if len(names) > NAMED:
        return f"The highest score changes with the method, among {len(names)} models."
    return f"The highest score changes with the method: {', '.join(names[:-1])} or {names[-1]}."


def _plans(chosen: Selected) -> tuple[Plan, ...]:
    """This study's own design beside more labels and more items; of a large study it would take minutes."""
    items, labels = read_ground(chosen).labeled, labels_an_item(chosen)
    if not 0 < items <= MOST_PLANNED:
        return ()
    designs = (Design(items, labels), Design(items, labels + 2), Design(2 * items, labels))
    return tuple(
        Plan(one.design.items, one.design.labels, _width(one.alpha), one.apart)
        for one in read_plans(chosen, designs, studies=DRAWN)
    )


def _width(estimate: Estimate) -> str:
    return "" if estimate.low is None or estimate.high is None else plain(estimate.high - estimate.low, decimals=2)
