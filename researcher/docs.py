"""The pages of docs/ as the site shows them, with anchors that stay, and the glossary.

To show one more: its name in SHOWN.
"""

import posixpath
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from comparison.glossary.entries import METRIC_TERMS
from comparison.glossary.people import AGGREGATION, AGREEMENT, OVER_PEOPLE, PEOPLE
from comparison.glossary.runs import ACCURACY, ASKED, BETWEEN, DISTRIBUTIONS, STRENGTHS, VERDICT
from comparison.glossary.term import Term
from comparison.page.unbroken import pieces

SECTIONS: dict[str, tuple[str, Sequence[Term]]] = {
    "agreement": ("Agreement between people", AGREEMENT),
    "people": ("People", (*OVER_PEOPLE, *PEOPLE)),
    "aggregation": ("One label out of several", AGGREGATION),
    "accuracy": ("Models beside labels", ACCURACY),
    "distributions": ("Distributions of labels", DISTRIBUTIONS),
    "verdict": ("The verdict", VERDICT),
    "strengths": ("Strengths", STRENGTHS),
    "runs": ("Between runs", BETWEEN),
    "asked": ("Models that are asked in words", ASKED),
    "metrics": ("Metrics: what is measured of a model", METRIC_TERMS),
}

GREEK = {"α": "alpha", "κ": "kappa", "λ": "lambda", "π": "pi", "ρ": "rho", "χ": "chi", "ω": "omega"}
# In the order in which a researcher meets them. What is for whoever changes the code stays where the code is.
SHOWN = (
    "first-steps", "researchers", "rights", "accounts", "participants", "studies", "annotators", "statistics",
    "metrics", "exports", "scoring", "formats", "training", "maskedlm", "api", "webhooks",
    "running", "settings",
    # What each paper asked, and the commands from its data to its tables and figures.
    "papers",
    "papers/intensifiers", "papers/agreement", "papers/event-knowledge", "papers/altboolq", "papers/adept",
)  # fmt: skip
FOR_CODE = ("design", "dependencies", "words")
# What is wider than a phone scrolls by itself: a table in a box around it, commands in their own.
SCROLLS = '<div class="table-scroll" role="region" tabindex="0" aria-label="Table {number}">'
CODE = '<pre class="code-scroll" role="region" tabindex="0" aria-label="Commands or file {number}">'


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


@dataclass(frozen=True, slots=True)
class Heading:
    level: int
    anchor: str
    text: str


@dataclass(frozen=True, slots=True)
class Document:
    """`anchors` are all that an address may point to; `contents` the headings below the title."""

    name: str
    title: str
    html: SafeString
    contents: tuple[Heading, ...]
    anchors: frozenset[str]


def documents() -> list[Document]:
    return [document(name) for name in SHOWN]


def document(name: str) -> Document:
    """That page; LookupError, listing those there are, where it is none of them."""
    if name not in SHOWN:
        raise LookupError(f"There is no page {name!r}. There are: {', '.join(SHOWN)}.")
    path = settings.BASE_DIR / "docs" / f"{name}.md"
    return _read(name, path.stat().st_mtime_ns)


@lru_cache(maxsize=2 * len(SHOWN))
def _read(name: str, written: int) -> Document:
    """`written` is when: a page that has changed is read anew."""
    # No raw HTML: what a page of docs/ says is text.
    markdown = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
    tokens = markdown.parse((settings.BASE_DIR / "docs" / f"{name}.md").read_text(encoding="utf-8"))
    anchors = give_anchors(tokens)
    headings = [
        Heading(int(token.tag[1]), str(token.attrGet("id") or ""), text_of(tokens[place + 1]))
        for place, token in enumerate(tokens)
        if token.type == "heading_open"
    ]
    for token in tokens:
        _mend(token, name)
    html = markdown.renderer.render(tokens, markdown.options, {})
    html = _numbered(html, "<table>", f"{SCROLLS}<table>").replace("</table>", "</table></div>")
    html = _numbered(html, "<pre>", CODE)
    # Made by markdown-it without raw HTML, of files of the house.
    return Document(name, headings[0].text, mark_safe(html), tuple(headings[1:]), anchors)  # noqa: S308


def _numbered(html: str, tag: str, box: str) -> str:
    """With each of these in a box of its own, which a screen reader can tell from the others."""
    first, *rest = html.split(tag)
    return first + "".join(f"{box.format(number=number)}{text}" for number, text in enumerate(rest, start=1))


def _mend(token: Token, name: str) -> None:
    """Alignment as a class, for the policy refuses inline styles; links to where the page is here; figures whole."""
    if token.attrs.pop("style", None) == "text-align:right":
        token.attrJoin("class", "number")
    kept: list[Token] = []
    is_dropped = False
    for child in token.children or []:
        if child.type == "link_open":
            address = _address(str(child.attrGet("href") or ""), name)
            is_dropped = not address
            child.attrSet("href", address)
        if not (is_dropped and child.type in ("link_open", "link_close")):
            kept.extend(_unbroken(child))
    token.children = kept or token.children


def _unbroken(text: Token) -> Iterator[Token]:
    """A piece of text in pieces, with each figure in an element of its own; anything else as it is."""
    if text.type != "text":
        yield text
        return
    for words, is_figure in pieces(text.content):
        if is_figure:
            yield Token("span_open", "span", 1, attrs={"class": "unbroken"})
        yield Token("text", "", 0, content=words)
        if is_figure:
            yield Token("span_close", "span", -1)


def _address(written: str, at: str) -> str:
    """Where a link of the page `at` leads on the site; empty where it leads to a file that the site does not show."""
    if "://" in written or written.startswith("#"):
        return written
    page, _, anchor = written.partition("#")
    name = posixpath.normpath(posixpath.join(posixpath.dirname(at), page.removesuffix(".md")))
    if name not in SHOWN or not page.endswith(".md"):
        return ""
    return reverse("docs", args=[name]) + (f"#{anchor}" if anchor else "")
