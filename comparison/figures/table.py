"""A table of the results: typed columns and rows, with a caption that says what they rest on.

Its writers: `templates/comparison/_table.html` for pages, `bundle.html` for the report, `comparison/bundle/latex.py`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from comparison.statistics.estimate import Estimate
from corpus.errors import counted

# In place of n where a figure is undefined.
NOTHING = "–"
# How the intervals of a table were made, for its caption.
WILSON = "Brackets are 95 % intervals (Wilson)"
DRAWN = "Brackets are 95 % intervals (1,000 resamples of items, or of groups of items)"
BOTH = f"{DRAWN}; Wilson for shares"
BONETT_WRIGHT = "Brackets are 95 % intervals (Bonett and Wright)"
TWO_WAY = "over items and annotators, linearized, by Student’s t"
LINEARIZED = "over items, linearized, by Student’s t"
COUNTS = "Counts have no intervals"


@dataclass(frozen=True, slots=True)
class Number:
    """A number with words of its own, such as p. Sorted by `value`; last, where that is None."""

    value: float | None
    words: str

    def __str__(self) -> str:
        return self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class Rater:
    """Who or what a row is of: `name` and `family` as files have them, `title` as pages and papers do.

    `kind` is models, people or reference, which have a color each.
    """

    name: str
    title: str = ""
    family: str = ""
    kind: str = "models"
    is_baseline: bool = False

    def __str__(self) -> str:
        return (self.title or self.name) + (" (baseline)" if self.is_baseline else "")


@dataclass(frozen=True, slots=True, kw_only=True)
class Linked:
    """A cell that leads to the items which it is of: `query` is what its address has besides the page's own."""

    cell: "Plain"
    query: Mapping[str, str]

    def __str__(self) -> str:
        return str(self.cell)


@dataclass(frozen=True, slots=True)
class Statistic:
    """What a row is of; `term` is the key of its entry in the glossary, for the “?” behind it."""

    name: str
    term: str

    def __str__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class Counted:
    """How many there are, with their share."""

    count: int
    share: Estimate


Plain = str | int | Estimate | Counted | Number | Rater | Statistic
Cell = Plain | Linked


@dataclass(frozen=True, slots=True)
class Column:
    """`term` is the key of its entry in the glossary, for the “?” at its head; `key` its statistic in the CSV."""

    head: str
    term: str = ""
    key: str = ""
    # Text is sorted as text, and everything else as numbers.
    is_text: bool = False


@dataclass(frozen=True, slots=True)
class Shown:
    """The text of one cell, and the number of its note below the table; 0 where it has none.

    `remarks` is the note itself, `value` what its column is sorted by, and `query` the items that it is of. Of a count,
    `count` and `share` are the two parts of its text, which a page sets one below the other.
    """

    text: str
    note: int = 0
    is_figure: bool = False
    is_undefined: bool = False
    remarks: str = ""
    value: float | str | None = None
    count: str = ""
    share: str = ""
    kind: str = ""
    term: str = ""
    query: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """`rests_on` says n in words, and `method` how intervals were made."""

    name: str
    title: str
    columns: tuple[str | Column, ...]
    rows: tuple[tuple[Cell, ...], ...]
    rests_on: str
    method: str
    # Whether readers may sort it: not where the order of its rows says something.
    is_sortable: bool = True

    @property
    def below(self) -> str:
        """What a page says below it."""
        note = self.note_of_all
        return f"{self.small_print} {note[:1].upper()}{note[1:]}." if note else self.small_print

    @property
    def small_print(self) -> str:
        """n, and how intervals were made."""
        return " ".join(f"{part.rstrip('.')}." for part in (self.rests_on, self.method))

    @property
    def heads(self) -> tuple[Column, ...]:
        """The columns, and one for n where there are estimates."""
        heads = tuple(Column(one) if isinstance(one, str) else one for one in self.columns)
        return (*heads, Column("n")) if self._has_estimates else heads

    @property
    def notes(self) -> tuple[str, ...]:
        """Why figures are undefined and what else to know of them, in the order of their numbers."""
        notes = (_note(_plain(cell)) for row in self.rows for cell in row)
        return tuple(dict.fromkeys(note for note in notes if note))

    @property
    def note_of_all(self) -> str:
        """What is to be known of every figure alike: a page says it once, below."""
        estimates = [one for row in self.rows for cell in row if (one := _estimate(cell)) is not None]
        remarks = {"" if one.value is None else one.remarks for one in estimates}
        return remarks.pop() if len(estimates) > 2 and len(remarks) == 1 else ""

    @property
    def lines(self) -> list[list[Shown]]:
        """Each row's cells as text, n last."""
        numbers = {note: number for number, note in enumerate(self.notes, 1)}
        lines = [[_cell_text(cell, numbers) for cell in row] for row in self.rows]
        if self._has_estimates:
            for line, row in zip(lines, self.rows, strict=True):
                estimates = [one for one in map(_estimate, row) if one is not None]
                line.append(Shown(_n(estimates), value=max((one.n for one in estimates), default=None)))
        return lines

    @property
    def _has_estimates(self) -> bool:
        return any(_estimate(cell) is not None for row in self.rows for cell in row)


def _plain(cell: Cell) -> Plain:
    return cell.cell if isinstance(cell, Linked) else cell


def _estimate(cell: Cell) -> Estimate | None:
    """What n of its row is of."""
    plain = _plain(cell)
    return plain.share if isinstance(plain, Counted) else plain if isinstance(plain, Estimate) else None


def _cell_text(cell: Cell, numbers: Mapping[str, int]) -> Shown:
    query = cell.query if isinstance(cell, Linked) else {}
    match _plain(cell):
        case Estimate() as estimate:
            note = _note(estimate)
            return Shown(
                "undefined" if estimate.value is None else estimate.short,
                numbers.get(note, 0),
                is_figure=True,
                is_undefined=estimate.value is None,
                remarks=estimate.undefined if estimate.value is None else estimate.remarks,
                value=estimate.value,
                query=query,
            )
        case Counted(count, share):
            has_value = share.value is not None
            return Shown(
                f"{count:,} ({share.short})" if has_value else f"{count:,}",
                numbers.get(_note(share), 0) if has_value else 0,
                is_figure=True,
                remarks=share.remarks if has_value else "",
                value=share.value,
                count=f"{count:,}",
                share=share.short if has_value else "",
                query=query,
            )
        case Number() as number:
            return Shown(number.words, value=number.value, query=query)
        case Rater() as rater:
            return Shown(str(rater), value=rater.name, kind=rater.kind, query=query)
        case Statistic(name, term):
            return Shown(name, value=name, term=term, query=query)
        case int() as count:
            return Shown(f"{count:,}", value=count, query=query)
        case text:
            return Shown(text, value=text, query=query)


def _note(cell: Plain) -> str:
    if isinstance(cell, Counted):
        return cell.share.remarks if cell.share.value is not None else ""
    if not isinstance(cell, Estimate):
        return ""
    return f"undefined: {cell.undefined}" if cell.value is None else cell.remarks


def _n(estimates: Iterable[Estimate]) -> str:
    """What a row's figures rest on: once where it is the same, else one after the other: `49; 40; 49`, `50; –`."""
    rests = [_rests_on(one) for one in estimates]
    same = set(rests) - {NOTHING}
    return "; ".join(same if len(same) < 2 else rests)


def _rests_on(estimate: Estimate) -> str:
    if estimate.value is None:
        return NOTHING
    return f"{estimate.n:,}" if estimate.unit == "items" else counted(estimate.n, estimate.unit.removesuffix("s"))
