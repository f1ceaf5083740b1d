"""Counts that others have made of a corpus (verb, noun, relation, how often) become a store: nothing is parsed.

Such as the frequency files behind the published PPMI baseline (Kauf, Ivanova et al. 2023). A store of them gives what
rests on such triples alone: PPMI-syntax. Vectors, windows and n-grams need the text.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from corpus.errors import BuildError, Fault, SourceError
from corpus.provenance import sha256
from corpus.source_text import source_bytes
from corpus.tables.cells import cells_of
from corpus.tables.opening import Unreadable, opened
from scoring.baselines.associations import places
from scoring.baselines.associations.counting import GROWING, Counted
from scoring.baselines.associations.events import OBJECT, SUBJECT
from scoring.baselines.associations.finder import counted_with
from scoring.baselines.associations.growing import Growing, Source, publish
from scoring.baselines.associations.tally import Tally
from scoring.library.locks import exclusive_folder

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
        for left in store.glob(f"{GROWING}*"):
            left.unlink()
        with Growing(store / GROWING, counted_with=counted_with(window=0)) as growing:
            growing.begin([source])
            growing.add(tally, blocks=1)
            growing.end()
            manifest = publish(growing, store, keep_earlier=keep_earlier, say=say)
        for left in store.glob(f"{GROWING}*"):
            left.unlink()
    return Counted(manifest, [source], [])


def _tally(path: Path, data: bytes, columns: Mapping[str, str], *, header: bool) -> Tally:
    """A lemma's count is the sum of the triples that it is in: the file knows no other."""
    triples: Counter[tuple[str, ...]] = Counter()
    lemmas: Counter[tuple[str, ...]] = Counter()
    faults: list[Fault] = []
    for line, found in _lines(path, data, columns, header=header):
        if isinstance(found, Fault):
            faults.append(found.under(f"line {line}"))
            if len(faults) == MOST_FAULTS:
                break
            continue
        relation, verb, noun, n = found
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
        yield 1, Fault(unknown[0], f"cannot be mapped; known are {', '.join(WHATS)}")
        return
    try:
        table = opened(data, path.name, header=header)
    except Unreadable as error:
        yield 1, error.fault
        return
    for line, found in cells_of(table, own | dict(columns)):
        yield line, found if isinstance(found, Fault) else _triple(found)


def _triple(found: Mapping[str, str]) -> tuple[str, str, str, int] | Fault:
    for what in WHATS[:3]:
        if not found[what]:
            return Fault(what, "is empty")
    count = found["count"]
    if not (count.isascii() and count.isdecimal() and 1 <= int(count) <= MOST_COUNT):
        return Fault("count", f"{count!r} is not a whole number from 1")
    relation = found["relation"].casefold()
    return RELATIONS.get(relation, relation), found["verb"].casefold(), found["noun"].casefold(), int(count)
