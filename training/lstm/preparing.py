"""From a corpus to prepared text: one pass over the lines, in bounded memory, the vocabulary counted on the way.

A line is held out by the hash of its words, so that a line that stands twice is held out twice: what is held out is
never trained on. Only training lines are counted for the vocabulary.

Prepared text is numbers of words in files that are read where they lie: a folder with `prepared.json` (sources, rules,
counts, the sha256 of every other file), `vocab.json`, and for training and held-out text each `.tokens` (uint16) and
`.starts` (int64, one more than there are texts), little-endian. It can be taken to another machine.
"""

import json
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256 as hashed
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from corpus.arguments import number, whole
from corpus.errors import BuildError
from corpus.lines import CorpusFile
from corpus.provenance import sha256
from corpus.texts import corpus_files, texts
from scoring.scorers.lstm_model.vocabulary import (
    END_ID,
    LARGEST,
    UNKNOWN_ID,
    VERSION,
    Vocabulary,
    VocabularyError,
    sentences_of,
)
from training.shared.settings import setting

ABOUT, VOCABULARY = "prepared.json", "vocab.json"
TRAINING, HELD_OUT = "training", "heldout"
TOKENS, STARTS = ".tokens", ".starts"
TOKEN, START = np.dtype("<u2"), np.dtype("<i8")
FILES = (VOCABULARY, *(part + kind for part in (TRAINING, HELD_OUT) for kind in (TOKENS, STARTS)))


class PreparedError(ValueError):
    """A folder that is no prepared text, or no longer what was prepared. str() says what is wrong."""


@dataclass(frozen=True)
class Texts:
    """Texts one after the other: text *i* is `tokens[starts[i]:starts[i + 1]]`, each sentence with its end."""

    tokens: NDArray[np.uint16]
    starts: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.starts) - 1


@dataclass(frozen=True)
class Prepared:
    """`about` is what prepared.json says of sources, rules and counts."""

    about: dict[str, Any]
    vocabulary: Vocabulary
    training: Texts
    heldout: Texts


def read_prepared(folder: Path) -> Prepared:
    """The text in the folder, every file checked by its sha256. PreparedError if anything is not as it was."""
    try:
        about: dict[str, Any] = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        for name in FILES:
            if sha256(folder / name) != about["files"][name]:
                raise PreparedError(f"{folder / name} differs from what was prepared: its sha256 has changed")
        vocabulary = Vocabulary.read(folder / VOCABULARY)
        training, heldout = (_texts(folder, part) for part in (TRAINING, HELD_OUT))
    except (OSError, ValueError, KeyError, TypeError, VocabularyError) as error:
        if isinstance(error, PreparedError):
            raise
        raise PreparedError(f"{folder} holds no prepared text ({type(error).__name__}: {error})") from error
    return Prepared(about, vocabulary, training, heldout)


def _texts(folder: Path, part: str) -> Texts:
    tokens = np.memmap(folder / (part + TOKENS), dtype=TOKEN, mode="r")
    starts = np.fromfile(folder / (part + STARTS), dtype=START)
    return Texts(tokens, starts)


# Sentences of one line stand in one text up to this many words: the stretch that is trained on at once.
STRETCH = 100
# A longer sentence is a list or a table; it is left out and counted.
LONGEST = 250
# While words have no final number yet: one of four bytes in order of appearance, 0 the sentence's end.
RAW = np.dtype("<u4")
# Numbers to one renumbering: 4 MB.
BLOCK = 1 << 20


@dataclass(frozen=True, kw_only=True)
class Reading:
    """What of a corpus is read, and how: everything but the files that decides the prepared text."""

    form: str | None = None
    field: str = ""
    vocabulary: int = setting("maximum vocabulary size (most frequent words)", whole(3, LARGEST), 50_000)
    least: int = setting("minimum count of a word in the vocabulary", whole(1), 2)
    heldout: float = setting("share of lines held out", number(above=0, below=1), 0.02)

    def as_json(self) -> dict[str, Any]:
        return {
            "format": self.form,
            "field": self.field,
            "vocabulary": self.vocabulary,
            "least": self.least,
            "heldout": self.heldout,
            "words": VERSION,
            "stretch": STRETCH,
            "longest": LONGEST,
        }


def source_list(sources: Sequence[Path], form: str | None) -> list[tuple[Path, str, dict[str, Any]]]:
    """Every file once, by its sha256, with its format and what a card says of it. SourceError if one cannot be read."""
    by_sha: dict[str, tuple[Path, str, dict[str, Any]]] = {}
    for path, file_form in corpus_files(sources, form=form):
        CorpusFile(path).close()  # says in words why a file cannot be opened
        digest = sha256(path)
        by_sha.setdefault(
            digest, (path, file_form, {"name": path.name, "bytes": path.stat().st_size, "sha256": digest})
        )
    return list(by_sha.values())


def prepare(sources: Sequence[Path], reading: Reading, folder: Path, *, say: Callable[[str], None]) -> Prepared:
    """Write the prepared text of the sources into `folder`, which may hold an earlier, unfinished one.

    The same sources and reading give the same bytes. SourceError with the line if a file cannot be read; BuildError
    if there is too little text.
    """
    folder.mkdir(parents=True, exist_ok=True)
    (folder / ABOUT).unlink(missing_ok=True)
    files = source_list(sources, reading.form)
    with closing(_Growing(folder, reading.heldout)) as growing:
        for text in _lines(files, reading.field):
            growing.add(text)
    counts = growing.counted(folder)
    vocabulary = Vocabulary.counted(counts, most=reading.vocabulary, least=reading.least)
    if len(vocabulary) < 3 or not all(growing.tokens.values()):
        raise BuildError(
            f"There is too little text: {growing.tokens[TRAINING]:,} training words, {growing.tokens[HELD_OUT]:,} "
            f"held out (--heldout {reading.heldout:g}), {len(vocabulary) - 2} words with {reading.least} or more "
            f"occurrences."
        )
    vocabulary.write(folder / VOCABULARY)
    unknown = {part: _renumbered(folder, part, growing.renumbering(vocabulary)) for part in (TRAINING, HELD_OUT)}
    counted = growing.facts(unknown) | {"vocabulary": len(vocabulary)}
    about = {
        "reading": reading.as_json(),
        "sources": [facts for _, _, facts in files],
        "counts": counted,
        "files": {name: sha256(folder / name) for name in FILES},
    }
    # Last, because it says that the rest is whole.
    (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    say(
        f"{counted['lines']:,} lines, {counted['training']['tokens']:,} training words, "
        f"{counted['heldout']['tokens']:,} held out; vocabulary of {len(vocabulary):,} words"
    )
    return read_prepared(folder)


def is_held_out(line: Sequence[Sequence[str]], share: float) -> bool:
    """Whether the line of these sentences is held out: by the hash of its words, so that repetitions go together."""
    digest = hashed(" ".join(word for sentence in line for word in sentence).encode()).digest()
    return int.from_bytes(digest[:8], "big") < share * 2**64


def stretches(line: Sequence[Sequence[int]]) -> Iterator[list[int]]:
    """The sentences of a line, each with its end, in texts of at most STRETCH words or one sentence."""
    together: list[int] = []
    for sentence in line:
        if together and len(together) + len(sentence) + 1 > STRETCH:
            yield together
            together = []
        together = [*together, *sentence, END_ID]
    if together:
        yield together


def _lines(files: Sequence[tuple[Path, str, dict[str, Any]]], field: str) -> Iterator[str]:
    size = sum(facts["bytes"] for _, _, facts in files)
    with tqdm(total=size, unit="B", unit_scale=True, desc="reading", mininterval=1, disable=None) as bar:
        for path, form, _ in files:
            with closing(CorpusFile(path)) as file:
                before = 0
                for text in texts(file, form, field=field):
                    bar.update(file.position - before)
                    before = file.position
                    yield text.text


class _Growing:
    """The two streams of numbers while the pass goes on, in files beside those that they will become."""

    def __init__(self, folder: Path, share: float) -> None:
        self._share = share
        self._numbers: dict[str, int] = {}
        self._files: dict[str, tuple[IO[bytes], IO[bytes]]] = {
            part: ((folder / (part + ".raw")).open("wb"), (folder / (part + STARTS)).open("wb"))
            for part in (TRAINING, HELD_OUT)
        }
        self.tokens = {TRAINING: 0, HELD_OUT: 0}
        self.texts = {TRAINING: 0, HELD_OUT: 0}
        self.lines = 0
        self.too_long = 0
        for _, starts in self._files.values():
            starts.write(np.zeros(1, START).tobytes())

    def close(self) -> None:
        for pair in self._files.values():
            for file in pair:
                file.close()

    def add(self, text: str) -> None:
        """One line: all of it goes to one side."""
        line = sentences_of(text)
        sentences = [sentence for sentence in line if len(sentence) <= LONGEST]
        self.lines += bool(line)
        self.too_long += len(line) - len(sentences)
        part = HELD_OUT if is_held_out(line, self._share) else TRAINING
        raw, starts = self._files[part]
        for stretch in stretches([[self._number(word) for word in sentence] for sentence in sentences]):
            raw.write(np.array(stretch, RAW).tobytes())
            self.tokens[part] += len(stretch)
            self.texts[part] += 1
            starts.write(np.array([self.tokens[part]], START).tobytes())

    def _number(self, word: str) -> int:
        # 0 is the sentence's end.
        return self._numbers.setdefault(word, len(self._numbers) + 1)

    def counted(self, folder: Path) -> dict[str, int]:
        """How often each word stands in the training text."""
        total = np.zeros(len(self._numbers) + 1, np.int64)
        for block in _blocks(folder / (TRAINING + ".raw")):
            total += np.bincount(block, minlength=len(total))
        return {word: int(total[number]) for word, number in self._numbers.items()}

    def renumbering(self, vocabulary: Vocabulary) -> NDArray[np.uint16]:
        """By a word's number of appearance, its final one."""
        table = array("H", [END_ID])
        table.extend(vocabulary.index.get(word, UNKNOWN_ID) for word in self._numbers)
        return np.asarray(table, TOKEN)

    def facts(self, unknown: dict[str, int]) -> dict[str, Any]:
        parts = {
            part: {"texts": self.texts[part], "tokens": self.tokens[part], "unknown": unknown[part]}
            for part in (TRAINING, HELD_OUT)
        }
        return {"lines": self.lines, "sentences_too_long": self.too_long, "words_met": len(self._numbers), **parts}


def _blocks(path: Path) -> Iterator[NDArray[np.uint32]]:
    with path.open("rb") as file:
        while data := file.read(BLOCK * RAW.itemsize):
            yield np.frombuffer(data, RAW)


def _renumbered(folder: Path, part: str, table: NDArray[np.uint16]) -> int:
    """Write the final numbers of one side; how many of them are the unknown word."""
    raw, unknown = folder / (part + ".raw"), 0
    with (folder / (part + TOKENS)).open("wb") as out:
        for block in _blocks(raw):
            final = table[block]
            unknown += int(np.count_nonzero(final == UNKNOWN_ID))
            out.write(final.tobytes())
    raw.unlink()
    return unknown
