"""LaTeX tables with captions (booktabs), and a document that has them all."""

from collections.abc import Sequence

from comparison.bundle.tables.table import Shown, Table
from comparison.bundle.tex_text import tex

# As many lines as a page holds: a table that floats cannot break.
LINES = 40
# Letters of a head that stand on one line.
LONG = 16
# So that no more tables wait for a page than LaTeX can hold.
TABLES_BEFORE_A_PAGE = 4
HEAD = r"""\documentclass{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{textcomp}
\IfFileExists{lmodern.sty}{\usepackage{lmodern}}{}
\usepackage{booktabs}
\usepackage{graphicx}
\usepackage[margin=2cm]{geometry}
"""


def table_text(table: Table) -> str:
    """One file: the table, in parts where it is long."""
    lines = table.lines
    parts = [lines[start : start + LINES] for start in range(0, len(lines), LINES)] or [[]]
    return f"% {tex(table.mark)}\n" + "\n".join(
        _part(table, part, number, len(parts)) for number, part in enumerate(parts, 1)
    )


def document(tables: Sequence[Table], *, title: str, mark: str) -> str:
    """A document that inputs every table from beside it."""
    inputs = []
    for number, table in enumerate(tables, 1):
        inputs.append(rf"\input{{{table.name}.tex}}")
        if number % TABLES_BEFORE_A_PAGE == 0:
            inputs.append(r"\clearpage")
    return "\n".join(
        [
            HEAD + rf"\title{{{tex(title)}}}",
            r"\author{}",
            r"\date{}",
            r"\begin{document}",
            r"\maketitle",
            tex(mark),
            *inputs,
            r"\end{document}",
            "",
        ]
    )


def _part(table: Table, lines: Sequence[Sequence[Shown]], number: int, of: int) -> str:
    which = f" Part {number} of {of}." if of > 1 else ""
    label = f"tab:{table.name}" + (f"-{number}" if of > 1 else "")
    heads = " & ".join(map(_head, table.heads))
    rows = [" & ".join(map(_cell, line)) + r" \\" for line in lines]
    return "\n".join(
        [
            r"\begin{table}[htbp]",
            r"\centering\footnotesize",
            rf"\caption{{{tex(table.caption + which)}}}",
            rf"\label{{{label}}}",
            r"\smallskip",
            # No wider than the page.
            r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
            rf"\begin{{tabular}}{{{'l' * len(table.heads)}}}",
            r"\toprule",
            heads + r" \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}}",
            *_notes(table, lines),
            r"\end{table}",
            "",
        ]
    )


def _head(text: str) -> str:
    """Long ones on two lines, parted at the space nearest to the middle."""
    spaces = [place for place, letter in enumerate(text) if letter == " "]
    if len(text) <= LONG or not spaces:
        return rf"\textbf{{{tex(text)}}}"
    middle = min(spaces, key=lambda place: abs(2 * place - len(text)))
    return rf"\shortstack[l]{{\textbf{{{tex(text[:middle])}}}\\\textbf{{{tex(text[middle:])}}}}}"


def _cell(shown: Shown) -> str:
    return tex(shown.text) + (rf"$^{{{shown.note}}}$" if shown.note else "")


def _notes(table: Table, lines: Sequence[Sequence[Shown]]) -> list[str]:
    """Those that these lines refer to."""
    here = sorted({cell.note for line in lines for cell in line if cell.note})
    said = [rf"$^{{{number}}}$~{tex(table.notes[number - 1])}" for number in here]
    return [r"\par\medskip\raggedright", "; ".join(said) + "."] if said else []
