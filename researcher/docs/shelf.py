"""Which pages of docs/ the site shows, and how one of them is read."""

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from django.conf import settings
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from comparison.page.unbroken import pieces
from researcher.docs.anchors import give_anchors, text_of

# In the order in which a researcher meets them. What is for whoever changes the code stays where the code is.
SHOWN = (
    "first-steps", "researchers", "rights", "accounts", "participants", "studies", "annotators", "statistics",
    "metrics", "exports", "scoring", "formats", "training", "maskedlm", "api", "webhooks",
    "running", "settings",
    # What each paper asked, and the commands from its data to its tables and figures.
    "papers",
    "papers/intensifiers", "papers/agreement", "papers/event-knowledge", "papers/altboolq", "papers/adept",
)  # fmt: skip
FOR_CODE = ("design", "dependencies")
# What is wider than a phone scrolls by itself: a table in a box around it, commands in their own.
SCROLLS = '<div class="table-scroll" role="region" tabindex="0" aria-label="Table {number}">'
CODE = '<pre class="code-scroll" role="region" tabindex="0" aria-label="Commands or file {number}">'


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
