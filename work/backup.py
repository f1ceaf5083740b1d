"""Everything in one file: the rows of every table as JSON lines, and the files of PARALLAX_VAR, with checksums.

Rows are written independently of the database's vendor, from one state of it, while people go on answering. What can be
made again is left out: logs, static files, messages, results and reports. It is restored into an empty place only.
"""

import gzip
import hashlib
import io
import json
import os
import shutil
import tarfile
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import date, datetime
from decimal import Decimal
from itertools import islice
from pathlib import Path
from typing import IO, Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from work.watching.health import database, migrations

FORMAT = "parallax backup 1"
# Of PARALLAX_VAR: what is made again, or belongs to processes that run.
LEFT_OUT = {
    "builds", "exports", "fetched-models", "locks", "log", "metrics", "reading", "reports", "restoring", "running.lock",
    "secret_key", "staticfiles", "valkey",
}  # fmt: skip
# A SQLite database whose rows are kept as rows, and the clock's. DATABASE_URL may name another: `_databases`.
DATABASE_FILES = ("parallax.sqlite3", "beat-schedule")
BESIDE_DATABASE = ("", "-wal", "-shm", "-journal", "-queue")
# What a process holds, or has not finished.
UNFINISHED = (".lock", ".part")
MANIFEST, SECRET, SUMS = "manifest.json", "secret_key", "sha256"
ROWS, FILES = "rows/", "files/"
AT_ONCE = 500
# JSON has their values as the database has them.
PLAIN = (
    models.AutoField, models.BigAutoField, models.BigIntegerField, models.BooleanField, models.CharField,
    models.IntegerField, models.PositiveIntegerField, models.PositiveSmallIntegerField, models.SlugField,
    models.SmallIntegerField, models.TextField,
)  # fmt: skip


class CannotKeep(Exception):
    """Why nothing was written, or restored. str() is a sentence."""


def tables() -> list[type[models.Model]]:
    """Every table of ours and of the packages, those between two others among them."""
    found = apps.get_models(include_auto_created=True)
    return [model for model in found if model._meta.managed and not model._meta.proxy]


def fields_of(model: type[models.Model]) -> "list[models.Field[Any, Any]]":
    return [field for field in model._meta.concrete_fields if not field.generated]


def applied() -> list[str]:
    return sorted(f"{app}.{name}" for app, name in MigrationRecorder(connection).applied_migrations())


def write(path: Path) -> dict[str, int]:
    """Write it, readable by its owner alone; returns how many rows and files it has. CannotKeep if there is one."""
    if path.exists():
        raise CannotKeep(f"{path} exists. Choose another name.")
    if path.resolve().is_relative_to(settings.VAR_DIR.resolve()):
        raise CannotKeep(f"{path} is in PARALLAX_VAR: the next backup would contain it. Choose another folder.")
    if fault := database() or migrations():
        raise CannotKeep(fault)
    part = path.with_name(path.name + ".part")
    try:
        part.touch(mode=0o600)
        counts = _write(part)
        _checked(part)
        part.replace(path)
    except (tarfile.TarError, OSError, ValueError) as error:
        raise CannotKeep(f"No backup was written: {error}") from error
    finally:
        with suppress(OSError):
            part.unlink()
    return counts


def _write(part: Path) -> dict[str, int]:
    counts = {"rows": 0, "files": 0}
    sums: dict[str, str] = {}
    with tarfile.open(part, "w") as out:
        with _one_state():
            _add(out, sums, MANIFEST, json.dumps({"format": FORMAT, "migrations": applied()}).encode())
            _add(out, sums, SECRET, settings.SECRET_KEY.encode())
            for model in tables():
                counts["rows"] += _add_rows(out, sums, model)
        for file in _files():
            # Gone since it was found: people work meanwhile.
            with suppress(FileNotFoundError):
                _add_file(out, sums, FILES + str(file.relative_to(settings.VAR_DIR)), file)
                counts["files"] += 1
        _add(out, {}, SUMS, json.dumps(sums).encode())
    return counts


@contextmanager
def _one_state() -> Iterator[None]:
    """All that is read within is of one moment, and nobody who writes waits for it."""
    begin = "BEGIN" if connection.vendor == "sqlite" else "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
    with connection.cursor() as cursor:
        cursor.execute(begin)
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


def _add_rows(out: tarfile.TarFile, sums: dict[str, str], model: type[models.Model]) -> int:
    fields, count = [field.attname for field in fields_of(model)], 0
    with tempfile.NamedTemporaryFile(suffix=".gz", dir=Path(out.name or ".").parent) as place:  # type: ignore[arg-type]
        with gzip.open(place, "wt", encoding="utf-8", compresslevel=5) as lines:
            lines.write(json.dumps(fields) + "\n")
            for row in model._base_manager.order_by("pk").values_list(*fields).iterator(chunk_size=AT_ONCE):
                lines.write(json.dumps(row, default=_as_text, ensure_ascii=False) + "\n")
                count += 1
        place.flush()
        _add_file(out, sums, f"{ROWS}{model._meta.label_lower}.jsonl.gz", Path(place.name))
    return count


def _as_text(value: object) -> str:
    if isinstance(value, datetime | date):
        return value.isoformat()
    if isinstance(value, Decimal | UUID):
        return str(value)
    raise TypeError(f"{type(value).__name__} cannot be kept.")


def _files() -> Iterator[Path]:
    databases = _databases()
    for top in sorted(settings.VAR_DIR.iterdir()):
        if top.name in LEFT_OUT or top.name.startswith(DATABASE_FILES):
            continue
        for file in [top] if top.is_file() else _below(top):
            if file.is_file() and not _is_unfinished(file) and file.resolve() not in databases:
                yield file


def _below(top: Path) -> Iterator[Path]:
    # os.walk passes over a folder that is gone since.
    for folder, folders, names in os.walk(top):
        folders.sort()
        yield from (Path(folder) / name for name in sorted(names))


def _is_unfinished(file: Path) -> bool:
    return file.name == "lock" or file.name.endswith(UNFINISHED)


def _databases() -> set[Path]:
    """The database and what SQLite and we put beside it, if it is a file."""
    if connection.vendor != "sqlite":
        return set()
    name = str(connection.settings_dict["NAME"])
    return {Path(name + ending).resolve() for ending in BESIDE_DATABASE}


def _add(out: tarfile.TarFile, sums: dict[str, str], name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), 0o600
    out.addfile(info, io.BytesIO(data))
    sums[name] = hashlib.sha256(data).hexdigest()


def _add_file(out: tarfile.TarFile, sums: dict[str, str], name: str, path: Path) -> None:
    """As it is now; what is written into it meanwhile may be in it or not, and its checksum is of what is."""
    info = tarfile.TarInfo(name)
    with path.open("rb") as data:
        about = os.fstat(data.fileno())
        info.size, info.mode, info.mtime = about.st_size, 0o600, about.st_mtime
        read = _Summed(data)
        out.addfile(info, read)  # type: ignore[arg-type]
        sums[name] = read.sum.hexdigest()


class _Summed:
    """Sums what is read of a file, which is as much as is asked for: zeros where the file has become shorter."""

    def __init__(self, data: IO[bytes]) -> None:
        self.data, self.sum = data, hashlib.sha256()

    def read(self, size: int) -> bytes:
        found = self.data.read(size)
        found += bytes(size - len(found))
        self.sum.update(found)
        return found


def restore(path: Path) -> dict[str, int]:
    """Put it into this empty place: a database that is migrated and has no rows of ours, a PARALLAX_VAR without files.

    CannotKeep where it is damaged, of another version or not empty; then nothing has changed.
    """
    if fault := database() or migrations():
        raise CannotKeep(fault)
    try:
        manifest = _checked(path)
    except (tarfile.TarError, OSError, ValueError, KeyError) as error:
        raise CannotKeep(f"{path} is damaged or no backup: {error}") from error
    if manifest["migrations"] != applied():
        raise CannotKeep("It was made by another version. Restore it with that version and run migrate afterwards.")
    holding = [model._meta.label for model in tables() if model.__module__.split(".")[0] != "django"]
    for label in holding:
        if apps.get_model(label)._base_manager.exists():
            raise CannotKeep(f"The database is not empty: it has rows of {label}.")
    if found := next(_files(), None):
        raise CannotKeep(f"{settings.VAR_DIR} is not empty: it has {found.name}.")
    return _put_in_place(path)


def _checked(path: Path) -> dict[str, Any]:
    """Its manifest, once every part has been read and has the checksum that stands at its end."""
    found: dict[str, str] = {}
    sums: dict[str, str] = {}
    manifest: dict[str, Any] = {}
    with tarfile.open(path, "r:") as parts:
        for member in parts:
            data = parts.extractfile(member)
            if data is None:
                raise ValueError(f"{member.name} is no file")
            if member.name == SUMS:
                sums = json.load(data)
                continue
            if member.name == MANIFEST:
                manifest = json.loads(data.read())
                data.seek(0)
            # No part leads out of its place.
            if member.name.startswith("/") or ".." in Path(member.name).parts:
                raise ValueError(f"{member.name} leads elsewhere")
            found[member.name] = hashlib.file_digest(data, "sha256").hexdigest()  # type: ignore[arg-type]
    if found != sums:
        wrong = next((name for name in found | sums if found.get(name) != sums.get(name)), "its end")
        raise ValueError(f"{wrong} does not have its checksum")
    if manifest.get("format") != FORMAT:
        raise ValueError("it has another format")
    return manifest


def _put_in_place(path: Path) -> dict[str, int]:
    """Files go into a folder aside first: what is interrupted has changed nothing, and can be tried again."""
    aside = settings.VAR_DIR / "restoring"
    shutil.rmtree(aside, ignore_errors=True)
    try:
        counts = _unpack(path, aside)
        found = sorted(file for file in aside.rglob("*") if file.is_file())
        # The key last: where it is, all else is there.
        for file in sorted(found, key=lambda file: file == aside / SECRET):
            place = settings.VAR_DIR / file.relative_to(aside)
            place.parent.mkdir(parents=True, exist_ok=True)
            file.replace(place)
    except OSError as error:
        raise CannotKeep(f"It could not be restored: {error}") from error
    finally:
        shutil.rmtree(aside, ignore_errors=True)
    return counts


def _unpack(path: Path, aside: Path) -> dict[str, int]:
    counts = {"rows": 0, "files": 0}
    by_label = {f"{ROWS}{model._meta.label_lower}.jsonl.gz": model for model in tables()}
    databases = _databases()
    with tarfile.open(path, "r:") as parts, transaction.atomic():
        # What migrate has put there by itself: content types and permissions.
        for model in by_label.values():
            model._base_manager.all()._raw_delete(connection.alias)
        for member in parts:
            data = parts.extractfile(member)
            assert data is not None, "it was read before"
            name = member.name.removeprefix(FILES)
            if member.name in by_label:
                counts["rows"] += _store_rows(by_label[member.name], data)
            elif member.name == SECRET:
                _store(aside / SECRET, data)
            elif member.name.startswith(FILES) and (settings.VAR_DIR / name).resolve() not in databases:
                _store(aside / name, data)
                counts["files"] += 1
        with connection.cursor() as cursor:
            for line in connection.ops.sequence_reset_sql(no_style(), tables()):
                cursor.execute(line)
    return counts


def _store_rows(model: type[models.Model], data: Any) -> int:
    fields, count = fields_of(model), 0
    with gzip.open(data, "rt", encoding="utf-8") as lines, connection.cursor() as cursor:
        assert json.loads(next(lines)) == [field.attname for field in fields], "the migrations are the same"
        quoted = connection.ops.quote_name
        columns = ", ".join(quoted(str(field.column)) for field in fields)
        places = ", ".join(["%s"] * len(fields))
        # Past the models: a row is stored as it is, and objects of millions of them take most of the time.
        insert = f"INSERT INTO {quoted(model._meta.db_table)} ({columns}) VALUES ({places})"  # noqa: S608 our tables
        stored = [_stored_as(field) for field in fields]
        while rows := [json.loads(line) for line in islice(lines, AT_ONCE)]:
            cursor.executemany(insert, [[one(value) for one, value in zip(stored, row, strict=True)] for row in rows])
            count += len(rows)
    return count


def _stored_as(field: "models.Field[Any, Any]") -> Callable[[Any], Any]:
    """What the database stores for a value of the backup."""
    target = field.target_field if isinstance(field, models.ForeignKey) else field
    if type(target) in PLAIN:
        return lambda value: value
    if type(target) is models.JSONField:
        # As the field does it, which looks at each value for an expression first.
        adapt, encoder = connection.ops.adapt_json_value, target.encoder
        return lambda value: None if value is None else adapt(value, encoder)
    return lambda value: target.get_db_prep_save(None if value is None else target.to_python(value), connection)


def _store(path: Path, data: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        path.chmod(0o600)
        while piece := data.read(1 << 20):
            file.write(piece)
