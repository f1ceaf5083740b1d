"""CoNLL-U: sentences with words, tags and trees (universaldependencies.org/format.html)."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from corpus.errors import Fault, SourceError
from corpus.lines import CorpusFile, Line

ID = re.compile(r"\d+([-.]\d+)?")
# Universal parts of speech; CONJ is that of the first version.
OPEN = frozenset({"ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB"})
CLOSED = frozenset({"ADP", "AUX", "CCONJ", "CONJ", "DET", "NUM", "PART", "PRON", "SCONJ"})
UPOS = OPEN | CLOSED | {"PUNCT", "SYM", "X"}
# A paragraph without an end would grow with the file.
MOST_SENTENCES = 20


@dataclass(frozen=True, slots=True)
class GoldTree:
    """The analysis of one or more sentences. `heads` are places in `words` from 0; a root is its own head.

    `tags` are those of the language's own set (XPOS), `pos` the universal ones; `spaces` says after which words
    a space stands.
    """

    words: tuple[str, ...]
    spaces: tuple[bool, ...]
    tags: tuple[str, ...]
    pos: tuple[str, ...]
    lemmas: tuple[str, ...]
    deps: tuple[str, ...]
    heads: tuple[int, ...]
    starts: tuple[bool, ...]

    @property
    def text(self) -> str:
        parts = (word + " " * space for word, space in zip(self.words, self.spaces, strict=True))
        return "".join(parts).strip()


@dataclass(frozen=True, slots=True)
class _Word:
    form: str
    lemma: str
    pos: str
    tag: str
    head: int
    dep: str
    space: bool


def paragraphs(file: CorpusFile) -> Iterator[tuple[int, GoldTree]]:
    """Sentences joined up to the next `# newdoc` or `# newpar`, with the line that the first one begins on."""
    first, together = 0, list[list[_Word]]()
    for number, comments, sentence in _sentences(file):
        fresh = any(comment.startswith(("# newdoc", "# newpar")) for comment in comments)
        if together and (fresh or len(together) == MOST_SENTENCES):
            yield first, _joined(together)
            together = []
        if not together:
            first = number
        together.append(sentence)
    if together:
        yield first, _joined(together)


def _sentences(file: CorpusFile) -> Iterator[tuple[int, list[str], list[_Word]]]:
    number, comments, rows = 0, list[str](), list[tuple[Line, list[str]]]()
    for line in file:
        if line.text.startswith("#"):
            number = number or line.number
            comments.append(line.text)
        elif line.text.strip():
            number = number or line.number
            rows.append((line, line.text.split("\t")))
        elif number:
            if rows:
                yield number, comments, _words(file, rows)
            number, comments, rows = 0, [], []
    if rows:
        yield number, comments, _words(file, rows)


def _words(file: CorpusFile, rows: list[tuple[Line, list[str]]]) -> list[_Word]:
    """The syntactic words. A range (3-4 for don't) only says where spaces stand; empty nodes (8.1) are left out."""
    faults = [Fault(f"line {line.number}", reason) for line, cells in rows if (reason := _fault(cells, len(rows)))]
    if faults:
        raise SourceError(file.path, faults)
    glued: dict[int, bool] = {}
    for _, cells in rows:
        if "-" in cells[0]:
            start, end = (int(part) for part in cells[0].split("-"))
            glued |= dict.fromkeys(range(start, end), True) | {end: "SpaceAfter=No" in cells[9]}
    return [_word(cells, glued) for _, cells in rows if cells[0].isdecimal()]


def _fault(cells: list[str], most: int) -> str:
    if len(cells) != 10:
        return f"has {len(cells)} columns instead of 10"
    if not ID.fullmatch(cells[0]):
        return f"has the ID {cells[0]!r}, which is not a number, a range or an empty node"
    if cells[0].isdecimal() and not (cells[6].isdecimal() and int(cells[6]) <= most):
        return f"has the HEAD {cells[6]!r}, which is not a word of the sentence"
    if cells[0].isdecimal() and not cells[1]:
        return "has no FORM"
    if cells[0].isdecimal() and cells[3] not in UPOS:
        return f"has the UPOS {cells[3]!r}, which is none of the universal parts of speech"
    return ""


def _word(cells: list[str], glued: dict[int, bool]) -> _Word:
    no_space = glued.get(int(cells[0]), "SpaceAfter=No" in cells[9])
    return _Word(cells[1], cells[2], cells[3], cells[4], int(cells[6]), cells[7].split(":")[0], not no_space)


def _joined(sentences: list[list[_Word]]) -> GoldTree:
    heads, starts = list[int](), list[bool]()
    for sentence in sentences:
        offset = len(heads)
        heads += [offset + (word.head - 1 if word.head else place) for place, word in enumerate(sentence)]
        starts += [place == 0 for place in range(len(sentence))]
    words = [word for sentence in sentences for word in sentence]
    return GoldTree(
        words=tuple(word.form for word in words),
        spaces=tuple(word.space for word in words),
        tags=tuple(word.tag for word in words),
        pos=tuple(word.pos for word in words),
        lemmas=tuple(word.lemma for word in words),
        deps=tuple("ROOT" if word.dep == "root" else word.dep for word in words),
        heads=tuple(heads),
        starts=tuple(starts),
    )
