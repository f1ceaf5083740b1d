"""How far annotators agree two by two, and each with the majority of the others: who stands out."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from pydantic import TypeAdapter

from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.findings import FINDINGS
from comparison.frame.coded import coded
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected
from comparison.pictures.charts import PEOPLE, SYNTHETIC, Band, Dot, dot_plot
from comparison.statistics.agreement.between_annotators import BetweenAnnotators, pair_counts, rhos_with_others, shown
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.measure import RHO

# A file has the pairs of so many annotators.
MOST_IN_FILE = 500


def between(panel: Panel, names: Sequence[str], *, by_rho: bool = False) -> BetweenAnnotators:
    """`by_rho`: of ratings that are averaged; whose go best with the others' comes first."""
    said = coded(panel.people, items=list(panel.items), values=panel.values)
    numbers = {name: number for number, name in enumerate(said.names)}
    rhos: tuple[Estimate, ...] = ()
    if by_rho:
        given = said.items, said.raters, said.labels
        reached = rhos_with_others(*given, some=[numbers[name] for name in names], sample=panel.sample)
        pairs = sorted(zip(names, reached, strict=True), key=lambda pair: -(pair[1].value or -1.0))
        names, rhos = [name for name, _ in pairs], tuple(one for _, one in pairs)
    found = pair_counts(said.items, said.raters, said.labels, some=[numbers[name] for name in names])
    shared, same = (tuple(map(tuple, matrix.tolist())) for matrix in (found.shared, found.same))
    return BetweenAnnotators(tuple(names), shared, same, rhos)


def by_rho(chosen: Selected) -> bool:
    return chosen.verdict.measure == RHO


# --- The figure -------------------------------------------------------------------------------------


def _rests_on(chosen: Selected) -> tuple[object, ...]:
    return shown(FINDINGS.read(chosen).annotators, chosen.verdict.people.outliers), by_rho(chosen)


def _charts(chosen: Selected) -> dict[str, Chart]:
    """Each one against the majority of the others."""
    if not chosen.outline.has_labels:
        return {}
    found, people = FINDINGS.read(chosen), chosen.study.people
    kind = SYNTHETIC if people.are_synthetic else PEOPLE
    pairs = BETWEEN_ANNOTATORS.read(chosen)
    if pairs.rhos:
        dots = [Dot.of(name, name, kind, one) for name, one in zip(pairs.shown, pairs.rhos, strict=True)]
        axis = "Spearman’s ρ with the mean ratings of the others"
        spec = dot_plot(dots, axis=axis, band=None, domain=(-1, 1), title=synthetic(people))
        return Chart.of("annotators", spec, f"{axis}, with 95 % intervals.")
    reached = {one.rater: one.hits.accuracy for one in found.annotators}
    dots = [Dot.of(name, name, kind, reached[name]) for name in pairs.shown]
    axis = "Agreement with the majority of the others"
    band = Band(found.ceiling, kind, "average")
    spec = dot_plot(dots, axis=axis, band=band, domain=(0, 1), title=synthetic(people))
    return Chart.of("annotators", spec, f"{axis}, with 95 % intervals (Wilson); the band is the average.")


def _pairs(chosen: Selected) -> Iterator[Row]:
    """All pairs; of a crowd, those of the page."""
    names = tuple(one.rater for one in FINDINGS.read(chosen).annotators)
    few = len(names) <= MOST_IN_FILE
    found = between(chosen.panel, names) if few else BETWEEN_ANNOTATORS.read(chosen)
    names = found.shown
    for one, other in combinations(range(len(names)), 2):
        if found.shared[one][other]:
            same = estimated(found.pair(one, other), found.same[one][other])
            yield [names[one], "", names[other], "percent_agreement", *same]


BETWEEN_ANNOTATORS = Figure(
    key="between-annotators",
    part="people",
    title="Agreement between annotators",
    shape=TypeAdapter(BetweenAnnotators),
    rests_on=_rests_on,
    compute=lambda chosen, names, by_rho: between(chosen.panel, names, by_rho=by_rho),
    charts=_charts,
    download=Download(
        says="how often each pair of {many} gives the same label",
        columns=("rater", "family", "against", "statistic", *CELLS),
        lines=_pairs,
        is_shared=False,
        is_in_report=False,
    ),
)
