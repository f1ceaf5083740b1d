"""A file that leaves the results: its name, what it holds, and the rows that it is written from."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from annotation.models import Study
from annotation.models.population import Words
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import Selected, select
from comparison.statistics.estimate import Estimate

Row = list[Any]
# A line whose cells are as they stand in the file, one or several in a text: of exports of millions of lines, where
# values are mostly the same.
Written = tuple[str, ...]
Export = Callable[[Study, Selection], Iterator[Row | Written]]
FigureLines = Callable[[Selected], Iterator[Row]]

# Every file says on every line which study it is from and whose labels it holds, so that synthetic labels
# stay marked however a file is cut and joined.
ORIGIN = ["study", "population"]
# Of files of figures, which have columns of their own between these.
HEAD = [*ORIGIN, "items_selected", "classes"]
CELLS = ("value", "low", "high", "n", "n_counts", "count", "undefined", "note")
# A figure a line: the report, and the files that are parts of it.
OF_A_FIGURE = ("section", "rater", "family", "against", "statistic", *CELLS)
FIGURE_HEAD = [*HEAD, *OF_A_FIGURE]


@dataclass(frozen=True, kw_only=True)
class File:
    """A download of a study, as CSV.

    `key` is its name in addresses and on the command line. `says` is one sentence of what it holds, in which {one},
    {many} and {labels} are what this study calls its annotators and their labels; `line` goes on after `one line for`,
    in docs/exports.md. `says_anonymous` is said to a
    reader who may not see who somebody is, and `names_people` means that such a reader may not have the file at all.
    """

    key: str
    title: str
    says: str
    line: str
    rows: Export
    says_anonymous: str = ""
    # The filters of the address do not act on it.
    is_whole: bool = False
    # Read straight from the database as it is written, however many lines there are.
    is_streamed: bool = False
    # Nothing in it is of runs.
    is_of_people: bool = False
    names_people: bool = False
    # Whether a link that is shared without an account gives it. What is of single annotators is not given.
    is_shared: bool = False
    # Whether the report's folder has it.
    is_in_report: bool = False

    def words(self, people: Words, *, anonymous: bool) -> str:
        template = self.says_anonymous if anonymous and self.says_anonymous else self.says
        return template.format(one=people.one, many=people.many, labels=people.labels)


# Rows of the database, all of them, as they are stored.
Stored = partial(File, is_whole=True, is_streamed=True)
StoredOfPeople = partial(Stored, is_of_people=True)


@dataclass(frozen=True, kw_only=True)
class Download:
    """A figure's own file; what it does not say here is as the figure has it.

    `lines` begin at the first of `columns`, behind whose labels they are of, which items and how many classes. Without
    any, the file has the figure's lines of the report. `of_rows`: nothing is computed and remembered before them.
    """

    says: str
    line: str
    key: str = ""
    title: str = ""
    columns: tuple[str, ...] = OF_A_FIGURE
    lines: FigureLines | None = None
    of_rows: bool = False
    # In place of columns and lines, where a line begins otherwise.
    rows: Export | None = None
    is_whole: bool = False
    is_shared: bool = True
    is_in_report: bool = True

    def file(self, key: str, title: str, lines: FigureLines | None) -> File:
        """Of the figure with this key, title and lines of the report."""

        def rows(study: Study, selection: Selection) -> Iterator[Row]:
            chosen, written = select(study, selection), self.lines or lines
            assert written is not None
            # Before the first line goes out: an address that does not fit is refused.
            values = chosen.rows.values if self.of_rows else ()
            words = chosen.asked.words() if self.of_rows else chosen.words
            yield [*HEAD, *self.columns]
            head = [*origin(study), words, len(values or chosen.outline.values)]
            yield from ([*head, *line] for line in written(chosen))

        return File(
            key=self.key or key,
            title=self.title or title,
            says=self.says,
            line=self.line,
            rows=self.rows or rows,
            is_whole=self.is_whole,
            is_shared=self.is_shared,
            is_in_report=self.is_in_report,
        )


def origin(study: Study) -> Row:
    return [study.slug, study.population]


def estimated(estimate: Estimate, count: int | None = None, *, how: str = "") -> Row:
    """An estimate's cells: value, low, high, n, n_counts, count, undefined, note."""
    note = "; ".join(part for part in (how, estimate.remarks) if part)
    return [estimate.value, estimate.low, estimate.high, estimate.n, estimate.unit, count, estimate.undefined, note]


def number(value: float) -> float | None:
    """A number for a cell; NaN, which marks absence inside the house, leaves it as an empty cell."""
    return None if value != value else float(value)
