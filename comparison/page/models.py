"""The pictures of Results › Models: the leaderboard with what each row unfolds to, and the figures beside it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from comparison.figures.findings import FINDINGS, MAJORITY, RunFinding
from comparison.figures.models.accuracy import TARGETS
from comparison.figures.models.between_runs import BETWEEN_RUNS
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import NamedRun
from comparison.frame.selected import Selected
from comparison.page.checks import Check, read_checks
from comparison.page.drawn.axis import Axis
from comparison.page.drawn.dots import OTHER, DotTable, Group, Row
from comparison.page.drawn.heat import HeatMap
from comparison.page.drawn.scatter import ScatterPlot
from comparison.page.drawn.triangle import Rater, Triangle, triangle
from comparison.page.overview import read_confusion, read_dots, read_scatter
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.parts import Placed
from corpus.errors import counted

# As many rows as a page shows at first, and as many raters as a triangle on half of it has room for.
SHOWN, ALIKE = 12, 8
NOT_COMPARED = "Not compared"
PEOPLE = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsPage:
    """Each is None where there is nothing to draw."""

    board: DotTable | None
    # The board of a page that is asked for everything.
    whole: DotTable | None
    confusion: HeatMap | None
    alike: Triangle | None
    score_ratings: ScatterPlot | None
    checks: tuple[Check, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A run. `placed` is None where it is not compared with the others, and `outside` says why."""

    run: RunFinding
    placed: Placed | None
    outside: str


def read_models(chosen: Selected) -> ModelsPage:
    whole = _board(chosen)
    return ModelsPage(
        board=whole.first(SHOWN) if whole else None,
        whole=whole,
        confusion=read_confusion(chosen),
        alike=_alike(chosen),
        score_ratings=read_scatter(chosen),
        checks=read_checks(chosen),
    )


# --- The leaderboard --------------------------------------------------------------------------------


def entries(chosen: Selected) -> dict[str, Entry]:
    """Every run once, by its key."""
    runs = chosen.verdict.runs
    placed = {str(one.run): one for one in runs.placed}
    outside = {str(one.run): one.reason for one in runs.outside}
    return {run.key: Entry(run, placed.get(run.key), outside.get(run.key, "")) for run in FINDINGS.read(chosen).runs}


def _board(chosen: Selected) -> DotTable | None:
    """The dots of the Overview, each row with its further metrics; runs that are not compared stand last."""
    dots, runs = read_dots(chosen), entries(chosen)
    if dots is None:
        if not runs:
            return None
        dots = DotTable(said="Runs", head="", axis=Axis(), lines=(), band=None, people=None, groups=())
    drawn = {row.key for group in dots.groups for row in group.rows}
    outside = tuple(_outside(entry) for key, entry in runs.items() if key not in drawn)
    groups = (*dots.groups, Group(NOT_COMPARED, outside)) if outside else dots.groups
    return replace(
        dots,
        groups=tuple(
            replace(group, rows=tuple(_unfolding(row, runs.get(row.key), chosen.selection) for row in group.rows))
            for group in groups
        ),
    )


def _outside(entry: Entry) -> Row:
    run = entry.run
    why = entry.outside or ("not compared" if run.has_labels else run.why_no_labels)
    return Row(run.key, run.short, run.marked_metric, run.title, OTHER, "", "", why, f"{run.title}: {why}", None)


def _unfolding(row: Row, entry: Entry | None, selection: Selection) -> Row:
    if entry is None:
        return row
    kappa = entry.run.against(selection.against).kappa
    rank = entry.placed.rank_words if entry.placed and not selection.no_nearest else ""
    short = " ".join(filter(None, kappa.aligned))
    return replace(row, rank=rank, kappa=short, more=tuple(_metrics(entry, rank)))


def _metrics(entry: Entry, rank: str) -> Iterator[tuple[str, str]]:
    """Its place, its figures against each truth, then what the run left open."""
    run = entry.run
    if rank:
        yield "Rank", rank
    if entry.outside:
        yield "Not compared", entry.outside
    if run.has_labels:
        for target, name in TARGETS.items():
            yield from _against(run, target, f"vs. {'majority label' if target == MAJORITY else name.lower()}")
    else:
        yield "Labels", run.why_no_labels
    if run.always:
        yield "Baseline", run.always
    if run.state != "finished":
        yield "State", run.state
    yield "Unscored", f"{run.unscored:,}"
    for reason, count in run.reasons[:3]:
        yield "Unscored because", f"{reason} ({count:,})"


def _against(run: RunFinding, target: str, words: str) -> Iterator[tuple[str, str]]:
    against, every = run.against(target), run.of_all(target)
    hits = against.hits
    if not hits.compared:
        return
    yield f"Accuracy {words}", f"{hits.accuracy.short}, {hits.correct:,} of {hits.compared:,}"
    yield f"κ {words}", against.kappa.short if against.kappa.value is not None else str(against.kappa)
    if every.compared > hits.compared:
        yield f"All items {words}", f"{every.accuracy.short}, {every.correct:,} of {every.compared:,}"


# --- Who agrees with whom ---------------------------------------------------------------------------


def _alike(chosen: Selected) -> Triangle | None:
    """People's majority (or the reference) and the nearest runs, by Cohen's κ."""
    between = BETWEEN_RUNS.read(chosen)
    if between is None or len(between.runs) < 2:
        return None
    labeling = {run.key for run in between.runs}
    nearest = [key for key in _in_order(chosen) if key in labeling]
    visible = nearest[: ALIKE - 1]
    by_key = {run.key: run for run in chosen.outline.runs}
    truth = _truth(chosen)
    kappas = {(one.one, one.other): one.kappa for one in between.alike}
    truth_kappas = _beside_truth(chosen, visible)
    raters = [Rater(PEOPLE, truth, truth)] if truth_kappas else []
    raters += [Rater(key, by_key[key].short, by_key[key].title) for key in visible]
    return triangle(
        raters,
        {**kappas, **truth_kappas},
        remaining=len(nearest) - len(visible),
        sentence=_closest(kappas, visible, by_key),
    )


def _in_order(chosen: Selected) -> list[str]:
    """Models from the nearest, then baselines."""
    placed = [str(one.run) for one in sorted(chosen.verdict.runs.placed, key=lambda one: one.is_baseline)]
    return [*placed, *(run.key for run in chosen.outline.runs if run.key not in placed)]


def _truth(chosen: Selected) -> str:
    people = chosen.study.people.many
    return f"{people[0].upper()}{people[1:]}" if chosen.selection.against == MAJORITY else "Reference"


def _beside_truth(chosen: Selected, visible: Iterable[str]) -> dict[tuple[str, str], Estimate]:
    runs = {run.key: run.against(chosen.selection.against).kappa for run in FINDINGS.read(chosen).runs}
    return {(PEOPLE, key): runs[key] for key in visible if key in runs and runs[key].value is not None}


def _closest(kappas: Mapping[tuple[str, str], Estimate], visible: Sequence[str], by_key: Mapping[str, NamedRun]) -> str:
    """Which two models agree most, if they agree beyond chance, and for how many pairs nobody can say."""
    models = {key for key in visible if not by_key[key].is_baseline}
    pairs = {pair: kappa for pair, kappa in kappas.items() if models >= {*pair}}
    defined = [(kappa, pair) for pair, kappa in pairs.items() if kappa.value is not None]
    reasons = [kappa.undefined for kappa in pairs.values() if kappa.undefined]
    without = f"κ is undefined for {counted(len(reasons), 'pair')} ({reasons[0]})." if reasons else ""
    if len(defined) < 2:
        return without
    kappa, (one, other) = max(defined, key=lambda each: each[0].value or 0.0)
    most = f"Models {by_key[one].short} and {by_key[other].short} agree most: κ = {kappa.short}."
    least = kappa.value if kappa.low is None else kappa.low
    if least is None or least <= 0:
        most = "No two models are shown to agree beyond chance."
    return f"{most} {without}".strip()
