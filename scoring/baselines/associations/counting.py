"""Counting a corpus into a store: which files are new, the pass over them, and the finished state at its end.

Counts that others have made (verb, noun, relation, how often) become a store as well, such as the files behind the
published PPMI baseline (Kauf, Ivanova et al. 2023): nothing is parsed. It gives what rests on such triples alone,
PPMI-syntax. Vectors, windows and n-grams need the text.
"""

import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from corpus.errors import BuildError, Fault, SourceError
from corpus.lines import CorpusFile
from corpus.provenance import sha256
from corpus.source_text import source_bytes
from corpus.sweep import sweep
from corpus.tables.cells import cells_of
from corpus.tables.opening import How, Unreadable
from corpus.tables.registry import opened
from corpus.texts import FIELDS, corpus_files, texts
from corpus.workplace import SharedPass, Workplace
from scoring.baselines.associations import places
from scoring.baselines.associations.events import OBJECT, SUBJECT
from scoring.baselines.associations.growing import Growing, Source, publish
from scoring.baselines.associations.places import COUNTS, DERIVED, Manifest
from scoring.baselines.associations.tally import (
    WINDOW,
    AssociationFinder,
    OtherCounting,
    Tally,
    counted_with,
    require_same,
)
from scoring.library.locks import exclusive_folder

GROWING, WORK = "growing.sqlite3", "work"
# Blocks of the pass to one transaction: larger ones write less, smaller ones need less memory (a few MB a block).
TOGETHER = 16

# By sha256: what is said of a file, and where it lies.
Files = dict[str, tuple[Source, Path]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be counted, as the command was told."""

    sources: Sequence[Path]
    format: str | None = None
    field: str = ""
    # None: the store's own, or of a new one the published.
    window: int | None = None
    processes: int = 1
    afresh: bool = False
    keep_earlier: bool = False
    # Where workers take part in the pass, by the name of what it looks for.
    shared: Mapping[str, SharedPass] | None = None


@dataclass(frozen=True, slots=True)
class Counted:
    """The store's current state, and which of the files are new in it."""

    manifest: Manifest
    added: list[Source]
    known: list[Source]


def count(request: Wanted, store: Path, *, say: Callable[[str], None]) -> Counted:
    """Add files to a store and finish it. A file that is in it already, by sha256, is not counted again.

    Killed and started again with the same files, it goes on where it was. SourceError if a file cannot be read;
    FolderInUse if another process counts into this store; BuildError if what it holds does not fit.
    """
    with exclusive_folder(store):
        say("checking the files")
        files = {source.sha256: (source, path) for source, path in _sources(request)}
        if request.afresh:
            _forget(store)
        before = places.current(store)
        existing = {one["sha256"]: Source(**one) for one in before.sources} if before else {}
        _refuse_other_readings(files, existing)
        window = one_window(store, before, request.window)
        if before is not None and not (store / GROWING).exists() and files.keys() <= existing.keys():
            return Counted(before, [], [existing[sha] for sha in files])
        _begin(store, window)
        manifest = _grow(store, files, request, window, say)
        _forget(store)
    added = [source for sha, (source, _) in files.items() if sha not in existing]
    return Counted(manifest, added, [existing[sha] for sha in files if sha in existing])


def one_window(store: Path, before: Manifest | None, requested: int | None) -> int:
    """The window of a store, which has one for all its files; OtherCounting where another is wanted."""
    if before is not None and requested not in (None, before.window):
        raise OtherCounting(
            f"{store.name} was counted with a window of {before.window}, and {requested} is asked for. "
            "Count into a store of another name."
        )
    return before.window if before is not None else requested or WINDOW


def _grow(store: Path, files: Files, request: Wanted, window: int, say: Callable[[str], None]) -> Manifest:
    """Count into the working copy what it lacks, and make a finished state of it."""
    with closing(Growing(store / GROWING, counted_with=counted_with(window=window))) as growing:
        existing = {source.sha256: source for source in growing.sources()}
        _refuse_other_readings(files, existing)
        for batch in _batches(files, existing, growing.pending):
            _count(growing, batch, files, store, request, window)
        return publish(growing, store, keep_earlier=request.keep_earlier, say=say)


def _sources(request: Wanted) -> Iterator[tuple[Source, Path]]:
    """Every file, read to its end, so that a fault is found before anything is counted and not hours later."""
    for path, form in corpus_files(request.sources, form=request.format):
        with closing(CorpusFile(path)) as file:
            for _ in texts(file, form, field=request.field):
                pass
        field = _telling_field(form, request.field)
        yield Source(sha256(path), path.name, path.stat().st_size, file.line, form, field), path


def _telling_field(form: str, field: str) -> str:
    """The field as far as it says anything: nothing where there are no fields, or of the one that is read anyway."""
    return "" if field == FIELDS.get(form, field) else field


def _refuse_other_readings(files: Files, existing: dict[str, Source]) -> None:
    for sha, (source, path) in files.items():
        before = existing.get(sha)
        if before is not None and (before.format, before.field) != (source.format, source.field):
            raise BuildError(
                f"{path} is in this store already, read as {before.format} with the field {before.field!r}. A file is "
                "counted once; count it in another way into a store of another name."
            )


def _batches(files: Files, existing: dict[str, Source], pending: list[Source]) -> Iterator[list[Source]]:
    """First the files that a kill left half counted, in the same order, and then those that are new."""
    missing = [source.name for source in pending if (source.sha256 not in files or files[source.sha256][0] != source)]
    if missing:
        raise BuildError(
            f"A count of {', '.join(source.name for source in pending)} was interrupted. Name all of these files "
            "again with the same options to continue, or discard the count with --afresh. "
            f"Now missing or changed: {', '.join(missing)}."
        )
    half = {source.sha256 for source in pending}
    if pending:
        yield pending
    new = [source for sha, (source, _) in files.items() if sha not in existing and sha not in half]
    if new:
        yield new


def _count(growing: Growing, batch: list[Source], files: Files, store: Path, request: Wanted, window: int) -> None:
    if growing.pending != batch:
        growing.begin(batch)
    completed = growing.blocks
    workplace = Workplace(store / WORK, request.processes, seed=0, shared=request.shared or {})
    tally, number = Tally(window=window), 0
    blocks = sweep(
        [files[source.sha256][1] for source in batch],
        AssociationFinder(),
        workplace,
        form=request.format,
        field=request.field,
    )
    with closing(blocks):
        for number, block in enumerate(blocks, start=1):
            if number <= completed:
                continue
            tally.add(block)
            if number % TOGETHER == 0:
                growing.add(tally, blocks=number)
                tally = Tally(window=window)
    _refuse_changed([files[source.sha256] for source in batch])
    growing.add(tally, blocks=max(number, completed))
    growing.end()


def _refuse_changed(files: list[tuple[Source, Path]]) -> None:
    """A store says by sha256 what it was counted from, and a pass takes hours in which a file may be written to."""
    changed = [str(path) for source, path in files if sha256(path) != source.sha256]
    if changed:
        raise BuildError(
            f"{', '.join(changed)} changed while it was counted. Count again with --afresh once nothing writes to it."
        )


def _begin(store: Path, window: int) -> None:
    """Put the working copy in place: that of a killed count, else a copy of the current state, else none yet."""
    if (store / GROWING).exists():
        return
    # A kill may have come while a working copy was forgotten: its log would be read as that of the next one.
    _forget(store)
    manifest = places.current(store)
    if manifest is None:
        return
    require_same(manifest.counted_with, counted_with(window=window))
    scratch = store / (GROWING + ".new")
    scratch.unlink(missing_ok=True)
    shutil.copyfile(places.state_folder(store, manifest.content) / COUNTS, scratch)
    with closing(sqlite3.connect(scratch, isolation_level=None)) as database:
        database.executescript("".join(f"DROP TABLE {name};" for name in DERIVED))
    scratch.rename(store / GROWING)


def _forget(store: Path) -> None:
    """Remove the working copy and what the pass has kept; finished states stay."""
    for name in (GROWING, GROWING + "-wal", GROWING + "-shm", GROWING + ".new"):
        (store / name).unlink(missing_ok=True)
    shutil.rmtree(store / WORK, ignore_errors=True)


WHATS = ("verb", "noun", "relation", "count")
# What other parsers call the relations that are asked for here.
RELATIONS = {"subj": SUBJECT, "sbj": SUBJECT, "nsubj": SUBJECT, "dobj": OBJECT, "obj": OBJECT}
FORMAT = "counts"
MOST_FAULTS = 50
MOST_COUNT = 10**15


def take_counts(
    path: Path,
    store: Path,
    *,
    columns: Mapping[str, str],
    header: bool,
    keep_earlier: bool,
    say: Callable[[str], None],
) -> Counted:
    """Make a store of a file of counts; the same file again changes nothing.

    `columns` names verb, noun, relation and count where they are called otherwise. SourceError with every fault;
    BuildError where the store holds something else; FolderInUse if another process counts into it.
    """
    with exclusive_folder(store):
        data = source_bytes(path)
        source = Source(sha256(path), path.name, len(data), data.count(b"\n"), FORMAT, "")
        before = places.current(store)
        if before is not None:
            if [one["sha256"] for one in before.sources] == [source.sha256]:
                return Counted(before, [], [source])
            raise BuildError(f"{store.name} holds other counts already. Take these into a store of another name.")
        say("reading the counts")
        tally = _tally(path, data, columns, header=header)
        _forget(store)
        with closing(Growing(store / GROWING, counted_with=counted_with(window=0))) as growing:
            growing.begin([source])
            growing.add(tally, blocks=1)
            growing.end()
            manifest = publish(growing, store, keep_earlier=keep_earlier, say=say)
        _forget(store)
    return Counted(manifest, [source], [])


def _tally(path: Path, data: bytes, columns: Mapping[str, str], *, header: bool) -> Tally:
    """A lemma's count is the sum of the triples that it is in: the file knows no other."""
    triples: Counter[tuple[str, ...]] = Counter()
    lemmas: Counter[tuple[str, ...]] = Counter()
    faults: list[Fault] = []
    for line, triple in _lines(path, data, columns, header=header):
        if isinstance(triple, Fault):
            faults.append(triple.under(f"line {line}"))
            if len(faults) == MOST_FAULTS:
                break
            continue
        relation, verb, noun, n = triple
        triples[relation, verb, noun] += n
        lemmas[verb, "V"] += n
        lemmas[noun, "N"] += n
    if not faults and not triples:
        faults.append(Fault("file", "holds no counts"))
    if faults:
        raise SourceError(path, faults)
    return Tally(triples=triples, lemmas=lemmas)


def _lines(
    path: Path, data: bytes, columns: Mapping[str, str], *, header: bool
) -> Iterator[tuple[int, tuple[str, str, str, int] | Fault]]:
    own = {what: what if header else str(place) for place, what in enumerate(WHATS, start=1)}
    if unknown := sorted(columns.keys() - set(WHATS)):
        yield 1, Fault(unknown[0], f"cannot be mapped; use one of: {', '.join(WHATS)}")
        return
    try:
        table = opened(data, path.name, How(header=header))
    except Unreadable as error:
        yield 1, error.fault
        return
    for line, row in cells_of(table, own | dict(columns)):
        yield line, row if isinstance(row, Fault) else _triple(row)


def _triple(row: Mapping[str, str]) -> tuple[str, str, str, int] | Fault:
    for what in WHATS[:3]:
        if not row[what]:
            return Fault(what, "is empty")
    count = row["count"]
    if not (count.isascii() and count.isdecimal() and 1 <= int(count) <= MOST_COUNT):
        return Fault("count", f"{count!r} is not a whole number from 1")
    relation = row["relation"].casefold()
    return RELATIONS.get(relation, relation), row["verb"].casefold(), row["noun"].casefold(), int(count)
