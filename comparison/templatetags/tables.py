"""A figure in its page: `{% tables page "KEY" %}` writes its tables, what they rest on, and its download;
`{% pictures page "KEY" %}` its pictures, or the one that is named, `{% drawing page "NAME" %}` a chart alone,
`{% brief TEXT %}` a text with the short names of runs,
`{% answer page "KEY" %}` the line that answers its title, `{% figure_menu "KEY" "NAME" %}` the files of a figure that
its page draws itself, `{% download "KEY" %}` a file where a template writes the table by hand, and
`{{ TEXT|unbroken }}` a text in which no line ends inside an estimate and its interval.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from html import escape
from itertools import zip_longest
from typing import Any, Protocol

from django import template
from django.template import Context
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.http import urlencode
from django.utils.safestring import SafeString, mark_safe

from comparison.exports.registry import FILES
from comparison.figures.registry import BY_KEY, page_of
from comparison.figures.table import Shown, Table
from comparison.page.drawn.squares import Square
from comparison.page.page import Page
from comparison.pictures.engine import Drawing
from comparison.statistics.alternative import Rival
from comparison.statistics.estimate import Estimate, pieces
from comparison.statistics.strengths.cut_points import by_cut_points

register = template.Library()

WHOLE = '<span class="unbroken">{}</span>'
WRAPS = SafeString(' class="wraps"')
# Behind the names of runs whose labels are by cut points.
MARK = by_cut_points("")
SMALL = '<small class="quiet wraps">{}</small>'
ANNOTATOR = '<tr><th scope="row">{}</th><td data-value="{}">{}</td></tr>'
SQUARE = '<td class="cell"><span class="sq {}{}" title="{}">{}{}</span></td>'
RIGHT = SafeString('<span class="visually-hidden">, right</span>')
RIVAL = (
    '<tr><th scope="row">{}</th><td class="number" data-value="{}">{}</td>'
    '<td class="number">{}</td><td class="number">{}</td><td>{}</td></tr>'
)


@register.filter
def unbroken(text: object) -> SafeString:
    """Of whatever is written as text; what is no figure is escaped as ever."""
    parts = ((escape(piece), is_figure) for piece, is_figure in pieces(str(text)))
    # Every piece is escaped above, once: format_html would look at each three times, and a page has a thousand.
    return mark_safe("".join(WHOLE.format(piece) if is_figure else piece for piece, is_figure in parts))  # noqa: S308


@register.inclusion_tag("comparison/_tables.html", takes_context=True)
def tables(context: Context, page: Page, key: str) -> dict[Any, Any]:
    figure = BY_KEY[key]
    # The file of a figure by an attribute is of the one that the page shows, also where the address names none.
    by = page.selection.by if figure.part == "breakdown" else page.chosen.asked.by
    tables = tuple(figure.tables(page.chosen))
    below = [one.below for one in tables]
    # What two of them say alike stands once, below the second.
    notes = ["" if note == after else note for note, after in zip_longest(below, below[1:])]
    return {
        **context.flatten(),
        "tables": tuple(zip(tables, notes, strict=True)),
        "has_cut": any(MARK in str(cell) for one in tables for row in one.rows for cell in row),
        "file": figure.file,
        "by": by,
    }


@register.inclusion_tag("comparison/_download.html", takes_context=True)
def download(context: Context, key: str, *, by: str = "") -> dict[Any, Any]:
    return {**context.flatten(), "file": FILES[key], "by": by}


@register.inclusion_tag("comparison/_pictures.html", takes_context=True)
def pictures(context: Context, page: Page, key: str, name: str = "") -> dict[Any, Any]:
    """Those that there is something to draw for."""
    figure = BY_KEY[key]
    charts = {one: chart for one, chart in page.charts_by_figure[key].items() if name in ("", one)}
    data = figure.file.key if figure.file else "report"
    return {**context.flatten(), "charts": charts, "data": data, "file": FILES[data], "here": page_of(figure)}


@register.inclusion_tag("comparison/figures/menu.html", takes_context=True)
def figure_menu(context: Context, key: str, name: str = "") -> dict[Any, Any]:
    """The files of a figure behind its ⋯; `name` is its picture's, which addresses have."""
    figure = BY_KEY[key]
    file = FILES[figure.file.key if figure.file else "report"]
    return {**context.flatten(), "file": file, "here": page_of(figure), "name": name}


@register.simple_tag(takes_context=True)
def rows(context: Context, table: Table) -> list[tuple[Shown, SafeString, SafeString]]:
    """The first cell of each row, what stands in it, and all other cells as they are written.

    A template takes five times as long for them, and a page has a thousand.
    """
    cells = _Cells(table.note_of_all, None if context.get("shared") else _items_of(context), context["page"].shortened)
    return [
        (first, cells.inside(first), format_html_join("", "{}", ((cells.figure(one),) for one in rest)))
        for first, *rest in table.lines
    ]


def _items_of(context: Context) -> Callable[[Mapping[str, str]], str]:
    """Gives the address of the items that a cell is of, among those that the page's own address selects."""
    params = {name: values for name, values in context["request"].GET.lists() if name not in ("page", "open")}

    def address(query: Mapping[str, str]) -> str:
        own = {name: [value] for name, value in query.items()}
        return f"{context['items_address']}?{urlencode(params | own, doseq=True)}"

    return address


@dataclass(frozen=True, slots=True)
class _Cells:
    """How a table's cells are written: `everywhere` is said below it, `items_of` is None where no cell leads on, and
    runs have the names that `shortened` gives.
    """

    everywhere: str
    items_of: Callable[[Mapping[str, str]], str] | None
    shortened: Callable[[str], str]

    def figure(self, cell: Shown) -> SafeString:
        value = "" if cell.value is None else cell.value
        wraps = WRAPS if not cell.is_figure and len(self.shortened(cell.text)) > 12 else ""
        return format_html('<td data-value="{}"{}>{}</td>', value, wraps, self.inside(cell))

    def inside(self, cell: Shown) -> SafeString:
        if cell.is_undefined:
            return format_html(SMALL, f"undefined: {cell.remarks}")
        text = _brief(cell.text, self.shortened)
        if cell.query and self.items_of:
            text = format_html('<a href="{}">{}</a>', self.items_of(cell.query), text)
        elif cell.share:
            text = format_html('{}<br><small class="quiet">{}</small>', cell.count, unbroken(cell.share))
        if cell.remarks and cell.remarks != self.everywhere:
            return format_html("{} {}", text, format_html(SMALL, cell.remarks))
        return text


@register.simple_tag(takes_context=True)
def brief(context: Context, text: str) -> SafeString:
    """With the short names of runs; the whole text is in its title."""
    return _brief(text, context["page"].shortened)


def _brief(text: str, shortened: Callable[[str], str]) -> SafeString:
    short = shortened(text)
    return unbroken(text) if short == text else format_html('<span title="{}">{}</span>', text, unbroken(short))


@register.simple_tag
def held_against_others(found: Iterable[tuple[str, Estimate]]) -> SafeString:
    """Rows of a table of every annotator beside the others."""
    cells = ((name, "" if one.value is None else one.value, unbroken(one)) for name, one in found)
    return format_html_join("\n", ANNOTATOR, cells)


@register.simple_tag
def rivals(found: Iterable[Rival]) -> SafeString:
    """Rows of the table of annotators with whom a run was compared."""
    cells = ((one.rater, one.n, f"{one.n:,}", one.model_words, one.person_words, one.words) for one in found)
    return format_html_join("\n", RIVAL, cells)


@register.simple_tag
def squares(found: Iterable[Square]) -> SafeString:
    """Cells with what runs say of one item: a page of items has a thousand, and a template takes ten times as long."""
    cells = (
        (one.color or "none", " hit" if one.is_right else "", one.said, one.sign, RIGHT if one.is_right else "")
        for one in found
    )
    return format_html_join("", SQUARE, cells)


@register.simple_tag(takes_context=True)
def check_address(context: Context, key: str) -> str:
    """Of a check's page; by a shared link, within it."""
    at = ("shared_part", context["token"]) if context.get("shared") else ("results", context["study"].slug)
    return reverse(at[0], args=[at[1], key])


@register.simple_tag
def answer(page: Page, key: str) -> SafeString:
    return unbroken(BY_KEY[key].answer(page.chosen) or "")


class Drawn(Protocol):
    @property
    def drawings(self) -> Mapping[str, Drawing]: ...


@register.simple_tag
def drawing(page: Drawn, name: str) -> SafeString:
    picture = page.drawings[name]
    # Every element in it was written by pictures/engine.py, which escapes what it is given.
    return mark_safe(picture.wide + picture.narrow)  # noqa: S308
