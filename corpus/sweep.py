"""One pass over a corpus: blocks of texts go to all cores, what is found comes back in the order of the corpus."""

from collections.abc import Generator, Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Protocol

from corpus.finished import Finished
from corpus.lines import CorpusFile
from corpus.parsing import PACKAGES, Parser
from corpus.processes import in_order
from corpus.provenance import digest, source_facts, versions
from corpus.texts import Text, corpus_files, texts
from corpus.workplace import Bar, Workplace

# Characters to a block: a second or so of parsing, so that a kill loses little and a core never waits long.
BLOCK = 60_000
STEP = "going over the text"


class Finder(Protocol):
    """What is looked for. A frozen dataclass of a module, so that it can be sent to other processes."""

    name: ClassVar[str]
    version: ClassVar[str]

    def settings(self) -> dict[str, Any]:
        """Everything that can change what is found, as JSON."""
        ...

    def find(self, texts: Sequence[Text], parser: Parser) -> Any:
        """What these texts hold, as JSON. Must not depend on other texts or earlier calls."""
        ...


def sweep(
    sources: Sequence[Path], finder: Finder, workplace: Workplace, *, form: str | None = None, field: str = ""
) -> Generator[Any, None, None]:
    """What `finder` finds, block after block, in the order of the corpus, whatever the number of processes.

    Finished blocks are kept in `workplace.folder`; the same sweep started again reads them instead of doing
    them again. SourceError if a file cannot be read; BuildError if another process is at the same sweep.
    """
    files = corpus_files(sources, form=form)
    about = {
        "finder": finder.name,
        "version": finder.version,
        "settings": finder.settings(),
        "sources": [source_facts(path) | {"format": form} for path, form in files],
        "field": field,
        "block": BLOCK,
        "packages": versions(PACKAGES),
    }
    path = workplace.folder / f"{finder.name}-{digest(about)[:16]}.jsonl"
    with Finished(path, about, afresh=workplace.afresh) as finished, _progress(files, workplace) as bar:
        yield from finished
        blocks = _blocks(files, field=field, bar=bar, skip=finished.blocks)
        for found in _done(blocks, finder, workplace.processes):
            finished.add(found)
            yield found


def _progress(files: list[tuple[Path, str]], workplace: Workplace) -> Bar:
    size = sum(path.stat().st_size for path, _ in files)
    return Bar(STEP, size, unit="B", told=workplace.told, scales=True)


def _blocks(files: list[tuple[Path, str]], *, field: str, bar: Bar, skip: int) -> Iterator[list[Text]]:
    """The corpus in blocks of about BLOCK characters, without the first `skip`. A block never spans two files."""
    number = 0
    for path, form in files:
        file, before = CorpusFile(path), 0
        try:
            for block in _grouped(texts(file, form, field=field)):
                number += 1
                bar.update(file.position - before)
                before = file.position
                if number > skip:
                    yield block
        finally:
            file.close()


def _grouped(stream: Iterator[Text]) -> Iterator[list[Text]]:
    block, size = list[Text](), 0
    for text in stream:
        block.append(text)
        size += len(text.text)
        if size >= BLOCK:
            yield block
            block, size = [], 0
    if block:
        yield block


def _done(blocks: Iterator[list[Text]], finder: Finder, processes: int) -> Iterator[Any]:
    if processes == 1:
        parser = Parser()
        for block in blocks:
            yield finder.find(block, parser)
        return
    yield from in_order(blocks, _find, processes=processes, begin=_begin, arguments=(finder,))


# --- In the other processes ---------------------------------------------------------------------------

_at_work: list[tuple[Finder, Parser]] = []


def _begin(finder: Finder) -> None:
    _at_work[:] = [(finder, Parser())]


def _find(block: list[Text]) -> Any:
    finder, parser = _at_work[0]
    return finder.find(block, parser)
