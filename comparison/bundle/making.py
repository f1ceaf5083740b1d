"""The whole bundle, part after part, into a folder."""

from collections.abc import Callable
from pathlib import Path

from annotation.models import Study
from comparison.bundle import latex
from comparison.bundle.figures import figures
from comparison.bundle.folder import write_folder
from comparison.bundle.manifest import write_manifest
from comparison.bundle.mark import mark, title
from comparison.bundle.page import html
from comparison.bundle.rows import EXPORTED, write_tables
from comparison.bundle.tables.order import tables
from comparison.bundle.words.datasheet import datasheet
from comparison.bundle.words.facts import read_facts
from comparison.bundle.words.methods import methods
from comparison.frame.filters.selection import Selection
from comparison.frame.kept.gathered import read_one
from comparison.frame.selected import Selected, select
from comparison.page.page import Page

# Told what is being made, how many steps are done, and of how many.
Report = Callable[[str, int, int], None]
Step = Callable[[Page, Path], None]


class CannotReport(ValueError):
    """A study without a target item, or one whose data changed meanwhile. str() says which."""


def silent(words: str, done: int, steps: int) -> None:
    """For whom nobody waits."""


def make(study: Study, folder: Path, *, report: Report = silent) -> Selected:
    """Everything, into an empty folder; gives what it was made of. CannotReport where that is not one state."""
    chosen = select(study, Selection())
    if not chosen.gathered.items:
        raise CannotReport(f"{study.slug} has no target items, so there is nothing to report.")
    page = Page(chosen)
    for done, (words, step) in enumerate(STEPS.items()):
        report(words, done, len(STEPS))
        step(page, folder)
    if read_one(study).version != chosen.gathered.version:
        raise CannotReport(f"Labels or scores of {study.slug} changed while its report was made. Make it again.")
    write_manifest(folder, chosen)
    return chosen


def _data(page: Page, folder: Path) -> None:
    write_folder(page.study, _below(folder, "data"))


def _table(what: str) -> Step:
    return lambda page, folder: write_tables(page.study, what, _below(folder, "tables"))


def _latex(page: Page, folder: Path) -> None:
    below, found = _below(folder, "latex"), tables(page)
    for table in found:
        _write(below / f"{table.name}.tex", latex.table_text(table))
    _write(below / "tables.tex", latex.document(found, title=title(page.study), mark=mark(page.study)))


def _reading(page: Page, folder: Path) -> None:
    """What is for readers, and the figures, which the page has too."""
    facts, drawn = read_facts(page.study, attributes=page.outline.names), list(figures(page))
    below = _below(folder, "figures")
    for figure in drawn:
        _write(below / f"{figure.name}.svg", figure.svg)
    _write(folder / "report.html", html(page, facts, tables(page), drawn))
    _write(folder / "methods.md", methods(page, facts))
    _write(folder / "datasheet.md", datasheet(page, facts))


STEPS: dict[str, Step] = {
    "the data set": _data,
    **{f"the table {what}": _table(what) for what in EXPORTED},
    "tables in LaTeX": _latex,
    "figures, report, methods and datasheet": _reading,
}


def _below(folder: Path, name: str) -> Path:
    below = folder / name
    below.mkdir(exist_ok=True)
    return below


def _write(path: Path, text: str) -> None:
    path.write_text(text, encoding="utf-8", newline="\n")
