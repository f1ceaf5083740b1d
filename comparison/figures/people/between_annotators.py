"""How far annotators agree two by two, and each with the majority of the others: who stands out."""

from collections.abc import Iterator, Sequence
from itertools import combinations

from pydantic import TypeAdapter

from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.findings import FINDINGS
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected
from comparison.pictures.charts import PEOPLE, SYNTHETIC, Band, Dot, dot_plot
from comparison.statistics.agreement.between_annotators import BetweenAnnotators, pair_counts, pair_rhos, shown

# A file has the pairs of so many annotators; of items in groups, the interval of each ρ takes a look of its own.
MOST_IN_FILE, MOST_IN_GROUPS = 500, 150


def between(panel: Panel, names: Sequence[str], *, by_rho: bool = False) -> BetweenAnnotators:
    """`by_rho`: of ratings that are averaged."""
    columns, voices = (panel.voices.rows, panel.voices.raters, panel.voices.labels), panel.voices
    numbers = {name: number for number, name in enumerate(voices.names)}
    some = [numbers[name] for name in names]
    counts = pair_counts(*columns, some=some)
    shared, same = (tuple(map(tuple, matrix.tolist())) for matrix in (counts.shared, counts.same))
    rhos = pair_rhos(*columns, some=some, sample=panel.sample) if by_rho else ()
    return BetweenAnnotators(tuple(names), shared, same, rhos)


# --- The figure -------------------------------------------------------------------------------------


def _rests_on(chosen: Selected) -> tuple[object, ...]:
    by_rho = chosen.is_averaged
    reached = FINDINGS.read(chosen).agreement_with_others(by_rho=by_rho)
    return shown(reached, chosen.verdict.people.outliers), by_rho


def _charts(chosen: Selected) -> dict[str, Chart]:
    """Each one against the majority of the others."""
    if not chosen.outline.has_labels:
        return {}
    findings, people = FINDINGS.read(chosen), chosen.study.people
    kind = SYNTHETIC if people.are_synthetic else PEOPLE
    names, by_rho = BETWEEN_ANNOTATORS.read(chosen).shown, chosen.is_averaged
    reached = dict(findings.agreement_with_others(by_rho=by_rho))
    dots = [Dot.of(name, name, kind, reached[name]) for name in names]
    if by_rho:
        axis = "Spearman’s ρ with the mean ratings of the others"
        spec = dot_plot(dots, axis=axis, band=None, domain=(-1, 1), title=synthetic(people))
        return Chart.of("annotators", spec, f"{axis}, with 95 % intervals.")
    axis = "Agreement with the majority of the others"
    band = Band(findings.ceiling, kind, "average")
    spec = dot_plot(dots, axis=axis, band=band, domain=(0, 1), title=synthetic(people))
    return Chart.of("annotators", spec, f"{axis}, with 95 % intervals (Wilson); the band is the average.")


def _pairs(chosen: Selected) -> Iterator[Row]:
    """All pairs; of a crowd, those of the page. Of ratings that are averaged, ρ comes first."""
    names = tuple(one.rater for one in FINDINGS.read(chosen).annotators)
    is_costly = chosen.is_averaged and chosen.panel.sample.clusters is not None
    few = len(names) <= (MOST_IN_GROUPS if is_costly else MOST_IN_FILE)
    pairs = between(chosen.panel, names, by_rho=chosen.is_averaged) if few else BETWEEN_ANNOTATORS.read(chosen)
    names = pairs.shown
    for one, other in combinations(range(len(names)), 2):
        if pairs.shared[one][other]:
            head, same = [names[one], "", names[other]], pairs.same[one][other]
            if pairs.rhos:
                yield [*head, "spearman", *estimated(pairs.pair(one, other))]
            yield [*head, "percent_agreement", *estimated(pairs.alike(one, other), same)]


BETWEEN_ANNOTATORS = Figure(
    key="between-annotators",
    part="people",
    title="Agreement between annotators",
    shape=TypeAdapter(BetweenAnnotators),
    rests_on=_rests_on,
    compute=lambda chosen, names, by_rho: between(chosen.panel, names, by_rho=by_rho),
    charts=_charts,
    download=Download(
        says="how often each pair of {many} gives the same label or, of ratings, ρ",
        line="two annotators who share an item",
        columns=("rater", "family", "against", "statistic", *CELLS),
        lines=_pairs,
        is_shared=False,
        is_in_report=False,
    ),
)
