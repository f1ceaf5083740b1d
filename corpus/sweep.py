"""One pass over a corpus: blocks of texts go to processes on all cores, and what is found comes back in its order."""

import os
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import closing
from itertools import chain, islice
from multiprocessing import get_context, parent_process
from pathlib import Path
from typing import Any, TypeVar

from threadpoolctl import threadpool_limits

from corpus.errors import BuildError
from corpus.lines import CorpusFile
from corpus.parsing import PACKAGES, Parser
from corpus.provenance import digest, source_facts, versions
from corpus.remote import address_of, version_of
from corpus.texts import Text, corpus_files, texts
from corpus.workplace import Finder, Finished, Workplace, bar

Piece = TypeVar("Piece")
Found = TypeVar("Found")
Tool = TypeVar("Tool")
# Pieces read ahead for each process. It bounds the memory, however many pieces there are.
AHEAD = 3

# Characters to a block: a second or so of parsing, so that a kill loses little and a core never waits long.
BLOCK = 60_000
STEP = "reading the text"


def in_order(
    pieces: Iterable[Piece], work: Callable[[Piece, Tool], Found], *, processes: int, begin: Callable[[], Tool]
) -> Iterator[Found]:
    """`work` on every piece with what `begin` gives: here, or in several processes, each of which begins by itself.

    A single piece is worked on here: another process would begin for seconds, and none would work beside it.

    BuildError if one of them is killed. Functions must be those of a module, so that they can be sent.
    """
    coming = iter(pieces)
    first = list(islice(coming, 2))
    pieces = chain(first, coming)
    if processes < 2 or len(first) < 2:
        if first:
            tool = begin()
            yield from (work(piece, tool) for piece in pieces)
        return
    # Spawned, not forked: a fork would share the database's open file.
    pool = ProcessPoolExecutor(processes, mp_context=get_context("spawn"), initializer=_begin, initargs=(work, begin))
    waiting: deque[Future[Found]] = deque()
    try:
        for piece in pieces:
            waiting.append(pool.submit(_work, piece))
            if len(waiting) >= AHEAD * processes:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    except BrokenProcessPool:
        raise BuildError(
            "A process of this build was killed, perhaps because memory ran out. Start it again; try --processes 1."
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


# What is done in this process, where it is one of those, and with what.
_at_work: list[tuple[Callable[[Any, Any], Any], Any]] = []


def _begin(work: Callable[[Any, Any], Any], begin: Callable[[], Any]) -> None:
    threading.Thread(target=_leave_with_the_parent, daemon=True).start()
    _at_work[:] = [(work, begin())]
    # A process for each core leaves no core for threads; and sums of several threads depend on their number.
    threadpool_limits(1)


def _work(piece: Any) -> Any:
    [(work, tool)] = _at_work
    return work(piece, tool)


def _leave_with_the_parent() -> None:
    """A killed build must not leave processes behind that wait for work for ever."""
    parent = parent_process()
    assert parent is not None
    parent.join()
    os._exit(1)


def sweep(
    sources: Sequence[Path], finder: Finder, workplace: Workplace, *, form: str | None = None, field: str = ""
) -> Generator[Any, None, None]:
    """What `finder` finds, block after block, in the order of the corpus, whatever the number of processes.

    Finished blocks are kept in `workplace.folder`; the same sweep started again reads them instead of doing
    them again. Where the workplace has a `shared` pass for it, workers do them, and what they find is kept elsewhere.

    SourceError if a file cannot be read; BuildError if another process is at the same sweep, or if a file has changed
    meanwhile: what was found would be of no corpus that ever was.
    """
    files = corpus_files(sources, form=form)
    before = [version_of(path) for path, _ in files]
    if finder.name in workplace.shared:
        yield from workplace.shared[finder.name](files, finder, field, workplace)
        _refuse_changed(files, before)
        return
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
    size = sum(path.stat().st_size for path, _ in files)
    with (
        closing(Finished(path, about, afresh=workplace.afresh)) as finished,
        bar(STEP, size, unit="B", on_progress=workplace.told, scales=True) as update,
    ):
        yield from finished
        read = deque[int]()  # Of each block that is read and not kept yet, the number of its file.
        blocks = _blocks(files, field=field, update=update, skip=finished.blocks, read=read)
        try:
            for block in in_order(blocks, finder.find, processes=workplace.processes, begin=Parser):
                # Before it is kept: a kill leaves nobody time to remove it.
                at = read.popleft()
                _refuse_changed(files[at : at + 1], before[at : at + 1])
                finished.add(block)
                yield block
            _refuse_changed(files, before)
        finally:
            # Nobody goes on from it, even if the file is again what it was.
            if _changed(files, before):
                path.unlink()


def _refuse_changed(files: list[tuple[Path, str]], before: list[Any]) -> None:
    if changed := _changed(files, before):
        raise BuildError(f"{', '.join(changed)} changed while it was read. Start again when nothing writes to it.")


def _changed(files: list[tuple[Path, str]], before: list[Any]) -> list[str]:
    return [address_of(path) for (path, _), was in zip(files, before, strict=True) if version_of(path) != was]


def _blocks(
    files: list[tuple[Path, str]], *, field: str, update: Callable[[int], None], skip: int, read: deque[int]
) -> Iterator[list[Text]]:
    """The corpus in blocks of about BLOCK characters, without the first `skip`. A block never spans two files.

    `read` gets the number of the file of each.
    """
    number = 0
    for at, (path, form) in enumerate(files):
        with closing(CorpusFile(path)) as file:
            before = 0
            for block in grouped(texts(file, form, field=field), BLOCK):
                number += 1
                update(file.position - before)
                before = file.position
                if number > skip:
                    read.append(at)
                    yield block


def grouped(stream: Iterator[Text], characters: int) -> Iterator[list[Text]]:
    """Texts that have so many characters together. Nothing is read ahead of the last text of a block."""
    block, size = list[Text](), 0
    for text in stream:
        block.append(text)
        size += len(text.text)
        if size >= characters:
            yield block
            block, size = [], 0
    if block:
        yield block
