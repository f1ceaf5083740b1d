"""The alternative annotator test of every run: ω for each cost, ρ, and each person against the model."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.figures.file import ORIGIN, Row, estimated, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.models_part.alternative import COST, AlternativeFinding, Scored
from comparison.page.reading import read_rivals

HEADER = [
    *ORIGIN, "items_selected", "classes", "run", "family", "scoring", "epsilon", "rater", "statistic", "value", "low",
    "high", "n", "n_counts", "count", "undefined", "note",
]  # fmt: skip


def alternative_rows(study: Study, selection: Selection) -> Iterator[Row]:
    chosen = select(study, selection)
    words = chosen.words  # before the first line goes out: an address that does not fit is refused
    yield HEADER
    head = [*origin(study), words, len(chosen.outline.values)]
    for run in read_rivals(chosen):
        for scored in run.scored:
            lines = (*lines_of_test(run, scored, warning=selection.no_nearest), *_rivals(scored))
            yield from ([*head, run.name, run.family, scored.scoring, *line] for line in lines)


def lines_of_test(run: AlternativeFinding, scored: Scored, *, warning: str) -> Iterator[Row]:
    """From ε on: ρ, and ω for each cost with how many people it wins against.

    `warning` says that the items were chosen by what the test is of.
    """
    how = "; ".join(part for part in (warning, run.cuts.words if run.cuts and run.is_cut else "") if part)
    yield [None, "people", "advantage_probability", *estimated(scored.advantage, how=how)]
    for rate in scored.rates:
        note = "; ".join(part for part in (how, f"as of {rate.people}") if part)
        cells = [rate.value, None, None, rate.people_tested, "people", rate.won, rate.undefined, note]
        yield [rate.cost, "people", "winning_rate", *cells]


def _rivals(scored: Scored) -> Iterator[Row]:
    for rival in scored.rivals:
        for statistic, value in (
            ("model_at_least_as_near", rival.model),
            ("person_at_least_as_near", rival.person),
            ("p", rival.p),
            ("p_adjusted", rival.adjusted),
        ):
            yield [COST, rival.rater, statistic, value, None, None, rival.n, "items", None, "", rival.test]
