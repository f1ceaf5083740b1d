"""Search over docs/ and the glossary: which sections have all the words, those with them in their heading first."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from researcher.docs.reading import GREEK, WORD, Document, docs_address, document
from researcher.docs.shelf import ENTRIES, SECTIONS

MOST_FOUND = 30
LONGEST_QUERY = 100
# What a word in a heading is worth, against one in the text.
IN_HEADING, BEGINS_HEADING = 10.0, 5.0
SENTENCE = re.compile(r"(?<=[.!?])\s+")
# Of a question asked in a sentence, what says nothing of its subject.
EMPTY = frozenset((
    "a", "an", "the", "how", "what", "which", "do", "does", "can", "could", "should", "is", "are", "i", "we", "my",
    "in", "of", "on", "to", "for", "with", "and", "or",
))  # fmt: skip
TAGS = re.compile(r"<[^>]+>")
HEADING = re.compile(r'<h([1-3])[^>]* id="([^"]*)"[^>]*>(.*?)</h\1>', re.DOTALL)
ENTITIES = {"&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": '"'}
LONGEST_SENTENCE = 220


@dataclass(frozen=True, slots=True)
class Section:
    """A heading with the text below it, up to the next one."""

    address: str
    page: str
    heading: str
    text: str


@dataclass(frozen=True, slots=True)
class Found:
    """`sentence` has the words that were looked for marked."""

    address: str
    page: str
    heading: str
    sentence: SafeString


def search(query: str) -> list[Found]:
    """At most MOST_FOUND sections with all words of the query, in any form that begins like them; best first."""
    words = [word.casefold() for word in WORD.findall(query[:LONGEST_QUERY])]
    words = [word for word in words if word not in EMPTY] or words
    if not words:
        return []
    patterns = [re.compile(rf"\b{_spellings(word)}", re.IGNORECASE) for word in words]
    ranked = sorted(
        ((worth, n, one) for n, one in enumerate(_sections()) if (worth := _worth(one, patterns))),
        key=lambda found: (-found[0], found[1]),
    )
    return [Found(one.address, one.page, one.heading, _sentence(one, patterns)) for _, _, one in ranked[:MOST_FOUND]]


def _spellings(word: str) -> str:
    """As a pattern: a Greek letter is found by its name, and the other way round.

    >>> _spellings("kappa"), _spellings("κ"), _spellings("label")
    ('(?:kappa|κ)', '(?:kappa|κ)', 'label')
    """
    letter = next((one for one, name in GREEK.items() if word in (one, name)), "")
    return f"(?:{GREEK[letter]}|{letter})" if letter else re.escape(word)


def _worth(one: Section, patterns: Sequence[re.Pattern[str]]) -> float:
    """0 unless every word is there; words often repeated in a short section say more of it than in a long one."""
    total = 0.0
    for pattern in patterns:
        in_text = len(pattern.findall(one.text))
        in_heading = pattern.search(one.heading)
        if not in_text and not in_heading:
            return 0.0
        total += in_text / (20 + len(one.text) / 500)
        if in_heading:
            total += IN_HEADING + (BEGINS_HEADING if in_heading.start() == 0 else 0.0)
    return total


def _sentence(one: Section, patterns: Sequence[re.Pattern[str]]) -> SafeString:
    """The first sentence with most of the words."""
    sentences = SENTENCE.split(one.text) or [""]
    best = max(sentences, key=lambda text: sum(bool(pattern.search(text)) for pattern in patterns))
    text = best if len(best) <= LONGEST_SENTENCE else _around(best, patterns)
    marked = re.compile("|".join(rf"({pattern.pattern}\w*)" for pattern in patterns), re.IGNORECASE)
    pieces, end = [], 0
    for hit in marked.finditer(text):
        pieces += [escape(text[end : hit.start()]), f"<mark>{escape(hit[0])}</mark>"]
        end = hit.end()
    return mark_safe("".join([*pieces, escape(text[end:])]))  # noqa: S308


def _around(text: str, patterns: Sequence[re.Pattern[str]]) -> str:
    """A piece of a long sentence around the first word that was found, cut between words."""
    hit = next((hit for pattern in patterns if (hit := pattern.search(text))), None)
    start = max(0, (hit.start() if hit else 0) - LONGEST_SENTENCE // 3)
    start = text.find(" ", start) + 1 if start else 0
    piece = text[start : start + LONGEST_SENTENCE]
    return f"{'… ' if start else ''}{piece.rsplit(' ', 1)[0]} …"


def _sections() -> Iterator[Section]:
    for name, entry in ENTRIES.items():
        whole = document(name)
        for part in (whole, *whole.parts):
            yield from _of_document(part, entry.title)
    for section, terms in SECTIONS.values():
        for term in terms:
            yield Section(f"{reverse('glossary')}#{term.key}", f"Glossary › {section}", term.name, term.words)


def _of_document(part: Document, page: str) -> Iterator[Section]:
    """By its headings; of a page that is shown in parts, what stands before them."""
    headings = list(HEADING.finditer(part.html))
    for place, heading in enumerate(headings):
        end = headings[place + 1].start() if place + 1 < len(headings) else len(part.html)
        text = _plain(part.html[heading.end() : end])
        yield Section(docs_address(part.page, heading[2]), page, _plain(heading[3]), text)


def _plain(html: str) -> str:
    text = TAGS.sub(" ", html.replace("</td>", "; ").replace("</p>", " ").replace("</li>", ". "))
    for entity, letter in ENTITIES.items():
        text = text.replace(entity, letter)
    return " ".join(text.split())
