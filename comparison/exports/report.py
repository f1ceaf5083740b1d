"""The agreement and accuracy report: every figure of the results, one line each, at full precision."""

import json
from collections.abc import Iterable, Iterator, Sequence
from math import isfinite
from operator import attrgetter
from typing import Any

from annotation.models import Study
from annotation.tasktypes.contract import Scale
from comparison.exports.assessors import ONE, OTHERS, lines_of_one, lines_of_two
from comparison.exports.cells import cell
from comparison.figures.file import FIGURES, ORIGIN, File, Row, estimated, origin
from comparison.figures.findings import FINDINGS, Findings, RunFinding
from comparison.figures.models.alternative import ALTERNATIVE
from comparison.figures.models.asked import ASKED
from comparison.figures.models.between_runs import BETWEEN_RUNS
from comparison.figures.models.biases import BIASES
from comparison.figures.models.classes import ClassLine, class_table
from comparison.figures.models.run_figures import RUN_FIGURES
from comparison.figures.models.verdict import VERDICT
from comparison.figures.people.aggregations import AGGREGATIONS
from comparison.figures.people.agreement import AGREEMENT
from comparison.frame.assessors import Assessor
from comparison.frame.filters.selection import TARGETS, Selection
from comparison.frame.panel import Panel
from comparison.frame.progress import read_yield
from comparison.frame.selected import Selected, select
from comparison.page.people_part.assessors import Assessors
from comparison.page.reading import (
    read_assessors,
)
from comparison.statistics.strengths.cut_points import Cuts

# Of the lines' cells in JSON: numbers, whole numbers, and what stands once for all lines.
NUMBERS, COUNTS = ("value", "low", "high"), ("classes", "n", "count")
SAME = (*ORIGIN, "items_selected")


def report(study: Study, selection: Selection) -> Iterator[Row]:
    """With all labels and, where the scale has a coarser form, with that too."""
    asked = select(study, selection)
    words = asked.words  # before the first line goes out: an address that does not fit is refused
    yield FIGURES
    for classes in ("", "coarse") if study.task.scale.coarse else ("",):
        chosen = select(study, selection.with_classes(classes))
        values = chosen.outline.values
        head = [*origin(study), words, len(values)]
        yield from ([*head, *line] for line in _all_lines(chosen, values))
        if not classes:
            yield from (
                [*head[:-1], *line] for line in _without_doubtful(chosen.panel, study.task.scale, chosen.assessors)
            )
    every = [*origin(study), "all items", len(study.task.scale.values), "yield", "people", "", ""]
    for name, count in read_yield(asked).counts():
        yield [*every, name, None, None, None, None, "", count, "", ""]


def _all_lines(chosen: Selected, values: tuple[str, ...]) -> Iterator[Row]:
    """From the section on."""
    found = FINDINGS.read(chosen)
    yield from VERDICT.report(chosen)
    yield from AGREEMENT.report(chosen)
    yield from _lines(found, values)
    yield from _assessor_lines(read_assessors(chosen))
    yield from ASKED.report(chosen)
    yield from RUN_FIGURES.report(chosen)
    yield from BETWEEN_RUNS.report(chosen)
    yield from BIASES.report(chosen)
    yield from ALTERNATIVE.report(chosen)
    yield from AGGREGATIONS.report(chosen)


def _lines(found: Findings, values: tuple[str, ...]) -> Iterator[Row]:
    yield ["ceiling", "one person", "", "majority of the others", "accuracy", *estimated(found.ceiling)]
    yield ["ceiling", "one person", "", "reference", "accuracy", *estimated(found.people_reference)]
    hits = found.majority_reference.hits
    yield ["ceiling", "majority", "", "reference", "accuracy", *estimated(hits.accuracy, hits.correct)]
    yield ["ceiling", "majority", "", "reference", "cohen_kappa", *estimated(found.majority_reference.kappa)]
    for annotator in found.annotators:
        hits = annotator.hits
        line = [ONE, annotator.rater, "", OTHERS, "accuracy"]
        yield [*line, *estimated(hits.accuracy, hits.correct)]
    for run in found.runs:
        yield from _run_lines(run, values)


def _assessor_lines(found: Assessors) -> Iterator[Row]:
    """What there is of them besides the accuracy that stands there for all; by their numbers, as in the judgments."""
    for one in found.found:
        lines = lines_of_one(one, called=attrgetter("key"))
        yield from (line for line in lines if (line[3], line[4]) != (OTHERS, "accuracy"))
    for two in found.pairs:
        yield from lines_of_two(two, called=attrgetter("key"))


def _run_lines(run: RunFinding, values: tuple[str, ...]) -> Iterator[Row]:
    by, how = ("_by_cuts", run.cuts.words) if run.cuts and run.is_cut else ("", "")
    for target in ("majority", "reference"):
        against = run.against(target)
        hits = against.hits
        line = ["runs", run.name, run.family, target]
        yield [*line, f"accuracy{by}", *estimated(hits.accuracy, hits.correct, how=how)]
        every = run.of_all(target)
        yield [*line, f"accuracy_all{by}", *estimated(every.accuracy, every.correct, how=how)]
        yield [*line, f"cohen_kappa{by}", *estimated(against.kappa, how=how)]
        yield ["runs", run.name, run.family, target, "spearman_strength", *estimated(run.strength(target))]
    if run.strength_published.value is not None:
        line = ["runs", run.name, run.family, "published strength", "spearman_strength"]
        yield [*line, *estimated(run.strength_published)]
    for name in ("decided", "undecided", "unscored", "waiting"):
        count = getattr(run, name)
        yield ["runs", run.name, run.family, "", name, None, None, None, None, "items", count, "", ""]
    if run.cuts:
        yield from _cut_lines(run, run.cuts, values)
    for reason, count in run.reasons:
        yield ["runs", run.name, run.family, "", "unscored_because", None, None, None, None, "items", count, "", reason]


def _without_doubtful(panel: Panel, scale: Scale, shown: Sequence[Assessor]) -> Iterator[Row]:
    """From the number of classes on: accuracy without the items whose label is doubtful on this scale."""
    for target in TARGETS:
        table = class_table(panel, scale, against=target, assessors=shown)
        if table is None:
            continue
        for line in table.lines:
            rater = _rater(line)
            for way, hits in zip(table.ways, line.hits, strict=True):
                if way.left_out:
                    counted = estimated(hits.accuracy, hits.correct, how=way.words)
                    yield [way.classes, *rater, target, "accuracy", *counted]


def _rater(line: ClassLine) -> Row:
    """Section, rater and family."""
    if line.annotator:
        return [ONE, line.annotator, ""]
    return ["runs", line.rater, line.family] if line.family else ["ceiling", "majority", ""]


def _cut_lines(run: RunFinding, cuts: Cuts, values: tuple[str, ...]) -> Iterator[Row]:
    """Where each degree begins, in `value`; `n` are the items whose labels set it."""
    head = ["cut points", run.name, run.family, "reference, else majority"]
    if cuts.undefined:
        yield [*head, "begins", None, None, None, cuts.n, "items", None, cuts.undefined, ""]
        return
    for row in cuts.rows(values):
        begins = row.cut if isfinite(row.cut) else None
        yield [
            *head,
            f"begins:{row.value}",
            begins,
            None,
            None,
            cuts.n,
            "items",
            None,
            "",
            f"{row.words}; {cuts.words}",
        ]


def figures_json(rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """The report as one JSON object: what all of its lines have alike, and a figure a line, with the CSV's digits."""
    lines = iter(rows)
    names = next(lines)
    found = [{name: _json_value(name, value) for name, value in zip(names, line, strict=True)} for line in lines]
    same = {name: found[0][name] for name in SAME}
    figures = [{name: value for name, value in figure.items() if name not in SAME} for figure in found]
    yield json.dumps(same | {"figures": figures}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _json_value(name: str, value: Any) -> Any:
    if name in NUMBERS or name in COUNTS:
        return None if value is None else int(value) if name in COUNTS else float(cell(value))
    return "" if value is None else value


REPORT = File(
    key="report",
    title="Report",
    says="agreement and accuracy with their intervals",
    rows=report,
    is_shared=True,
    is_in_report=True,
)
