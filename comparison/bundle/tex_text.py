"""Any text as LaTeX in plain ASCII, so that it compiles under every engine and nothing in it is a command.

Letters with accents become accents on letters, Greek and signs become math; what has no name here is written as its
code point, `U+4E2D`: pdflatex stops at letters that its fonts lack.
"""

import re
import unicodedata

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
