"""A pass over a corpus in parts, which are done on any machine: where each begins, and what a finder finds in it.

`python -m corpus.parts FINDER ORDER GIVEN FOUND PROCESSES` does one, in a process without Django. What it finds has a
name that is known before: the hash of the finder, of the versions of the parser, and of the texts. So it is found once,
wherever the texts lie, and however often the pass is killed.
"""

import gzip
import hashlib
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass, fields
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import IO, Any, Self

from corpus.errors import BuildError, SourceError
from corpus.lines import CorpusFile
from corpus.own_process import REFUSED, end_with_starter
from corpus.parsing import PACKAGES, Parser
from corpus.provenance import digest, versions
from corpus.remote import address_of, place
from corpus.sweep import BLOCK, grouped, in_order
from corpus.texts import Text, texts
from corpus.workplace import Finder

# Blocks to a part: a minute or two of parsing, beside which a process that begins and an address that is read say
# little.
BLOCKS = 128
FINEST = 6


@dataclass(frozen=True, slots=True)
class Start:
    """Before it, `begins` bytes of the file as unpacked, which hold `line` lines, and then `skip` texts."""

    begins: int = 0
    line: int = 0
    skip: int = 0

    def behind(self, file: CorpusFile, form: str) -> "Start":
        """Behind one more text, which was just read from the file's current line."""
        # The reader of trees is ahead of what it gives: its parts begin with the file.
        if form == "conllu" or (self.begins, self.line) == (file.begins, file.line - 1):
            return Start(self.begins, self.line, self.skip + 1)
        return Start(file.begins, file.line - 1, 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """`blocks` blocks in a row of a file, each of texts that have `characters` together or more.

    `content` is the sha256 of its texts, and `read` how many bytes of the file they took, as it lies.
    """

    path: str
    form: str
    field: str
    start: Start
    blocks: int
    characters: int
    content: str
    read: int

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        return cls(**{**values, "start": Start(**values["start"])})

    def in_blocks(self) -> Iterator[list[Text]]:
        """BuildError behind the last of them where they are not the texts that the part was made of."""
        content = hashlib.sha256()
        with closing(CorpusFile(place(self.path), begins=self.start.begins, line=self.start.line)) as file:
            rest = islice(texts(file, self.form, field=self.field), self.start.skip, None)
            for block in islice(grouped(rest, self.characters), self.blocks):
                _add(content, block)
                yield block
        if content.hexdigest() != self.content:
            raise BuildError(f"{self.path} is another file here, or it has changed since the pass over it began.")


def parts(files: Sequence[tuple[Path, str]], *, field: str) -> Iterator[Part]:
    """The corpus in parts, in its order; no part spans two files. Only the block that is read is in memory."""
    for path, form in files:
        with closing(CorpusFile(path)) as file:
            yield from _parts(file, form, field)


def _parts(file: CorpusFile, form: str, field: str) -> Iterator[Part]:
    position = Start()

    def followed() -> Iterator[Text]:
        nonlocal position
        for text in texts(file, form, field=field):
            position = position.behind(file, form)
            yield text

    blocks, before = grouped(followed(), BLOCK), 0
    while True:
        start, content, count = position, hashlib.sha256(), 0
        for block in islice(blocks, BLOCKS):
            _add(content, block)
            count += 1
        if not count:
            return
        yield Part(
            path=address_of(file.path),
            form=form,
            field=field,
            start=start,
            blocks=count,
            characters=BLOCK,
            content=content.hexdigest(),
            read=file.position - before,
        )
        before = file.position


def _add(content: "hashlib._Hash", block: list[Text]) -> None:
    for text in block:
        content.update(repr((text.place, text.text, text.gold)).encode())


# --- What is found in a part --------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sought:
    """What is looked for in all parts of a pass.

    `given` names what `fields_as_json` has written: it may be lists of all words of a language, and is kept once.
    """

    finder: str
    given: str
    made_by: Mapping[str, Any]

    @classmethod
    def by(cls, finder: Finder) -> Self:
        name = f"{finder.name}/{hashlib.sha256(fields_as_json(finder)).hexdigest()}.given.json"
        return cls(finder.name, name, _made_by(finder))


@dataclass(frozen=True, slots=True)
class Order:
    """A part, and what is looked for in it."""

    part: Part
    sought: Sought

    @classmethod
    def of(cls, values: Mapping[str, Any]) -> Self:
        return cls(Part.of(values["part"]), Sought(**values["sought"]))

    def told(self) -> dict[str, Any]:
        return asdict(self)

    @property
    def name(self) -> str:
        """Of what is found: whatever gives the same has the same."""
        rests_on = {"texts": self.part.content, "characters": self.part.characters, **self.sought.made_by}
        return f"{self.sought.finder}/{digest(rests_on)}.jsonl.gz"


def fields_as_json(finder: Finder) -> bytes:
    """Its fields as JSON, from which `finder_given` makes it again."""
    values = {one.name: getattr(finder, one.name) for one in fields(finder)}  # type: ignore[arg-type]
    return json.dumps(values, ensure_ascii=False).encode()


def finder_given(dotted: str, fields_json: bytes) -> Finder:
    """The finder that this class, by its dotted path, makes of its fields: all are tuples, or what JSON knows."""
    module, _, name = dotted.rpartition(".")
    values = {key: tuple(value) if isinstance(value, list) else value for key, value in json.loads(fields_json).items()}
    finder: Finder = getattr(import_module(module), name)(**values)
    return finder


def _made_by(finder: Finder) -> dict[str, Any]:
    return {"version": finder.version, "settings": finder.settings(), "packages": versions(PACKAGES)}


def find(order: Order, finder: Finder, output: Path, *, processes: int) -> None:
    """Write what the part holds, a line a block; the same bytes wherever it is done.

    SourceError or BuildError where its texts cannot be read, or where this machine would find something else.
    """
    made_by = _made_by(finder)
    if made_by != order.sought.made_by:
        raise BuildError(f"The pass is made with {dict(order.sought.made_by)}, and here is {made_by}.")
    with output.open("wb") as raw, gzip.GzipFile("", "wb", FINEST, raw, mtime=0) as file:
        for block in in_order(order.part.in_blocks(), finder.find, processes=processes, begin=Parser):
            file.write(json.dumps(block, ensure_ascii=False).encode() + b"\n")


def blocks_in(file: IO[bytes]) -> Iterator[Any]:
    """What `find` has written, block after block."""
    with gzip.GzipFile(fileobj=file) as lines:
        for line in lines:
            yield json.loads(line)


def _main(dotted: str, order_file: Path, fields_file: Path, output: Path, processes: int) -> int:
    end_with_starter()
    order = Order.of(json.loads(order_file.read_text(encoding="utf-8")))
    try:
        find(order, finder_given(dotted, fields_file.read_bytes()), output, processes=processes)
    except (SourceError, BuildError) as error:
        print(error)
        return REFUSED
    return 0


if __name__ == "__main__":
    sys.stdout.reconfigure(errors="replace")  # type: ignore[union-attr]
    order, given, found = map(Path, sys.argv[2:5])
    code = _main(sys.argv[1], order, given, found, int(sys.argv[5]))
    sys.stdout.flush()
    os._exit(code)
