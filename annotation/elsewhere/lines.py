"""Reads a label file into labels: a table, an export of Parallax, or another tool's records.

A table says it as our label file does, or as its columns are mapped; with a column for each annotator; as Mechanical
Turk's results; or as our own export of judgments. What was noticed on the way are remarks. Free of Django.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from annotation.tasktypes.contract import Scale
from annotation.tasktypes.words import bare_name
from corpus.characters import unguarded
from corpus.decimals import names_nobody, says_nothing
from corpus.errors import Fault, Remark
from corpus.formats.reading import Records
from corpus.formats.registry import FORMATS, TABLE
from corpus.tables.cells import cells_of, shortened
from corpus.tables.columns import IN_BATCH, Column, bare, guess_by_name
from corpus.tables.heads import BY_NUMBER
from corpus.tables.opening import OpenedTable

COLUMNS = (
    Column(
        name="item",
        label="Item",
        help="ID of the item.",
        also_called=("itemid", "id", "stimulus", "stimulusid", "sentid", "idx", "key"),
    ),
    Column(
        name="annotator",
        label="Annotator",
        help="Same name for the same person in all files.",
        also_called=(
            "annotatorid", "worker", "workerid", "rater", "coder", "participant", "user", "subject",
        ),
    ),
    Column(
        name="label",
        label="Label",
        also_called=("answer", "response", "rating", "judgment", "judgement", "annotation", "choice", "value"),
    ),
    Column(
        name="seconds",
        label="Seconds",
        help="Response time, if known.",
        also_called=("time", "rt", "duration", "leadtime"),
    ),
    Column(
        name="repeat",
        label="Repetition",
        help="Number of the annotator’s label on the item, from 1.",
        also_called=("repetition", "round"),
    ),
)  # fmt: skip
NEEDED = ("item", "annotator", "label")
FIELDS = tuple(column.name for column in COLUMNS)
LABEL = FIELDS.index("label")
# A line with its number: its cells in the order of FIELDS, or what is wrong with it.
Lines = Iterator[tuple[int, "list[str] | Fault"]]
# Our own export of judgments (comparison/exports/stored/judgments.py), by columns that no other file has together.
OWN = {"item", "kind", "annotator", "profile", "answer", "state", "counts", "response_ms"}
OWN_FIELDS = {"item": "item", "annotator": "annotator", "label": "answer", "seconds": "response_ms"}
# As spreadsheets in other languages write it again.
TRUTH = dict.fromkeys(("true", "1", "wahr", "vrai", "verdadero", "vero", "waar"), True)
TRUTH |= dict.fromkeys(("false", "0", "falsch", "faux", "falso", "onwaar"), False)
# Mechanical Turk's results of a batch.
STATUS, REJECTED = "AssignmentStatus", "Rejected"
TURK = {"HITId", "WorkerId", STATUS}
TURK_FIELDS = {"annotator": "WorkerId", "seconds": "WorkTimeInSeconds"}
# Files for upload have a column with the reason.
REJECT = "Reject"
NOT_REJECTED = {"no", "n", "nein", "approved", *(word for word, is_so in TRUTH.items() if not is_so)}
# What “subject” holds where it is an annotator.
AN_ID = re.compile(r"(?=\D*\d)\S+")
# Words in the name of a column that holds numbers on the item, beside columns of one annotator each.
NO_PEOPLE = frozenset((
    "mean", "means", "average", "avg", "median", "sd", "std", "stdev", "stderr", "variance", "count", "counts", "num",
    "number", "total", "majority", "consensus", "reference", "truth", "position", "trial", "index", "condition",
    "length", "frequency", "freq", "age", "year", "agreement", "words", "tokens", "letters", "characters", "syllables",
    "cond", "version", "class", "level", "factor", "experiment", "batch", "bedingung", "gruppe", "liste",
    "seconds", "duration", "mittelwert", "anzahl", "alter", "länge", "häufigkeit", "summe", "moyenne", "media", "edad",
))  # fmt: skip
# These are parts of people's names as well: they count where nothing but LABELS stands beside them.
MAYBE_PEOPLE = frozenset((
    "n", "se", "var", "mode", "sum", "min", "max", "gold", "key", "target", "order", "list", "block", "group",
    "word", "rank",
))  # fmt: skip
LABELS = frozenset((
    "rating", "ratings", "label", "labels", "score", "scores", "answer", "answers", "response", "responses",
    "judgment", "judgments", "judgement", "judgements", "annotation", "annotations", "value", "values", "rater",
    "raters", "annotator", "annotators", "rt", "id", "of",
))  # fmt: skip


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadOptions:
    """How a file is to be read.

    `columns` says which column is what, `only` (column → text) leaves out other lines, `people` are the columns that
    each hold one annotator's labels, `meanings` says what the file's words for labels are here; empty: no label. With
    `skip_incomplete`, lines without an item, an annotator or a label are left out; with `skip_unknown`, those of items
    that the study does not have. `foreign` is what another tool's
    file says, read before; `sheet` and `encoding` are those of a table, where the file does not show them.
    """

    columns: Mapping[str, str] = field(default_factory=dict)
    only: Mapping[str, str] = field(default_factory=dict)
    people: Sequence[str] = ()
    meanings: Mapping[str, str] = field(default_factory=dict)
    skip_incomplete: bool = False
    skip_unknown: bool = False
    foreign: Records | None = None
    sheet: str = ""
    encoding: str = ""


AS_IT_IS = ReadOptions()


@dataclass(kw_only=True)
class FileLabels:
    """The labels of a file, as it says them. `remarks` and `exported_of` are whole once `lines` has ended.

    `exported_of` is the study that an own export of judgments names.
    """

    lines: Lines = field(default_factory=lambda: iter(()))
    count: int
    where: Callable[[int], str] = "line {}".format
    # Whether somebody may label an item again, and no column says that it is again.
    may_repeat: bool = False
    remarks: list[Remark] = field(default_factory=list)
    # Which column was read as what: a fault names it as the file does.
    columns: Mapping[str, str] = field(default_factory=dict)
    # Whether each annotator has a column.
    is_wide: bool = False
    exported_of: str = ""


def of_records(records: Records, asked: ReadOptions, scale: Scale) -> FileLabels:
    """Another tool's file; `only` was asked for when it was read."""
    remarks = [Remark("", words) for words in records.remarks]
    names = list(dict.fromkeys(name for row in records.rows for name in row.values))
    is_table = records.format == TABLE

    def read(columns: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str] | Fault]]:
        return records.cells(columns)

    may_repeat = not is_table and FORMATS[records.format].has_people and "repeat" not in asked.columns
    said = FileLabels(count=len(records.rows), where=records.where, may_repeat=may_repeat, remarks=remarks)
    said.lines = _lines(read, names, asked, scale, said, is_table=is_table)
    return said


def of_table(table: OpenedTable, asked: ReadOptions, scale: Scale, *, count: int) -> FileLabels:
    remarks = list(table.remarks)
    names = table.names
    only = asked.only
    is_batch = set(names) >= TURK
    if is_batch:
        asked = replace(asked, columns=turk_columns(names) | dict(asked.columns))

    def read(columns: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str] | Fault]]:
        chosen = {f"only.{place}": column for place, column in enumerate(only)}
        turned_down = {name: name for name in (STATUS, REJECT) if is_batch and not only and name in names}
        out = 0
        for number, found in cells_of(table, {**columns, **chosen, **turned_down}):
            if not isinstance(found, Fault):
                wanted = all(found.pop(f"only.{place}") == text for place, text in enumerate(only.values()))
                is_rejected = found.pop(STATUS, "") == REJECTED
                if not wanted or _rejects(found.pop(REJECT, "")) or is_rejected:
                    out += 1
                    continue
            yield number, found
        if out:
            of = "row" if only else "rejected assignment"
            why = ", which --only asks for" if only else ""
            told = Remark("", f"{out:,} {of} is left out{why}" if out == 1 else f"{out:,} {of}s are left out{why}")
            remarks.extend([told] if told not in remarks else [])

    said = FileLabels(count=count, where=table.where, remarks=remarks)
    said.lines = _lines(read, names, asked, scale, said, is_table=True)
    return said


def _rejects(said: str) -> bool:
    """Whether a cell gives a reason for rejecting, or says that it was."""
    return not says_nothing(said) and said.casefold() not in NOT_REJECTED


Read = Callable[[Mapping[str, str]], Iterator[tuple[int, "dict[str, str] | Fault"]]]


def _lines(
    read: Read, names: Sequence[str], asked: ReadOptions, scale: Scale, said: FileLabels, *, is_table: bool
) -> Lines:
    known = f"use one of: {', '.join(FIELDS)}"
    if unknown := [what for what in asked.columns if what not in FIELDS]:
        return iter([(1, Fault(what, f"cannot be mapped; {known}")) for what in unknown])
    if is_table and not asked.columns and set(names) >= OWN:
        return _meant(_of_own(read, names, said), asked.meanings, scale)
    people = list(asked.people) or people_in(read, names, asked, scale)
    if people:
        said.is_wide = True
        item = _item_column(names, asked)
        if not asked.people:
            whose = "" if item == "item" or "item" in asked.columns else f" of items by {item}"
            told = f"read as one column per annotator{whose}: {shortened(', '.join(people))}"
            left = [name for name in names if name not in (*people, item)]
            said.remarks.append(Remark("", told + (f"; ignored: {shortened(', '.join(left))}" if left else "")))
        said.columns = {"item": item}
        return _meant(_of_people(read, item, people, asked.meanings, scale), asked.meanings, scale)
    called = dict(asked.columns)
    if is_table and names and not called and (wrong := _header_faults(names, asked.only)):
        called = _by_name(read, names)
        if {*NEEDED} - called.keys() or {*_others(names, asked.only)} - {*called.values()}:
            return iter([(1, fault) for fault in wrong])
        read_as = ", ".join(f"{column!r} as the {what}" for what, column in called.items() if what != column)
        said.remarks.append(Remark("", f"no columns were mapped, so these were read: {read_as}"))
    said.columns = {name: name for name in FIELDS if name in names or name in NEEDED} | called
    return _meant(_in_order(read(said.columns)), asked.meanings, scale)


def _in_order(found: Iterable[tuple[int, dict[str, str] | Fault]]) -> Lines:
    for number, cells in found:
        yield number, cells if isinstance(cells, Fault) else [cells.get(name, "") for name in FIELDS]


def _meant(lines: Lines, meanings: Mapping[str, str], scale: Scale) -> Lines:
    """Lines with our labels in place of the file's words, and empty cells where a word says that nothing stands there.

    What was said of a word goes before what it says in the task's scale.
    """
    known: dict[str, str] = {}
    for number, cells in lines:
        if not isinstance(cells, Fault):
            word = cells[LABEL]
            if word not in known:
                known[word] = _our_label(word, meanings, scale)
            cells[LABEL] = known[word]
            for place, is_empty in ((1, names_nobody), (3, says_nothing), (4, says_nothing)):
                if is_empty(cells[place]):
                    cells[place] = ""
        yield number, cells


def _our_label(word: str, meanings: Mapping[str, str], scale: Scale) -> str:
    said = meanings.get(word, word)
    if not said or said in scale.values:
        return said
    ours = scale.meant(said)
    return ours if ours is not None else "" if says_nothing(said) and not scale.meanings(said) else said


def _of_own(read: Read, names: Sequence[str], said: FileLabels) -> Lines:
    """Our own export of judgments: the labels that count, with seconds for its milliseconds."""
    more = {name: name for name in ("kind", "counts", "study") if name in names}
    apart: Counter[str] = Counter()
    for number, found in read(OWN_FIELDS | more):
        if isinstance(found, Fault):
            yield number, found
            continue
        cells = {name: unguarded(text) for name, text in found.items()}
        said.exported_of = cells.get("study", "")
        why = "on practice items" if cells["kind"] == "practice" else "excluded from the count"
        if (counts := TRUTH.get(cells["counts"].casefold())) is None:
            yield number, Fault("counts", f"{cells['counts']!r} must be true or false")
            continue
        if cells["kind"] == "practice" or not counts:
            apart[why] += 1
            continue
        took = cells["seconds"]
        seconds = f"{int(took) / 1000:g}" if took.isdecimal() else took
        yield number, [cells["item"], cells["annotator"], cells["label"], seconds, ""]
    said.remarks.append(Remark("", "an export of this study: its annotators are added as new ones"))
    for why, many in apart.items():
        labels = f"1 label {why} is" if many == 1 else f"{many:,} labels {why} are"
        said.remarks.append(Remark("", f"an export of this study; {labels} left out"))


def turk_columns(names: Sequence[str]) -> dict[str, str]:
    """Which column of a batch's results is what; none for what could be several."""
    told = {name: column for name, column in TURK_FIELDS.items() if column in names}
    for name, before, called in (("item", "Input.", ("id", "item", "itemid")), ("label", IN_BATCH, ())):
        found = [one for one in names if one.startswith(before)]
        by_name = [one for one in found if bare_name(one.removeprefix(before)) in called]
        if len(by_name or found) == 1:
            told[name] = (by_name or found)[0]
    return told


def people_in(read: Read, names: Sequence[str], asked: ReadOptions, scale: Scale) -> list[str]:
    """The columns that each hold one annotator's labels, where none is said to hold annotators or labels.

    Most of their cells are labels, there are two or more, and no name speaks of something else (`is_on_item`).
    """
    item = _item_column(names, asked)
    guessed = _by_name(read, names)
    if item not in names or {"annotator", "label"} & {*names, *asked.columns} or "annotator" in guessed:
        return []
    left = [name for name in names if name not in (item, *FIELDS, *guessed.values()) and not is_on_item(name)]
    balance, known = Counter[str](), dict[str, str]()
    for _, found in read({name: name for name in left}):
        if isinstance(found, Fault):
            continue
        for name, text in found.items():
            if label := known.setdefault(text, _our_label(text, asked.meanings, scale)):
                balance[name] += 1 if label in scale.values else -1
    people = [name for name in left if balance[name] > 0]
    return people if len(people) > 1 else []


def _by_name(read: Read, names: Sequence[str]) -> dict[str, str]:
    """Which column is what by its name. “Subject” may be a sentence's: annotators are ids that repeat."""
    found = guess_by_name(names, COLUMNS)
    if bare(found.get("annotator", "")) != "subject":
        return found
    if {"item", "label"} <= found.keys():
        cells = [of for _, of in read({name: found[name] for name in ("item", "annotator")}) if isinstance(of, dict)]
        pairs = {(of["annotator"], of["item"]) for of in cells if not says_nothing(of["annotator"])}
        people = Counter(annotator for annotator, _ in pairs)
        if all(map(AN_ID.fullmatch, people)) and max(people.values(), default=0) > 1:
            return found
    del found["annotator"]
    return found


def _item_column(names: Sequence[str], asked: ReadOptions) -> str:
    """The column of the items: as it is mapped, or by its name."""
    return asked.columns.get("item") or guess_by_name(names, COLUMNS[:1]).get("item", "item")


def is_on_item(name: str) -> bool:
    """Whether a column's name says that it holds something on the item: `mean_rating`, `nRatings`, `Word Count`."""
    parted = re.sub(r"(?<=[a-zäöüß])(?=[A-ZÄÖÜ])", " ", name).casefold()
    words = re.findall(r"[^\W\d_]+", parted)
    if not NO_PEOPLE.isdisjoint(words):
        return True
    is_numbered = any(map(str.isdigit, name))
    return (
        bool(words)
        and MAYBE_PEOPLE.union(LABELS).issuperset(words)
        and (not MAYBE_PEOPLE.isdisjoint(words) or not is_numbered)
    )


def _of_people(read: Read, item: str, people: Sequence[str], meanings: Mapping[str, str], scale: Scale) -> Lines:
    """A line for each annotator and item; a cell that says nothing is no label, and none is missed."""
    columns = {f"of.{place}": name for place, name in enumerate(people)}
    for number, found in read({"item": item} | columns):
        if isinstance(found, Fault):
            yield number, found
            continue
        for what, name in columns.items():
            if _our_label(found[what], meanings, scale):
                yield number, [found["item"], name, found[what], "", ""]


def _header_faults(names: Sequence[str], only: Mapping[str, str]) -> list[Fault]:
    known = f"use one of: {', '.join(FIELDS)}"
    missing = [name for name in NEEDED if name not in names]
    way_on = {name: f"; if it has another name, use --map {name}=COLUMN" for name in missing}
    if missing[-2:] == ["annotator", "label"]:
        way_on["annotator"] = "; columns of one annotator each are named with --people COLUMN"
    faults = [Fault(name, f"is missing: there is no such column{way_on[name]}") for name in missing]
    known += "" if missing else f", or ignore others: --map {' '.join(f'{name}={name}' for name in NEEDED)}"
    return faults + [Fault(name, f"is not a recognized column; {known}") for name in _others(names, only)]


def _others(names: Sequence[str], only: Mapping[str, str]) -> list[str]:
    """Columns by whose names nothing is known. One without a name is left alone."""
    return [name for name in names if name not in (*FIELDS, *only) and not BY_NUMBER.fullmatch(name)]
