"""How often people, references and runs use each label of the scale."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter

from comparison.figures.by_attribute.shares import counts_of, labelers, shares_figure
from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import Download, Row, estimated
from comparison.figures.table import BOTH, Counted, Table
from comparison.frame.selected import Selected
from comparison.statistics.by_attribute.label_shares import ValueShares, label_shares

# More bars make no picture; the table has all.
DRAWN_BARS = 12


@dataclass(frozen=True, slots=True)
class Used:
    """Whose labels, by the word that an address has for them: people, references or a run."""

    key: str
    shares: ValueShares


def _compute(chosen: Selected) -> tuple[Used, ...]:
    panel, used = chosen.panel, []
    for whose in labelers(chosen.outline, chosen.study.people):
        counts = counts_of(panel, whose.key)
        shares = label_shares([whose.name] * len(counts), counts, sample=panel.sample)
        used += [Used(whose.key, one) for one in shares if one.labels]
    return tuple(used)


def _words(chosen: Selected) -> tuple[str, ...]:
    return tuple(chosen.outline.words[value] for value in chosen.outline.values)


def _tables(chosen: Selected) -> Iterator[Table]:
    used = DISTRIBUTION.read(chosen)
    if used:
        yield Table(
            name="distribution",
            title="How often each label is used",
            columns=("Labels of", *_words(chosen), "Without"),
            rows=tuple(
                (
                    one.shares.value,
                    *(Counted(label.count, label.share) for label in one.shares.shares),
                    one.shares.without,
                )
                for one in used
            ),
            rests_on="Counts and shares of the n labels that each gave; “Without” counts items with no label",
            method=BOTH,
        )


def _charts(chosen: Selected) -> dict[str, Chart]:
    shares = tuple(one.shares for one in DISTRIBUTION.read(chosen))
    title = synthetic(chosen.study.people)
    spec = shares_figure(shares[:DRAWN_BARS], _words(chosen), description="How often each label is used", title=title)
    more = f" The chart shows the first {DRAWN_BARS}." if len(shares) > DRAWN_BARS else ""
    return Chart.of("distribution", spec, f"How often each label is used; number of labels in parentheses.{more}")


def _lines(chosen: Selected) -> Iterator[Row]:
    for one in DISTRIBUTION.read(chosen):
        for value, label in zip(chosen.outline.values, one.shares.shares, strict=True):
            cells = estimated(label.share, label.count)
            yield ["distribution", one.shares.value, "", "", f"label:{value}", *cells]


DISTRIBUTION = Figure(
    key="distribution",
    part="overview",
    title="Label distribution",
    shape=TypeAdapter(tuple[Used, ...]),
    compute=_compute,
    tables=_tables,
    charts=_charts,
    lines=_lines,
    download=Download(
        says="how often {many}, the references and each run use each label",
        line="a label's share of the labels of one rater; lines of the report",
    ),
)
