"""The anchors of a page of docs/: its headings, the lines of its tables, and points that begin with a term in bold.

An anchor is made of the words alone, up to the first comma, colon or parenthesis: `Krippendorff’s α: nominal, …` is
`krippendorffs-alpha`, wherever on its page it stands.
"""

import re
import unicodedata
from collections.abc import Iterator, Sequence

from markdown_it.token import Token

GREEK = {"α": "alpha", "κ": "kappa", "λ": "lambda", "π": "pi", "ρ": "rho", "χ": "chi", "ω": "omega"}


def anchor(text: str) -> str:
    """
    >>> anchor("Krippendorff’s α: nominal, ordinal"), anchor("The verdict (`verdict/`)"), anchor("Jensen–Shannon")
    ('krippendorffs-alpha', 'the-verdict', 'jensen-shannon')
    """
    name = re.split(r"[:;,(]", text, maxsplit=1)[0].lower().replace("’", "").replace("'", "")
    spelled = "".join(GREEK.get(letter, letter) for letter in name)
    plain = unicodedata.normalize("NFKD", spelled.replace("–", "-")).encode("ascii", "ignore")
    return re.sub(r"[^a-z0-9]+", "-", plain.decode()).strip("-")


def give_anchors(tokens: Sequence[Token]) -> frozenset[str]:
    """Give each its id, headings first and all of them: what else is called the same goes without one."""
    given: set[str] = set()
    for token, text in _headings(tokens):
        name, count = anchor(text), 1
        while name in given:
            count += 1
            name = f"{anchor(text)}-{count}"
        token.attrSet("id", name)
        given.add(name)
    for found in (_rows(tokens), _points(tokens)):
        for token, text in found:
            name = anchor(text)
            if name and name not in given:
                token.attrSet("id", name)
                given.add(name)
    return frozenset(given)


def text_of(inline: Token) -> str:
    """Its words without their marks."""
    return "".join(one.content for one in inline.children or [] if one.type in ("text", "code_inline"))


def _headings(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            yield token, text_of(tokens[place + 1])


def _rows(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """The lines of tables, by their first cell."""
    for place, token in enumerate(tokens):
        if token.type == "tr_open" and tokens[place + 1].type == "td_open":
            yield token, text_of(tokens[place + 2])


def _points(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
    """Paragraphs and points of lists that begin with a term in bold."""
    for place, inline in enumerate(tokens):
        first = [one for one in inline.children or [] if one.type != "text" or one.content]
        if first and first[0].type == "strong_open":
            paragraph = tokens[place - 1]
            # A point of a list has its paragraph's words and not its element.
            yield (tokens[place - 2] if paragraph.hidden else paragraph), first[1].content
