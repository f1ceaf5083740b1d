"""The whole bundle, part after part, into a folder. Its report.html needs no other file, no script and no network."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain
from operator import itemgetter
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from django.template.loader import render_to_string
from django.utils.safestring import mark_safe

from annotation import itemfile, studyfile
from annotation.drafting.rows import row_of
from annotation.elsewhere import labelfile
from annotation.elsewhere.labelfile import LabelRow
from annotation.models import Assignment, Item, RepeatedLabel, Study
from comparison.bundle import latex
from comparison.bundle.archive import write_manifest
from comparison.bundle.figures import Figure, figures, stylesheet
from comparison.bundle.words.datasheet import datasheet
from comparison.bundle.words.facts import Facts, mark, read_facts, title
from comparison.bundle.words.methods import methods
from comparison.exports.cells import NUMBER, cell, lines
from comparison.exports.items_lines import item_rows
from comparison.exports.registry import IN_REPORT, export
from comparison.figures.file import Export, Row, Written
from comparison.figures.registry import tables_of_report
from comparison.figures.table import Table
from comparison.frame.cache.gathered import read_one
from comparison.frame.filters.selection import ANONYMOUS, Selection
from comparison.frame.selected import Selected, select
from comparison.page.page import Page
from corpus.toml_text import toml_text

# The download of these has its lines written already; here they are values, of which Parquet wants the kinds.
VALUES: dict[str, Export] = {"items": item_rows}
# The report's lines on aggregation are those that somebody has had computed; the file of that name has all, always.
BY_CHANCE = {"report": "aggregation"}


def write_tables(study: Study, what: str, folder: Path) -> None:
    """One download as `what`.csv and `what`.parquet. Without lines none: it is they that say whose labels these are."""
    header, *rows = _rows(study, what)
    if not rows:
        return
    with (folder / f"{what}.csv").open("w", encoding="utf-8", newline="") as out:
        out.writelines(lines(chain([header], rows)))
    pq.write_table(typed(header, rows), folder / f"{what}.parquet", compression="zstd")


def write_lines(study: Study, what: str, path: Path) -> None:
    """A download as CSV alone, streamed: there may be millions of lines."""
    with path.open("w", encoding="utf-8", newline="") as out:
        out.writelines(lines(export(what)(study, Selection())))


def _rows(study: Study, what: str) -> Iterator[Row | Written]:
    rows = VALUES.get(what, export(what))(study, Selection())
    header = next(rows)
    yield header
    if what not in BY_CHANCE:
        yield from rows
        return
    section = header.index("section")
    yield from (row for row in rows if row[section] != BY_CHANCE[what])


def typed(header: Sequence[str], rows: Sequence[Row | Written]) -> pa.Table:
    """Columns of truth values, whole numbers, numbers or text, by what is in them; what is empty is null."""
    columns = list(zip(*rows, strict=True)) if rows else [()] * len(header)
    return pa.Table.from_arrays([_column(cells) for cells in columns], names=list(header))


def _column(cells: Iterable[Any]) -> pa.Array:
    """The values as the CSV has them: numbers to as many digits, and text as it is, for no spreadsheet opens it."""
    values = list(cells)
    present = [value for value in values if value is not None and value != ""]
    if present and all(isinstance(value, bool) for value in present):
        return pa.array([value if isinstance(value, bool) else None for value in values], pa.bool_())
    if present and all(_is_number(value) for value in present):
        texts = [None if value is None or value == "" else cell(value) for value in values]
        if not any(isinstance(value, float) for value in present):
            return pa.array([None if text is None else int(text) for text in texts], pa.int64())
        return pa.array([None if text is None else float(text) for text in texts], pa.float64())
    return pa.array([None if value is None else _text(value) for value in values], pa.string())


def _is_number(value: Any) -> bool:
    return not isinstance(value, bool | str) and NUMBER.fullmatch(cell(value)) is not None


def _text(value: Any) -> str:
    return value if isinstance(value, str) else cell(value)


EVERY_ANSWER, EVERY_SCORE = "judgments.csv", "scores.csv"

STYLES = ("tokens.css", "bundle.css")
# Told what is being made, how many steps are done, and of how many.
Report = Callable[[str, int, int], None]
Step = Callable[[Page, Path], None]


def write_folder(study: Study, folder: Path) -> None:
    """`labels.csv` is for people's labels alone: it has no place to say that labels are synthetic, and would be loaded
    as people's. Those are in judgments.csv, which says it on every line.
    """
    settings = f"# {mark(study)}\n" + toml_text(studyfile.tables_of(study))
    (folder / studyfile.NAME).write_text(settings, encoding="utf-8", newline="\n")
    itemfile.write_items(folder / itemfile.NAME, map(row_of, study.items.order_by("position").iterator()))
    if study.population == Study.Population.PEOPLE:
        labelfile.write_labels(folder / labelfile.NAME, _labels(study))
    write_lines(study, "judgments", folder / EVERY_ANSWER)
    write_lines(study, "scores", folder / EVERY_SCORE)


def _labels(study: Study) -> list[LabelRow]:
    """Those that figures rest on: countable labels on targets."""
    names = study.annotator_numbers
    counted = Assignment.objects.filter(
        item__study=study, item__kind=Item.Kind.TARGET, state=Assignment.State.COUNTED
    ).order_by("item__position", "annotator_id")
    rows = counted.values_list("item__external_id", "annotator_id", "judgment__answer", "judgment__response_ms")
    labels = [
        LabelRow(item, name, answer, None if took is None else took / 1000)
        for name, (item, _, answer, took) in names.beside(rows.iterator(chunk_size=2000), itemgetter(1))
    ]
    again = RepeatedLabel.objects.filter(assignment__in=counted).order_by(
        "assignment__item__position", "assignment__annotator_id", "turn"
    )
    repeats = again.values_list(
        "assignment__item__external_id", "assignment__annotator_id", "answer", "response_ms", "turn"
    )
    return labels + [
        LabelRow(item, name, answer, None if took is None else took / 1000, turn)
        for name, (item, _, answer, took, turn) in names.beside(repeats.iterator(chunk_size=2000), itemgetter(1))
    ]


def html(page: Page, facts: Facts, tables: Sequence[Table], figures: Sequence[Figure]) -> str:
    context = {
        "study": page.study,
        "title": title(page.study),
        "mark": mark(page.study),
        "verdict": page.verdict,
        "page": page,
        "facts": facts,
        "tables": tables,
        # Drawn by Vega, which escapes every text in it.
        "figures": [(figure, mark_safe(figure.svg)) for figure in figures],  # noqa: S308
        # Our own files. A template cannot hold them: those of pages must not style inline.
        "style": mark_safe(f"<style>\n{''.join(map(stylesheet, STYLES))}</style>"),  # noqa: S308
    }
    return render_to_string("comparison/bundle.html", context)


class CannotReport(ValueError):
    """A study without a target item, or one whose data changed meanwhile. str() says which."""


def silent(words: str, finished: int, steps: int) -> None:
    """For whom nobody waits."""


def make(study: Study, folder: Path, *, report: Report = silent) -> Selected:
    """Everything, into an empty folder; gives what it was made of. CannotReport where that is not one state."""
    # Annotators by their numbers: it is made to be handed on, and a file's names may be a platform's ids.
    chosen = select(study, Selection(anonymous=ANONYMOUS))
    if not chosen.gathered.items:
        raise CannotReport(f"{study.slug} has no target items, so there is nothing to report.")
    page = Page(chosen)
    for finished, (words, step) in enumerate(STEPS.items()):
        report(words, finished, len(STEPS))
        step(page, folder)
    if read_one(study).version != chosen.gathered.version:
        raise CannotReport(f"Labels or scores of {study.slug} changed while its report was built. Build it again.")
    write_manifest(folder, chosen)
    return chosen


def _data(page: Page, folder: Path) -> None:
    write_folder(page.study, _below(folder, "data"))


def _table(what: str) -> Step:
    return lambda page, folder: write_tables(page.study, what, _below(folder, "tables"))


def _latex(page: Page, folder: Path) -> None:
    below, tables, marked = _below(folder, "latex"), tables_of_report(page.chosen), mark(page.study)
    for table in tables:
        _write(below / f"{table.name}.tex", latex.table_text(table, mark=marked))
    _write(below / "tables.tex", latex.document(tables, title=title(page.study), mark=marked))


def _reading(page: Page, folder: Path) -> None:
    """What is for readers, and the figures, which the page has too."""
    facts, drawn = read_facts(page.study, attributes=page.outline.names), list(figures(page))
    below = _below(folder, "figures")
    for figure in drawn:
        _write(below / f"{figure.name}.svg", figure.svg)
    _write(folder / "report.html", html(page, facts, tables_of_report(page.chosen), drawn))
    _write(folder / "methods.md", methods(page, facts))
    _write(folder / "datasheet.md", datasheet(page, facts))


STEPS: dict[str, Step] = {
    "the data set": _data,
    **{f"the table {what}": _table(what) for what in IN_REPORT},
    "tables in LaTeX": _latex,
    "figures, report, methods and datasheet": _reading,
}


def _below(folder: Path, name: str) -> Path:
    below = folder / name
    below.mkdir(exist_ok=True)
    return below


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
