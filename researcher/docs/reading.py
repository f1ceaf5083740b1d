"""The pages of docs/ as the site shows them: Markdown as HTML, a long page in parts, with anchors that stay."""

import posixpath
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from comparison.statistics.estimate import pieces
from researcher.docs.shelf import ENTRIES

# A page of more words outside tables and commands is shown in parts: by its sections, and long ones by theirs.
MOST_WORDS = 1_500
GREEK = {"α": "alpha", "κ": "kappa", "λ": "lambda", "π": "pi", "ρ": "rho", "χ": "chi", "ω": "omega"}
WORD = re.compile(r"\w[\w’'-]*")
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
    """A page, or a part of a long one, whose `name` then is the page's with the anchor of its heading.

    `anchors` are all that an address may point to; `contents` the headings below the title; `words` those outside
    tables and commands; `parts`, of a long page, what it is shown in; `before` and `after` a part are others.
    """

    name: str
    title: str
    html: SafeString
    contents: tuple[Heading, ...]
    anchors: tuple[str, ...]
    words: int
    parts: tuple["Document", ...] = ()
    before: str = ""
    after: str = ""

    @property
    def page(self) -> str:
        """The name of the page that it is, or is a part of."""
        return self.name if self.name in ENTRIES else posixpath.dirname(self.name)

    @property
    def is_part(self) -> bool:
        return self.name not in ENTRIES


def documents() -> list[Document]:
    """Every page, without the parts of long ones."""
    return [document(name) for name in ENTRIES]


def document(name: str) -> Document:
    """That page or part; LookupError, listing the pages there are, where it is none."""
    page, _, part = (name, "", "") if name in ENTRIES else name.rpartition("/")
    if page in ENTRIES:
        whole = _read(page, _written(page))
        found = next((one for one in whole.parts if one.name == name), None) if part else whole
        if found is not None:
            return found
    raise LookupError(f"There is no page {name!r}. Available: {', '.join(ENTRIES)}.")


def docs_address(page: str, anchor: str = "") -> str:
    """Where that anchor of a page is, be it in a part of it; of one that it lacks, the page."""
    holding = _holding(page, _written(page)).get(anchor)
    return reverse("docs", args=[holding or page]) + (f"#{anchor}" if holding else "")


def _path(page: str) -> Path:
    return Path(settings.BASE_DIR) / "docs" / f"{page}.md"


def _written(page: str) -> int:
    """When it was: a page that has changed is read anew."""
    return _path(page).stat().st_mtime_ns


# No raw HTML: what a page of docs/ says is text.
MARKDOWN = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")


def _pieces(page: str) -> list[tuple[str, list[Token]]]:
    """The page and, if it is long, what it is shown in, by name; of a long page, the first is what stands before."""
    tokens = MARKDOWN.parse(_path(page).read_text(encoding="utf-8"))
    give_anchors(tokens)
    if _words(tokens) <= MOST_WORDS:
        return [(page, tokens)]
    first, *sections = _split(tokens, "h2")
    parts = [part for one in sections for part in (_split(one, "h3") if _words(one) > MOST_WORDS else [one])]
    return [(page, first), *((f"{page}/{next(_headings(part)).anchor}", part) for part in parts)]


@lru_cache(maxsize=2 * len(ENTRIES))
def _holding(page: str, written: int) -> dict[str, str]:
    """By anchor, what it is in."""
    return {anchor: name for name, tokens in _pieces(page) for anchor in _anchors(tokens)}


@lru_cache(maxsize=2 * len(ENTRIES))
def _read(page: str, written: int) -> Document:
    first, *parts = (_document(name, tokens, page) for name, tokens in _pieces(page))
    names = ["", *(part.name for part in parts), ""]
    parts = [replace(one, before=names[n], after=names[n + 2]) for n, one in enumerate(parts)]
    return replace(first, parts=tuple(parts))


def _split(tokens: Sequence[Token], tag: str) -> list[list[Token]]:
    """What stands before the first heading of this tag, and each section from its heading on."""
    starts = [place for place, token in enumerate(tokens) if token.type == "heading_open" and token.tag == tag]
    ends = [*starts, len(tokens)]
    before = [list(tokens[: ends[0]])] if ends[0] else []
    return before + [list(tokens[start:end]) for start, end in zip(starts, ends[1:], strict=True)]


def _headings(tokens: Sequence[Token]) -> Iterator[Heading]:
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            yield Heading(int(token.tag[1]), str(token.attrGet("id") or ""), text_of(tokens[place + 1]))


def _words(tokens: Sequence[Token]) -> int:
    """Outside tables and commands."""
    depth, found = 0, 0
    for token in tokens:
        depth += token.nesting if token.type.startswith("table_") else 0
        if token.type == "inline" and not depth:
            found += len(WORD.findall(text_of(token)))
    return found


def _anchors(tokens: Sequence[Token]) -> tuple[str, ...]:
    return tuple(str(token.attrGet("id")) for token in tokens if token.attrGet("id"))


def _document(name: str, tokens: Sequence[Token], page: str) -> Document:
    headings = list(_headings(tokens))
    # A part's own heading is the title of its page.
    shown = [_raised(token, headings[0].level) for token in tokens]
    for token in shown:
        _mend(token, page)
    html = MARKDOWN.renderer.render(shown, MARKDOWN.options, {})
    html = _numbered(html, "<table>", f"{SCROLLS}<table>").replace("</table>", "</table></div>")
    html = _numbered(html, "<pre>", CODE)
    # Made by markdown-it without raw HTML, of files of the house.
    safe = mark_safe(html)  # noqa: S308
    return Document(name, headings[0].text, safe, tuple(headings[1:]), _anchors(tokens), _words(tokens))


def _raised(token: Token, level: int) -> Token:
    if token.type in ("heading_open", "heading_close"):
        token.tag = f"h{int(token.tag[1]) - level + 1}"
    return token


def _numbered(html: str, tag: str, box: str) -> str:
    """With each of these in a box of its own, which a screen reader can tell from the others."""
    first, *rest = html.split(tag)
    return first + "".join(f"{box.format(number=number)}{text}" for number, text in enumerate(rest, start=1))


def _mend(token: Token, page: str) -> None:
    """Alignment as a class, for the policy refuses inline styles; links and pictures to where they are here."""
    if token.attrs.pop("style", None) == "text-align:right":
        token.attrJoin("class", "number")
    kept: list[Token] = []
    is_dropped = False
    for child in token.children or []:
        if child.type == "image":
            child.attrSet("src", static(f"pictures/{posixpath.basename(str(child.attrGet('src')))}"))
            child.attrSet("loading", "lazy")
        if child.type == "link_open":
            address = _address(str(child.attrGet("href") or ""), page)
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
    if "://" in written:
        return written
    page, _, anchor = written.partition("#")
    name = posixpath.normpath(posixpath.join(posixpath.dirname(at), page.removesuffix(".md"))) if page else at
    if name not in ENTRIES or (page and not page.endswith(".md")):
        return ""
    return docs_address(name, anchor)


# --- Where an address can point: headings, lines of tables, and what begins with a term in bold ---


def anchor(text: str) -> str:
    """
    >>> anchor("Krippendorff’s α: nominal, ordinal"), anchor("The verdict (`verdict/`)"), anchor("Jensen–Shannon")
    ('krippendorffs-alpha', 'the-verdict', 'jensen-shannon')
    >>> anchor("4. The nearest models, as a set")
    'the-nearest-models'
    """
    name = re.split(r"[:;,(]", re.sub(r"^\d+\. ", "", text), maxsplit=1)[0].lower().replace("’", "").replace("'", "")
    spelled = "".join(GREEK.get(letter, letter) for letter in name)
    plain = unicodedata.normalize("NFKD", spelled.replace("–", "-")).encode("ascii", "ignore")
    return re.sub(r"[^a-z0-9]+", "-", plain.decode()).strip("-")


def give_anchors(tokens: Sequence[Token]) -> frozenset[str]:
    """Give each its id, headings first and all of them: what else is called the same goes without one."""
    given: set[str] = set()
    for token, text in _named_headings(tokens):
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


def _named_headings(tokens: Sequence[Token]) -> Iterator[tuple[Token, str]]:
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
