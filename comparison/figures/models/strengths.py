"""How the scores of runs rank the items, and where labels begin that are cut from them."""

from collections.abc import Iterator
from math import isfinite

from comparison.figures.figure import Chart, Figure, State, synthetic
from comparison.figures.file import Row
from comparison.figures.findings import FINDINGS, RunFinding
from comparison.figures.models.answers import directions, not_judged, rising, rising_words, spread
from comparison.figures.table import BONETT_WRIGHT, Column, Rater, Table
from comparison.frame.selected import Selected
from comparison.pictures.charts import BASELINE, MODEL, Dot, dot_plot
from comparison.statistics.estimate import Estimate
from comparison.statistics.strengths.cut_points import CutRow, Cuts
from corpus.errors import counted


def _answer(chosen: Selected) -> str | None:
    rated = STRENGTH.read(chosen)
    if not rated and not _charts(chosen):
        return None
    text = f"ρ with {chosen.rated_words}: {spread(_rhos(chosen), decimals=2)}"
    signs = _directions(chosen)
    return f"{text}; {rising_words(signs)}." if signs else f"{text}. {not_judged(chosen.selection.no_nearest)}".strip()


def _rhos(chosen: Selected) -> list[Estimate]:
    return [run.strength(chosen.strength_target) for run in STRENGTH.read(chosen)]


def _directions(chosen: Selected) -> list[int]:
    """Of the runs of the check, as the verdict has them; none where nothing is concluded of runs."""
    if chosen.selection.no_nearest:
        return []
    signs, keys = directions(chosen.verdict), {run.key for run in STRENGTH.read(chosen)}
    return [one for key, one in signs.items() if key in keys]


def _state(chosen: Selected) -> State | None:
    signs = _directions(chosen)
    return rising(signs) if signs else None


def _tables(chosen: Selected) -> Iterator[Table]:
    rated, outline = STRENGTH.read(chosen), chosen.outline
    if not rated:
        return
    published = ("the published ratings",) if outline.has_published else ()
    heads = (*published, chosen.study.people.labels, "the reference")
    yield Table(
        name="strength",
        title="Spearman’s ρ of each run’s scores",
        columns=("Run", *(Column(f"ρ with {head}", "strength") for head in heads)),
        rows=tuple(
            (
                Rater(name=run.name, family=run.family),
                *([run.strength_published] if published else []),
                run.strength_people,
                run.strength_reference,
            )
            for run in rated
        ),
        rests_on=f"Score: {chosen.study.task.strength_means}. Compared with {chosen.strength_compared}; n counts items "
        "that have both",
        method=BONETT_WRIGHT,
    )


def _charts(chosen: Selected) -> dict[str, Chart]:
    """Every run's strength with what strengths are held against here."""
    target = chosen.strength_target
    spec = dot_plot(
        [
            Dot.of(run.name, run.name, BASELINE if run.is_baseline else MODEL, run.strength(target))
            for run in FINDINGS.read(chosen).runs
        ],
        axis=f"Spearman’s ρ of scores with {chosen.rated_words}",
        band=None,
        domain=(-1, 1),
        title=synthetic(chosen.study.people),
    )
    caption = f"Spearman’s ρ of each run’s scores with {chosen.rated_words}, with 95 % intervals."
    return Chart.of("strength", spec, caption)


def cut_rows(chosen: Selected) -> Iterator[tuple[RunFinding, Cuts, list[CutRow]]]:
    """The runs whose strengths were cut into degrees, with where each degree begins."""
    words = [chosen.outline.words[value] for value in chosen.outline.values]
    for run in FINDINGS.read(chosen).runs:
        if run.cuts and not run.cuts.undefined:
            yield run, run.cuts, run.cuts.rows(words)


def _cut_answer(chosen: Selected) -> str | None:
    runs = CUTS.read(chosen)
    return f"{counted(runs, 'run')} without labels." if runs else None


def _cut_tables(chosen: Selected) -> Iterator[Table]:
    for run, cuts, rows in cut_rows(chosen):
        yield Table(
            name=f"cuts-{run.key}",
            title=f"Cut points of {run.name}",
            columns=(Column("Label", "cut_points"), Column("Lowest score", is_text=True)),
            rows=tuple((row.value, row.words) for row in rows),
            rests_on=cuts.words,
            method=f"n = {counted(cuts.n, 'item')}",
            is_sortable=False,
        )


def _cut_lines(chosen: Selected) -> Iterator[Row]:
    """Where each degree begins, in `value`; `n` are the items whose labels set it."""
    for run in FINDINGS.read(chosen).runs:
        if run.cuts is None:
            continue
        cuts, head = run.cuts, ["cut points", run.name, run.family, "reference, else majority"]
        if cuts.undefined:
            yield [*head, "begins", None, None, None, cuts.n, "items", None, cuts.undefined, ""]
            continue
        for row in cuts.rows(chosen.outline.values):
            begins, note = row.cut if isfinite(row.cut) else None, f"{row.words}; {cuts.words}"
            yield [*head, f"begins:{row.value}", begins, None, None, cuts.n, "items", None, "", note]


# The runs whose strength goes with something.
STRENGTH: Figure[tuple[RunFinding, ...]] = Figure(
    key="strength",
    part="models",
    title="Scores vs. labels (ρ)",
    shape=None,
    compute=lambda chosen: tuple(run for run in FINDINGS.read(chosen).runs if run.is_rated),
    answer=_answer,
    state=_state,
    tables=_tables,
    charts=_charts,
)
# How many runs have degrees by cut points.
CUTS: Figure[int] = Figure(
    key="cuts",
    part="models",
    title="Cut points",
    shape=None,
    compute=lambda chosen: sum(1 for _ in cut_rows(chosen)),
    answer=_cut_answer,
    tables=_cut_tables,
    lines=_cut_lines,
)
