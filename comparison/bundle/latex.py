"""LaTeX tables with captions (booktabs), in plain ASCII so that they compile under any engine; one document of all."""

import re
import unicodedata
from collections.abc import Sequence

from comparison.figures.table import Shown, Table

# What TeX takes as more than itself, and the pairs that its fonts draw as one sign.
ESCAPED = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "%": r"\%", "#": r"\#", "_": r"\_",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': r"\textquotedbl{}", "`": r"\textasciigrave{}", "[": "{[}", "]": "{]}", "*": "{*}",
}  # fmt: skip
SIGNS = {
    "’": "'", "‘": "`", "“": "``", "”": "''", "–": "--", "—": "---", "…": r"\ldots{}", "·": r"$\cdot$",
    "×": r"$\times$", "−": "$-$", "±": r"$\pm$", "≤": r"$\leq$", "≥": r"$\geq$", "≠": r"$\neq$", "≈": r"$\approx$",
    "→": r"$\to$", "←": r"$\leftarrow$", "∞": r"$\infty$", "√": r"$\surd$", "°": r"$^\circ$", "²": "$^2$",
    "³": "$^3$", "½": "1/2", "\u00a0": "~", "\u202f": r"\,", "\u2009": r"\,", "§": r"\S{}", "€": "EUR",
    "£": r"\pounds{}", "«": r"\guillemotleft{}", "»": r"\guillemotright{}", "¡": r"\textexclamdown{}",
    "¿": r"\textquestiondown{}", "‑": "-", "∈": r"$\in$", "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}",
    "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}", "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "đ": r"\dj{}", "Đ": r"\DJ{}",
    "þ": r"\th{}", "Þ": r"\TH{}", "ð": r"\dh{}", "Ð": r"\DH{}",
}  # fmt: skip
GREEK = {
    "α": "alpha", "β": "beta", "γ": "gamma", "δ": "delta", "ε": "varepsilon", "ζ": "zeta", "η": "eta", "θ": "theta",
    "ι": "iota", "κ": "kappa", "λ": "lambda", "μ": "mu", "µ": "mu", "ν": "nu", "ξ": "xi", "π": "pi", "ρ": "rho",
    "σ": "sigma", "τ": "tau", "υ": "upsilon", "φ": "varphi", "χ": "chi", "ψ": "psi", "ω": "omega", "Γ": "Gamma",
    "Δ": "Delta", "Θ": "Theta", "Λ": "Lambda", "Ξ": "Xi", "Π": "Pi", "Σ": "Sigma", "Φ": "Phi", "Ψ": "Psi", "Ω": "Omega",
}  # fmt: skip
# By the mark that Unicode sets behind the letter.
ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0308": '"', "\u030a": "r", "\u030c": "v",
    "\u0327": "c", "\u0328": "k", "\u0304": "=", "\u0306": "u", "\u0307": ".", "\u030b": "H", "\u0323": "d",
    "\u0331": "b",
}  # fmt: skip
# Two of these make another sign: en dash, quotation marks.
DOUBLED = re.compile(r"(?<=([-,']))(?=\1)")

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


def tex(text: str) -> str:
    r"""The text on one line.

    >>> tex("50 % of κ_1 & {é}")
    '50 \\% of $\\kappa$\\_1 \\& \\{\\\'{e}\\}'
    >>> tex("a--b 中")
    'a-{}-b \\texttt{U+4E2D}'
    """
    plain = DOUBLED.sub("\0", " ".join(unicodedata.normalize("NFC", text).split()))
    return "".join(map(_letter, plain)).replace("\0", "{}")


def _letter(one: str) -> str:
    if one in ESCAPED:
        return ESCAPED[one]
    if one == "\0" or (one.isascii() and one.isprintable()):
        return one
    if one in SIGNS:
        return SIGNS[one]
    if one in GREEK:
        return rf"$\{GREEK[one]}$"
    decomposed = unicodedata.normalize("NFD", one)
    base, marks = decomposed[0], decomposed[1:]
    if base.isascii() and base.isalpha() and marks and all(mark in ACCENTS for mark in marks):
        for mark in marks:
            base = rf"\{ACCENTS[mark]}{{{base}}}"
        return base
    return rf"\texttt{{U+{ord(one):04X}}}"


def table_text(table: Table, *, mark: str) -> str:
    """One file: the table, in parts where it is long. `mark` says whose labels it is of."""
    lines = table.lines
    parts = [lines[start : start + LINES] for start in range(0, len(lines), LINES)] or [[]]
    return f"% {tex(mark)}\n" + "\n".join(
        _part(table, part, number, len(parts), mark=mark) for number, part in enumerate(parts, 1)
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


def _part(table: Table, lines: Sequence[Sequence[Shown]], number: int, of: int, *, mark: str) -> str:
    which = f" Part {number} of {of}." if of > 1 else ""
    label = f"tab:{table.name}" + (f"-{number}" if of > 1 else "")
    heads = " & ".join(_head(one.head) for one in table.heads)
    caption = f"{table.title}. {table.small_print} {mark}{which}"
    rows = [" & ".join(map(_cell, line)) + r" \\" for line in lines]
    return "\n".join(
        [
            r"\begin{table}[htbp]",
            r"\centering\footnotesize",
            rf"\caption{{{tex(caption)}}}",
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


def _cell(content: Shown) -> str:
    return tex(content.text) + (rf"$^{{{content.note}}}$" if content.note else "")


def _notes(table: Table, lines: Sequence[Sequence[Shown]]) -> list[str]:
    """Those that these lines refer to."""
    numbers = sorted({cell.note for line in lines for cell in line if cell.note})
    notes = [rf"$^{{{number}}}$~{tex(table.notes[number - 1])}" for number in numbers]
    return [r"\par\medskip\raggedright", "; ".join(notes) + "."] if notes else []
