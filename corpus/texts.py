"""A corpus as a stream of texts: plain lines, a column of a TSV, a field of JSONL, or CoNLL-U by paragraphs."""

import html
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import Fault, SourceError
from corpus.lines import COMPRESSIONS, CorpusFile, TextLine
from corpus.remote import files_below

ID = re.compile(r"\d+([-.]\d+)?")
# Universal parts of speech; CONJ is that of the first version.
OPEN = frozenset({"ADJ", "ADV", "INTJ", "NOUN", "PROPN", "VERB"})
CLOSED = frozenset({"ADP", "AUX", "CCONJ", "CONJ", "DET", "NUM", "PART", "PRON", "SCONJ"})
UPOS = OPEN | CLOSED | {"PUNCT", "SYM", "X"}
# A paragraph without an end would grow with the file.
MOST_SENTENCES = 20

BY_SUFFIX = {".txt": "plain", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".conllu": "conllu"}
PACKED_OTHERWISE = frozenset((".zip", ".7z", ".rar", ".tar", ".tgz", ".tbz2", ".txz", ".lz4", ".lzma", ".z", ".br"))
# What is read of a record where no other field is named.
FIELDS = {"jsonl": "text", "tsv": "1"}
# A longer text is cut between sentences: the memory of a parse grows with its length.
LONGEST = 10_000


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
    number, comments, rows = 0, list[str](), list[tuple[TextLine, list[str]]]()
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


def _words(file: CorpusFile, rows: list[tuple[TextLine, list[str]]]) -> list[_Word]:
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
        return f"has the UPOS {cells[3]!r}, which is not a universal part of speech"
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


@dataclass(frozen=True, slots=True)
class Text:
    """One line, paragraph or record. `place` is its file and line, for reports and ids.

    `text` has plain spaces only, and no HTML entities. `gold` is there where the corpus brings its own analysis.
    """

    place: str
    text: str
    gold: GoldTree | None = None


def form_of(path: Path, form: str | None) -> str:
    """The format that was asked for, else what the file's name says; SourceError if it says nothing."""
    if packed := PACKED_OTHERWISE.intersection(suffix.lower() for suffix in path.suffixes[-2:]):
        names = ", ".join(COMPRESSIONS[:-1])
        how = f"decompress it, or compress it as {names} or {COMPRESSIONS[-1]}"
        raise SourceError(path, [Fault("file", f"is compressed as {min(packed)}, which cannot be read: {how}")])
    if form is not None:
        return form
    suffixes = _suffixes(path)
    if suffixes and suffixes[-1] in BY_SUFFIX:
        return BY_SUFFIX[suffixes[-1]]
    names = ", ".join(BY_SUFFIX)
    raise SourceError(path, [Fault("file", f"has a name that does not show its format ({names}); give --format")])


def corpus_files(sources: Sequence[Path], *, form: str | None) -> list[tuple[Path, str]]:
    """Every file with its format, in the order given; of a folder, all files whose names tell a format, sorted."""
    files: list[tuple[Path, str]] = []
    for source in sources:
        if not source.exists():
            raise SourceError(source, [Fault("file", "cannot be read: no such file or folder")])
        if not source.is_dir():
            if not source.is_file():
                raise SourceError(source, [Fault("file", "is not a regular file, and a pipe can be read only once")])
            files.append((source, form_of(source, form)))
            continue
        inside = [path for path in sorted(files_below(source)) if _is_text(path)]
        if not inside:
            raise SourceError(source, [Fault("folder", f"contains no file named {', '.join(BY_SUFFIX)}")])
        files += [(path, form_of(path, form)) for path in inside]
    return files


def texts(file: CorpusFile, form: str, *, field: str) -> Iterator[Text]:
    """The texts of one file, in order. `field` names a JSONL field (text) or a TSV column, counted from 1 (1)."""
    match form:
        case "conllu":
            for number, gold in paragraphs(file):
                yield Text(f"{file.path.name}:{number}", gold.text, gold)
        case "jsonl":
            for line in file:
                yield from _split(file, line.number, _json_field(file.path, line, field or FIELDS[form]))
        case "tsv":
            for line in file:
                if line.text.strip():
                    yield from _split(file, line.number, _column(file.path, line, field or FIELDS[form]))
        case _:
            for line in file:
                yield from _split(file, line.number, line.text)


def _is_text(path: Path) -> bool:
    suffixes = _suffixes(path)
    return path.name != "SOURCE.txt" and bool(suffixes) and suffixes[-1] in BY_SUFFIX


def _suffixes(path: Path) -> list[str]:
    """What a name says beside how the file is packed, whatever its case."""
    return [suffix for suffix in map(str.lower, path.suffixes) if suffix not in COMPRESSIONS]


def _split(file: CorpusFile, line: int, record: str) -> Iterator[Text]:
    """The lines of a record (a comment may have several), each as texts of at most LONGEST characters."""
    number = 0
    for part in record.splitlines():
        clean = " ".join(html.unescape(part).split())
        for piece in _pieces(clean):
            number += 1
            place = f"{file.path.name}:{line}" + (f".{number}" if number > 1 else "")
            yield Text(place, piece)


def _pieces(text: str) -> Iterator[str]:
    start = 0
    while len(text) - start > LONGEST:
        ends = [match.end() for match in re.finditer(r"[.!?][\"'”’)]* ", text[start : start + LONGEST])]
        cut = start + (ends[-1] if ends else LONGEST)
        yield text[start:cut].strip()
        start = cut
    if text[start:]:
        yield text[start:]


def _json_field(path: Path, line: TextLine, field: str) -> str:
    where = f"line {line.number}"
    if not line.text.strip():
        return ""
    try:
        record = json.loads(line.text)
    except (ValueError, RecursionError) as error:
        raise SourceError(path, [Fault(where, f"is not JSON: {error}")]) from None
    if not isinstance(record, dict) or field not in record:
        names = ", ".join(record) if isinstance(record, dict) else "no fields"
        raise SourceError(path, [Fault(where, f"has no field {field!r} (it has {names}); give --field")])
    value = record[field]
    if value is None:
        return ""
    if not isinstance(value, str):
        raise SourceError(path, [Fault(f"{where}.{field}", f"must be text, not {type(value).__name__}")])
    try:
        # JSON can escape what no file in UTF-8 can hold, and no parser reads.
        value.encode()
    except UnicodeEncodeError:
        raise SourceError(
            path, [Fault(f"{where}.{field}", "contains half of a character (a lone surrogate)")]
        ) from None
    return value


def _column(path: Path, line: TextLine, field: str) -> str:
    cells = line.text.split("\t")
    if not field.isdecimal() or not 1 <= int(field) <= len(cells):
        reason = f"has no column {field!r}; columns are counted from 1 to {len(cells)}"
        raise SourceError(path, [Fault(f"line {line.number}", reason)])
    return cells[int(field) - 1]
