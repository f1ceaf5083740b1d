"""The report: figures of the results, one line each, at full precision; its sentence names those that are not in it."""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from annotation.models import Study
from annotation.tasktypes.contract import Scale
from comparison.exports.cells import cell
from comparison.figures.file import FIGURE_HEAD, ORIGIN, File, Row, estimated, origin
from comparison.figures.models.classes import ClassLine, class_table
from comparison.figures.people.assessors import ONE
from comparison.figures.registry import FIGURES
from comparison.frame.assessors import Assessor
from comparison.frame.filters.selection import TARGETS, Selection
from comparison.frame.panel import Panel
from comparison.frame.selected import select

# Of the lines' cells in JSON: numbers, whole numbers, and what stands once for all lines.
NUMBERS, COUNTS = ("value", "low", "high"), ("classes", "n", "count")
SAME = (*ORIGIN, "items_selected")


def report(study: Study, selection: Selection) -> Iterator[Row]:
    """With all labels and, where the scale has a coarser form, with that too; not where only the finer has the label
    that items are chosen by.
    """
    words = select(study, selection).words  # before the first line goes out: an address that does not fit is refused
    yield FIGURE_HEAD
    coarse = study.task.scale.coarse
    for classes in ("", "coarse") if coarse and not coarse.keys() & {selection.true, selection.given} else ("",):
        chosen = select(study, selection.with_classes(classes))
        size = len(chosen.outline.values)
        for figure in FIGURES:
            if not figure.is_whole:
                yield from ([*origin(study), words, size, *line] for line in figure.report(chosen))
            elif not classes:
                yield from ([*origin(study), "all items", size, *line] for line in figure.report(chosen))
        if not classes:
            lines = _without_doubtful(chosen.panel, study.task.scale, chosen.assessors)
            yield from ([*origin(study), words, *line] for line in lines)


def _without_doubtful(panel: Panel, scale: Scale, assessors: Sequence[Assessor]) -> Iterator[Row]:
    """From the number of classes on: accuracy without the items whose label is doubtful on this scale."""
    for target in TARGETS:
        table = class_table(panel, scale, against=target, assessors=assessors)
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


def figures_json(rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    """The report as one JSON object: what all of its lines have alike, and a figure a line, with the CSV's digits."""
    lines = iter(rows)
    names = next(lines)
    records = [{name: _json_value(name, value) for name, value in zip(names, line, strict=True)} for line in lines]
    same = {name: records[0][name] for name in SAME}
    figures = [{name: value for name, value in figure.items() if name not in SAME} for figure in records]
    yield json.dumps(same | {"figures": figures}, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _json_value(name: str, value: Any) -> Any:
    if name in NUMBERS or name in COUNTS:
        return None if value is None else int(value) if name in COUNTS else float(cell(value))
    return "" if value is None else value


REPORT = File(
    key="report",
    title="Statistics",
    says="every statistic with interval and n; tables of other columns are files of their own",
    line="a figure",
    rows=report,
    is_shared=True,
    is_in_report=True,
)
