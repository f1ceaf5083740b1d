"""Rows by the million, without a model object each, on SQLite and on PostgreSQL: tables and labels.

Tables are filled through Django's connection: COPY on PostgreSQL, one prepared statement on SQLite. What is written is
checked before, by those who call: the database's own constraints hold whatever comes. No page calls this.

A temporary table is this connection's own. It takes no lock that others wait for, nobody sees it, and of a kill
nothing is left: what is to be written waits there until one transaction takes it in.

The labels of a file are laid down beside the database's tables first, then taken in by a few statements.

Annotators' answers wait while the database is written to (on SQLite; on PostgreSQL those who start or end a sitting of
the study). So all that can be made ready is made ready before: which labels are new, whose count, the tallies.
"""

import json
from array import array
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import Any

from django.db import connection, models

from annotation.elsewhere.labelfile import LabelFile
from annotation.models import Assignment, Item, Judgment, Sitting, Study
from annotation.models.item import agreed_in

BATCH = 5_000
# For rows that come in another order than an index has: with less, pages of the index are written again and again.
CACHE_KIB = 96 * 1024
# What both databases take as it is.
PLAIN = frozenset((str, int, float))

LABELS, TALLIES, PEOPLE = "labels_to_be", "tallies_to_be", "people_to_be"
WHOLE = "integer not null"


def quoted(name: str) -> str:
    return str(connection.ops.quote_name(name))


def fill(table: str, columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Add rows, whose values the database takes as they are."""
    names = ", ".join(map(quoted, columns))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {quoted(table)} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            return
        # Table and columns are those of models and of ours; S608 knows no better.
        said = f"INSERT INTO {quoted(table)} ({names}) VALUES ({', '.join(['%s'] * len(columns))})"  # noqa: S608
        rows = iter(rows)
        while batch := list(islice(rows, BATCH)):
            cursor.executemany(said, batch)


def insert(model: type[models.Model], objects: Iterable[models.Model]) -> None:
    """What bulk_create does, but faster, for objects whose keys nobody needs. The caller has a transaction."""
    fields = [field for field in model._meta.concrete_fields if not field.primary_key and not field.generated]
    named = [(field.attname, field) for field in fields]
    rows = ([_as_column(getattr(one, name), field) for name, field in named] for one in objects)
    fill(model._meta.db_table, [str(field.column) for field in fields], rows)


def _as_column(value: Any, field: "models.Field[Any, Any]") -> Any:
    return value if value is None or type(value) in PLAIN else field.get_db_prep_save(value, connection)


@contextmanager
def temporary(name: str, columns: Mapping[str, str], rows: Iterable[Sequence[Any]] = ()) -> Iterator[None]:
    """A temporary table with `columns` (name: type) and rows; gone at the end."""
    made = ", ".join(f"{quoted(column)} {kind}" for column, kind in columns.items())
    with connection.cursor() as cursor:
        # A connection that lives on may hold the table of one that failed.
        cursor.execute(f"DROP TABLE IF EXISTS {quoted(name)}")
        cursor.execute(f"CREATE TEMPORARY TABLE {quoted(name)} ({made})")
    with together():
        fill(name, list(columns), rows)
    try:
        yield
    finally:
        # After an error PostgreSQL takes nothing more in a transaction, and drops the table with it.
        if not connection.needs_rollback:
            with connection.cursor() as cursor:
                cursor.execute(f"DROP TABLE IF EXISTS {quoted(name)}")


@contextmanager
def together() -> Iterator[None]:
    """Rows for temporary tables: not a transaction each, on SQLite, nor one as Django begins it, which locks all."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("BEGIN DEFERRED")
        try:
            yield
            cursor.execute("COMMIT")
        except BaseException:
            cursor.execute("ROLLBACK")
            raise


@contextmanager
def roomy() -> Iterator[None]:
    """More of SQLite's pages in memory while much is written; PostgreSQL has its own."""
    if connection.vendor != "sqlite":
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA cache_size")
        (before,) = cursor.fetchone()
        cursor.execute(f"PRAGMA cache_size = -{CACHE_KIB}")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA cache_size = {before}")


@contextmanager
def proven_references() -> Iterator[None]:
    """For a transaction whose rows refer to what is known to be there: SQLite looks every reference up again."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.constraint_checks_disabled():
        yield


@dataclass(frozen=True, slots=True, kw_only=True)
class Fresh:
    """The labels of a file that are new, by their `rows`, those of one annotator together; `pks` are its items'.

    Labels of the annotators `out` were excluded before; those of `excluded`, which holds them too, do not count.
    """

    file: LabelFile
    pks: Sequence[int]
    rows: "array[int]"
    out: frozenset[int]
    excluded: frozenset[int]

    @property
    def annotators(self) -> list[int]:
        """Their codes, in order."""
        return list(dict.fromkeys(map(self.file.annotator_codes.__getitem__, self.rows)))

    def laid_down(self) -> Iterator[tuple[int, int, int, int, str, int | None]]:
        """A row a label: its place, annotator, item, place in the sitting, answer and time."""
        file, before, position = self.file, -1, 0
        for place, row in enumerate(self.rows):
            who = file.annotator_codes[row]
            position = position + 1 if who == before else 1
            before, took = who, file.seconds[row]
            milliseconds = None if took != took else round(1000 * took)
            item, answer = self.pks[file.item_codes[row]], file.labels[file.label_codes[row]]
            yield place, who, item, position, answer, milliseconds

    def tallies(self) -> Iterator[tuple[int, int, int, str, int]]:
        """A row an item: how many labels it is to hold, how many of them count, their tally, how many are agreed."""
        file, values = self.file, len(self.file.labels)
        held = array("l", bytes(8 * len(self.pks)))
        counts = array("l", bytes(8 * len(self.pks) * values))
        for row in self.rows:
            item, who = file.item_codes[row], file.annotator_codes[row]
            held[item] += who not in self.out
            counts[item * values + file.label_codes[row]] += who not in self.excluded
        texts: dict[tuple[int, ...], tuple[int, str, int]] = {}
        for item, many in enumerate(held):
            if many:
                tally = tuple(counts[item * values : (item + 1) * values])
                if tally not in texts:
                    named = {label: count for label, count in zip(file.labels, tally, strict=True) if count}
                    texts[tally] = sum(tally), json.dumps(named), agreed_in(named)
                yield self.pks[item], many, *texts[tally]


def there_by_number(study: Study, file: LabelFile, rows: Iterable[int]) -> int:
    """How many of the file's labels the study holds under the numbers by which exports call annotators."""
    given = Judgment.objects.filter(assignment__sitting__study=study).order_by()
    stored = given.values_list("assignment__annotator_id", "assignment__item__external_id", "answer")
    of_annotators = set(stored.iterator())
    # After the labels: of those, too, who started meanwhile.
    names = study.annotator_numbers.names()
    there = {(names[who], item, answer) for who, item, answer in of_annotators}
    codes = zip(file.annotator_codes, file.item_codes, file.label_codes, strict=True)
    labels = [(file.annotators[who], file.items[item], file.labels[label]) for who, item, label in codes]
    return sum(labels[row] in there for row in rows)


@contextmanager
def laid_down(fresh: Fresh) -> Iterator[None]:
    """The labels in temporary tables. Nothing is locked yet."""
    labels = {
        "place": "integer primary key",
        "who": WHOLE,
        "item_id": WHOLE,
        "position": WHOLE,
        "answer": "text not null",
    }
    tallies = {"item_id": "integer primary key", "held": WHOLE, "added": WHOLE}
    with (
        roomy(),
        # Of items that are compared under the lock, and of sittings that are made under it.
        proven_references(),
        temporary(LABELS, labels | {"response_ms": "integer"}, fresh.laid_down()),
        temporary(TALLIES, tallies | {"tally": "text not null", "agreed": WHOLE}, fresh.tallies()),
    ):
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(f"ANALYZE {LABELS}; ANALYZE {TALLIES}")
        yield


def overfull(most: int) -> tuple[str, int] | None:
    """The target that would hold more labels than that, and how many; the fullest, if there are several."""
    said = f"""
        SELECT item.external_id, item.counted + item.reserved + new.held AS held
        FROM {TALLIES} AS new JOIN {_table(Item)} AS item ON item.id = new.item_id
        WHERE item.kind = %s AND (item.counted + item.reserved + new.held > %s OR item.target = 0)
        ORDER BY held DESC, item.position LIMIT 1
    """  # noqa: S608 our own names
    with connection.cursor() as cursor:
        cursor.execute(said, [Item.Kind.TARGET, most])
        found: tuple[str, int] | None = cursor.fetchone()
    return found


def make_room() -> None:
    """Let the targets that labels were laid down for want as many as they will hold."""
    said = f"""
        UPDATE {_table(Item)} SET target = counted + reserved + new.held
        FROM {TALLIES} AS new
        WHERE new.item_id = {_table(Item)}.id AND {_table(Item)}.kind = %s AND target < counted + reserved + new.held
    """  # noqa: S608 our own names
    with connection.cursor() as cursor:
        cursor.execute(said, [Item.Kind.TARGET])


def take_in(sittings: Mapping[int, Sitting], excluded: Iterable[int], now: datetime) -> None:
    """What was laid down becomes assignments, judgments and tallies; a sitting for each annotator's code."""
    out = set(excluded)
    states = {True: Assignment.State.EXCLUDED.value, False: Assignment.State.COUNTED.value}
    people = {"who": "integer primary key", "sitting_id": WHOLE, "annotator_id": WHOLE, "state": "text not null"}
    rows = ((who, one.pk, one.annotator_id, states[who in out]) for who, one in sittings.items())
    at = connection.ops.adapt_datetimefield_value(now)
    with temporary(PEOPLE, people, rows), connection.cursor() as cursor:
        # In which order the options were shown is not known, so none is stored.
        cursor.execute(
            f"""
            INSERT INTO {_table(Assignment)} (sitting_id, annotator_id, item_id, position, presentation, state)
            SELECT own.sitting_id, own.annotator_id, new.item_id, new.position, %s, own.state
            FROM {LABELS} AS new JOIN {PEOPLE} AS own ON own.who = new.who ORDER BY new.place
            """,  # noqa: S608
            [json.dumps({"order": []})],
        )
        cursor.execute(
            f"""
            INSERT INTO {_table(Judgment)} (assignment_id, answer, response_ms, answered_at)
            SELECT given.id, new.answer, new.response_ms, %s
            FROM {LABELS} AS new JOIN {PEOPLE} AS own ON own.who = new.who
            JOIN {_table(Assignment)} AS given ON given.sitting_id = own.sitting_id AND given.position = new.position
            ORDER BY new.place
            """,  # noqa: S608
            [at],
        )
        _merge_tallies()
        tally = "new.tally::jsonb" if connection.vendor == "postgresql" else "new.tally"
        cursor.execute(
            f"""
            UPDATE {_table(Item)} SET counted = counted + new.added, tally = {tally}, agreed = new.agreed
            FROM {TALLIES} AS new WHERE new.item_id = {_table(Item)}.id AND new.added > 0
            """  # noqa: S608
        )


def _merge_tallies() -> None:
    """Of items that have labels already, what was laid down becomes the sum of both."""
    said = f"""
        SELECT item.id, item.tally, new.tally FROM {TALLIES} AS new JOIN {_table(Item)} AS item ON item.id = new.item_id
        WHERE item.counted > 0 AND new.added > 0
    """  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(said)
        merged = [
            (json.dumps(tally), agreed_in(tally), pk) for pk, tally in ((pk, _sum(*both)) for pk, *both in cursor)
        ]
        if merged:
            cursor.executemany(f"UPDATE {TALLIES} SET tally = %s, agreed = %s WHERE item_id = %s", merged)  # noqa: S608


def _sum(before: str | dict[str, int], added: str) -> dict[str, int]:
    tally: dict[str, int] = dict(before) if isinstance(before, dict) else json.loads(before)
    for label, count in json.loads(added).items():
        tally[label] = tally.get(label, 0) + count
    return tally


def _table(model: type[Assignment | Item | Judgment]) -> str:
    return quoted(model._meta.db_table)
