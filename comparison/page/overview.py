"""The Overview's pictures: which of a study's figures stand in each, and the sentence that answers its title."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from comparison.figures.findings import FINDINGS, MAJORITY, REFERENCE
from comparison.figures.models.by_agreement import BY_AGREEMENT, OnAgreement
from comparison.figures.models.confusion import CONFUSION
from comparison.figures.models.distribution import DISTRIBUTION, Used
from comparison.figures.models.score_ratings import SCORE_RATINGS, mean_words, run_with_scores
from comparison.figures.models.verdict import MEASURED
from comparison.frame.filters.selection import LABELS
from comparison.frame.judging import PUBLISHED
from comparison.frame.panel import NamedRun
from comparison.frame.selected import Selected
from comparison.page.drawn.dots import DotTable, apart_table, dot_table
from comparison.page.drawn.gauge import Gauge, gauge
from comparison.page.drawn.heat import HeatMap, heat_map
from comparison.page.drawn.pair import Both, Pairs, pairs
from comparison.page.drawn.scatter import ScatterPlot, scatter_plot
from comparison.page.drawn.stacks import Stack, Stacks, keys, stack
from comparison.statistics.estimate import Estimate, percent
from comparison.statistics.verdict.measure import ACCURACY, RHO
from comparison.statistics.verdict.sentences import may_be_noise
from comparison.statistics.verdict.words.wording import MOST_NAMES
from corpus.errors import counted

# As many runs as a small picture has room for.
SHOWN, SHOWN_USING = 5, 3
# Rows of the first picture.
MOST_RUNS = 50
ALL_AGREE, DIVIDED = "all agree", "divided"


@dataclass(frozen=True, slots=True, kw_only=True)
class Overview:
    """Each is None where there is nothing to draw."""

    dots: DotTable | None
    distribution: Stacks | None
    confusion: HeatMap | None
    agreement: Gauge | None
    by_agreement: Pairs | None
    # Where runs are compared by how their scores follow ratings.
    score_ratings: ScatterPlot | None


def read_overview(chosen: Selected) -> Overview:
    is_rho, dots = chosen.verdict.measure == RHO, read_dots(chosen)
    return Overview(
        dots=dots.first(MOST_RUNS) if dots else None,
        distribution=_distribution(chosen),
        confusion=read_confusion(chosen),
        agreement=_agreement(chosen),
        by_agreement=None if is_rho else _by_agreement(chosen),
        score_ratings=read_scatter(chosen) if is_rho else None,
    )


# --- Who is near people -----------------------------------------------------------------------------


def read_dots(chosen: Selected) -> DotTable | None:
    verdict, against = chosen.verdict, chosen.selection.against
    if not verdict.runs.placed:
        own = [(run, run.against(against).hits.accuracy) for run in FINDINGS.read(chosen).runs]
        return apart_table(
            own, head=MEASURED[ACCURACY], description=f"Accuracy against {chosen.target_words}, run by run"
        )
    people, is_rho = chosen.study.people, verdict.measure == RHO
    preposition = "with" if is_rho else "against"
    items = counted(verdict.runs.items, "item")
    return dot_table(
        verdict.runs,
        {run.key: run for run in chosen.outline.runs},
        measure=verdict.measure,
        head=MEASURED[verdict.measure],
        description=f"{MEASURED[verdict.measure]} {preposition} {chosen.measured_against}, with 95 % intervals, "
        f"on {items}",
        truth="the reference" if against == REFERENCE else f"{people.theirs} ratings" if is_rho else people.many,
        one="Split halves" if is_rho else "One annotator",
        small="synthetic" if people.are_synthetic else "",
        annotators=_annotators(chosen),
        outliers=_outliers(chosen),
        is_judged=not chosen.selection.no_nearest,
        may_be_near=not may_be_noise(verdict.labels, verdict.people),
    )


def _annotators(chosen: Selected) -> dict[str, Estimate]:
    """What each reaches against the majority of the others: what the band of one person is the mean of."""
    if chosen.verdict.measure != ACCURACY or chosen.selection.against != MAJORITY:
        return {}
    return {one.rater: one.hits.accuracy for one in FINDINGS.read(chosen).annotators}


def _outliers(chosen: Selected) -> list[str]:
    """Whom the verdict names, as far as it names them."""
    people = chosen.verdict.people
    raters = people.at_chance.raters if people.at_chance else people.differing
    return [people.names[rater] for rater in raters] if people.names and len(raters) <= MOST_NAMES else []


# --- Who uses which labels --------------------------------------------------------------------------


def _distribution(chosen: Selected) -> Stacks | None:
    """People, what is held true, and of the models the nearest and the best that gives scores alone."""
    used = {one.key: one for one in DISTRIBUTION.read(chosen)}
    words = tuple(chosen.outline.words[value] for value in chosen.outline.values)
    runs = [run for run in _using(chosen) if run.key in used]
    bars = [*_of_people(chosen, used, words), *(_of_run(used[run.key], run, words) for run in runs)]
    if not bars:
        return None
    has_cut = any(run.is_cut for run in runs if run.key in used)
    return Stacks(keys(words), tuple(bars), _most_apart(used, runs, words, chosen), has_cut=has_cut)


def _using(chosen: Selected) -> list[NamedRun]:
    models = _models(chosen)
    scoring = [run for run in models if run.is_cut][:1]
    naming = [run for run in models if run not in scoring][: SHOWN_USING - len(scoring)]
    rest = [run for run in models if run not in (*naming, *scoring)]
    return [*naming, *scoring, *rest][:SHOWN_USING]


def _models(chosen: Selected) -> list[NamedRun]:
    """From the nearest to the furthest; where none are compared, as they are listed."""
    runs = {run.key: run for run in chosen.outline.runs if not run.is_baseline}
    placed = [str(one.run) for one in chosen.verdict.runs.models]
    return [runs[key] for key in (placed or runs) if key in runs]


def _of_people(chosen: Selected, used: dict[str, Used], words: Sequence[str]) -> Iterator[Stack]:
    people = chosen.study.people
    sources = (
        (LABELS, "Synthetic" if people.are_synthetic else people.many.capitalize(), "label"),
        (MAJORITY, "Majority", "item"),
        (REFERENCE, "Reference", "item"),
    )
    for key, name, unit in sources:
        if key in used and (key != REFERENCE or chosen.selection.against == REFERENCE):
            shares = used[key].shares
            counts = [label.count for label in shares.shares]
            yield stack(name, counted(shares.labels, unit), counts, words, look="people" if key == LABELS else "truth")


def _of_run(used: Used, run: NamedRun, words: Sequence[str]) -> Stack:
    counts = [label.count for label in used.shares.shares]
    return stack(run.short, run.marked_metric, counts, words, look="models", key=run.key)


def _most_apart(used: dict[str, Used], runs: Sequence[NamedRun], words: Sequence[str], chosen: Selected) -> str:
    """Of the first run that names labels itself: the label whose share is furthest from people's."""
    run = next((run for run in runs if not run.is_cut), None)
    whose = next((key for key in (LABELS, REFERENCE) if key in used), "")
    if run is None or not whose:
        return ""
    own, theirs = ([label.share.value or 0.0 for label in used[key].shares.shares] for key in (run.key, whose))
    place = max(range(len(words)), key=lambda one: abs(own[one] - theirs[one]))
    they = "references" if whose == REFERENCE else chosen.study.people.many
    return f"{run.short} uses “{words[place]}” for {percent(own[place])}, {they} for {percent(theirs[place])}."


# --- Where a model goes wrong -----------------------------------------------------------------------


def read_confusion(chosen: Selected) -> HeatMap | None:
    run = chosen.outline.run(chosen.selection.run)
    return None if run is None else heat_map(run.key, run.short, CONFUSION.read(chosen), chosen.outline.values)


# --- Do scores follow ratings? ----------------------------------------------------------------------


def read_scatter(chosen: Selected) -> ScatterPlot | None:
    scatter, run = SCORE_RATINGS.read(chosen), chosen.outline.run(run_with_scores(chosen))
    if scatter is None or run is None:
        return None
    is_scale = chosen.study.task.scale.ordered and chosen.strength_target != PUBLISHED
    return scatter_plot(
        scatter,
        key=run.key,
        name=run.short,
        ends=scatter.ends,
        words=[chosen.outline.words[value] for value in chosen.outline.values] if is_scale else [],
        rated=chosen.rated_words,
        averaged=mean_words(chosen),
    )


# --- How far people agree ---------------------------------------------------------------------------


def _agreement(chosen: Selected) -> Gauge | None:
    if chosen.selection.no_agreement or not chosen.outline.has_labels:
        return None
    people, findings = chosen.verdict.people, FINDINGS.read(chosen)
    estimates = {one.key: one.estimate for one in findings.agreement}
    name = "Brennan–Prediger κ" if people.alike is not None else f"Krippendorff’s α, {people.level}"
    figures = (
        ("Raw agreement", estimates["percent_agreement"]),
        ("Gwet’s AC1", estimates["ac1"]),
    )
    return gauge(name, people.alpha if people.alike is None else people.alike, findings.counts, figures)


# --- Are they right where people are sure? ----------------------------------------------------------


def _by_agreement(chosen: Selected) -> Pairs | None:
    by_key = {one.key: one for one in BY_AGREEMENT.read(chosen)}
    visible = [by_key[run.key] for run in _models(chosen) if run.key in by_key][:SHOWN]
    verdict = chosen.verdict
    constant = verdict.runs.constant if verdict.measure == ACCURACY else None
    is_open = chosen.selection.no_nearest or may_be_noise(verdict.labels, verdict.people) or not visible
    return pairs(
        [
            Both(one.key, one.short, one.marked_metric, one.title, one.unanimous.accuracy, one.divided.accuracy)
            for one in visible
        ],
        names=(ALL_AGREE, DIVIDED),
        constant=constant.value if constant else None,
        sentence="" if is_open else _sentence(visible[0]),
    )


def _sentence(one: OnAgreement) -> str:
    """Of the nearest model alone: the others' tests would be others'."""
    apart = one.apart
    if apart.low is None or apart.high is None:
        return ""
    if apart.low > 0:
        return f"Yes: {one.short} is right more often where all agree (difference {apart.short})."
    if apart.high < 0:
        return f"No: {one.short} is right less often where all agree (difference {apart.short})."
    return f"Not shown for {one.short}: difference {apart.short}."
