"""One pass over a corpus: blocks of texts go to processes on all cores, and what is found comes back in its order."""

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any, ClassVar, Protocol, TypeVar

from corpus.errors import BuildError
from corpus.lines import CorpusFile
from corpus.parsing import PACKAGES, Parser
from corpus.provenance import digest, source_facts, versions
from corpus.texts import Text, corpus_files, texts
from corpus.workplace import Bar, Finished, Workplace

Piece = TypeVar("Piece")
Found = TypeVar("Found")
# Pieces read ahead for each process. It bounds the memory, however many pieces there are.
AHEAD = 3

# Characters to a block: a second or so of parsing, so that a kill loses little and a core never waits long.
BLOCK = 60_000
STEP = "going over the text"


def in_order(
    pieces: Iterable[Piece],
    work: Callable[[Piece], Found],
    *,
    processes: int,
    begin: Callable[..., None],
    arguments: tuple[Any, ...],
) -> Iterator[Found]:
    """`work` on every piece, in other processes, each of which has called `begin(*arguments)` first.

    BuildError if one of them is killed. Functions must be those of a module, so that they can be sent.
    """
    # Spawned, not forked: a fork would share the database's open file.
    pool = ProcessPoolExecutor(
        processes, mp_context=get_context("spawn"), initializer=_processes_begin, initargs=(begin, arguments)
    )
    waiting: deque[Future[Found]] = deque()
    try:
        for piece in pieces:
            waiting.append(pool.submit(work, piece))
            if len(waiting) >= AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise BuildError(
            "A process of this build was killed, perhaps for memory. Start it again; try --processes 1."
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


def _processes_begin(begin: Callable[..., None], arguments: tuple[Any, ...]) -> None:
    threading.Thread(target=_leave_with_the_parent, daemon=True).start()
    begin(*arguments)


def _leave_with_the_parent() -> None:
    """A killed build must not leave processes behind that wait for work for ever."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


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


_at_work: list[tuple[Finder, Parser]] = []


def _begin(finder: Finder) -> None:
    _at_work[:] = [(finder, Parser())]


def _find(block: list[Text]) -> Any:
    finder, parser = _at_work[0]
    return finder.find(block, parser)
