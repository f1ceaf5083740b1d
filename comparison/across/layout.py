"""The accuracy table on paper: aligned text, Markdown, or CSV with one line for a rater and a study."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from comparison.across.columns import different_items
from comparison.across.table import DIGITS, RaterLine, Studied
from comparison.exports.cells import lines as csv_lines
from corpus.errors import counted

HEADER = [
    "study", "population", "items_selected", "rater", "origin", "against", "statistic", "estimate", "low", "high", "n",
    "count", "ties", "unscored", "unanswered", "items_without_reference", "undefined", "note",
    "trained_on", "one_label", "classes", "items_left_out", "pooled_from",
]  # fmt: skip
# What Markdown, or the HTML in it, takes as more than a character; _ only at the edge of a word.
MARKUP = re.compile(r"[\\`*\[\]<>&|~]|(?<![^\W_])_|_(?![^\W_])")


@dataclass(frozen=True, slots=True)
class Caption:
    """What stands around the figures: what they are held against, which items, and how ties count."""

    against: str
    items: str
    ties: str
    # None: on the whole scale.
    classes: int | None = None
    # Of shares and their intervals; CSV has all that there are.
    digits: int = DIGITS
    # Whether items of some column hang together.
    is_grouped: bool = False

    def __str__(self) -> str:
        majority = "the majority label (annotators: the majority of the others)"
        held = "the reference" if self.against == "reference" else majority
        counting = f", in {self.classes} classes" if self.classes else ""
        counted = "ties count as wrong" if self.ties == "wrong" else "ties are left out of n"
        worth = ", widened for items in groups (design effect, Kish 1965; in the CSV)"
        return (
            f"Correct of n against {held}{counting}, with Wilson's 95 % interval{worth if self.is_grouped else ''}; "
            f"{self.items}; {counted}; unscored items are left out of n."
        )


def layout(form: str) -> Callable[[Sequence[Studied], Sequence[RaterLine], Caption], Iterator[str]]:
    """The writer of that form: text, markdown or csv."""
    return {"text": text, "markdown": markdown, "csv": csv}[form]


def text(studies: Sequence[Studied], table: Sequence[RaterLine], caption: Caption) -> Iterator[str]:
    """Aligned columns, for a terminal."""
    rows = [
        [*_corner(table, ""), *(_heading(study, caption) for study in studies)],
        *([*_side(line, table), *_cells(line, caption)] for line in table),
    ]
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip() + "\n"
    yield f"\n{caption}\n"


def markdown(studies: Sequence[Studied], table: Sequence[RaterLine], caption: Caption) -> Iterator[str]:
    """A pipe table."""
    corner = _corner(table, "rater")
    yield _piped([*corner, *(_harmless(_heading(study, caption)) for study in studies)])
    yield _piped(["---"] * (len(corner) + len(studies)))
    for line in table:
        yield _piped([*map(_harmless, _side(line, table)), *_cells(line, caption)])
    yield f"\n{_harmless(str(caption))}\n"


def csv(studies: Sequence[Studied], table: Sequence[RaterLine], caption: Caption) -> Iterator[str]:
    """The long form, as in the other exports."""
    return csv_lines(records(studies, table, caption))


def records(studies: Sequence[Studied], table: Sequence[RaterLine], caption: Caption) -> Iterator[list[object]]:
    """The rows of the CSV, their heading first."""
    yield list(HEADER)
    for line in table:
        for study, cell in zip(studies, line.cells, strict=True):
            share = cell.share
            count = cell.right if cell.n else None
            yield [
                study.name, study.population, caption.items, line.rater, line.origin, caption.against, "accuracy",
                share.value, share.low, share.high, cell.n, count, cell.ties, cell.unscored, cell.unanswered,
                study.without_truth, share.undefined, "; ".join(filter(None, (cell.note, share.remarks))),
                " + ".join(line.trained_on), cell.lone, caption.classes, study.left_out, " + ".join(study.pooled),
            ]  # fmt: skip


def _heading(study: Studied, caption: Caption) -> str:
    marks = [f"pooled from {' + '.join(study.pooled)}"] if study.pooled else []
    marks += [f"{counted(study.with_truth, 'item')}{_of_ids(study)}"]
    marks += [f"{study.without_truth} more without a {caption.against}"] if study.without_truth else []
    marks += [f"{study.left_out} left out by their label"] if study.left_out else []
    marks += ["synthetic annotators"] if study.population == "synthetic" else []
    return f"{study.name} ({', '.join(marks)})"


def _of_ids(study: Studied) -> str:
    """Of a pooled column, how many ids its items share: its interval takes items of one id as one cluster."""
    return f" of {different_items(study)} IDs" if study.pooled else ""


def _corner(table: Sequence[RaterLine], words: str) -> list[str]:
    """What stands above the raters; and above what they learned from here, where one of them did."""
    return [words, "trained on"] if any(line.trained_on for line in table) else [words]


def _side(line: RaterLine, table: Sequence[RaterLine]) -> list[str]:
    rater = line.rater if line.origin != "baseline" else f"{line.rater} (baseline)"
    return [rater, " + ".join(line.trained_on)][: len(_corner(table, ""))]


def _cells(line: RaterLine, caption: Caption) -> Iterator[str]:
    yield from (cell.said(caption.digits) for cell in line.cells)


def _piped(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |\n"


def _harmless(text: str) -> str:
    """A name as Markdown shows it and does not read it: character references hold in a table's cell and outside."""
    return MARKUP.sub(lambda match: f"&#{ord(match.group())};", " ".join(text.split()))
