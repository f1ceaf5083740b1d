"""Everything in one file: the rows of every table as JSON lines, and the files of PARALLAX_VAR, with checksums.

Rows are written independently of the database's vendor, from one state of it, while people go on answering. What can be
made again is left out: logs, static files, messages, results and reports. It is restored into an empty place only.
"""

import gzip
import hashlib
import io
import json
import tarfile
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps
from django.conf import settings
from django.core.management.color import no_style
from django.db import connection, models, transaction
from django.db.migrations.recorder import MigrationRecorder

from work.watching.checks import database, migrations

FORMAT = "parallax backup 1"
# Of PARALLAX_VAR: what is made again, or belongs to processes that run.
LEFT_OUT = {
    "exports", "locks", "log", "metrics", "reading", "reports", "running.lock", "secret_key", "staticfiles", "valkey",
}  # fmt: skip
DATABASE_FILES = ("parallax.sqlite3", "beat-schedule")
MANIFEST, SECRET, SUMS = "manifest.json", "secret_key", "sha256"
ROWS, FILES = "rows/", "files/"
AT_ONCE = 500


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
    if fault := database() or migrations():
        raise CannotKeep(fault)
    part = path.with_name(path.name + ".part")
    counts = {"rows": 0, "files": 0}
    sums: dict[str, str] = {}
    part.touch(mode=0o600)
    try:
        with tarfile.open(part, "w") as out:
            with _one_state():
                _add(out, sums, MANIFEST, json.dumps({"format": FORMAT, "migrations": applied()}).encode())
                _add(out, sums, SECRET, settings.SECRET_KEY.encode())
                for model in tables():
                    counts["rows"] += _add_rows(out, sums, model)
            for file in _files():
                _add_file(out, sums, FILES + str(file.relative_to(settings.VAR_DIR)), file)
                counts["files"] += 1
            _add(out, {}, SUMS, json.dumps(sums).encode())
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
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
    for top in sorted(settings.VAR_DIR.iterdir()):
        if top.name in LEFT_OUT or top.name.startswith(DATABASE_FILES):
            continue
        for file in [top] if top.is_file() else sorted(top.rglob("*")):
            if file.is_file():
                yield file


def _add(out: tarfile.TarFile, sums: dict[str, str], name: str, data: bytes) -> None:
    info = tarfile.TarInfo(name)
    info.size, info.mode = len(data), 0o600
    out.addfile(info, io.BytesIO(data))
    sums[name] = hashlib.sha256(data).hexdigest()


def _add_file(out: tarfile.TarFile, sums: dict[str, str], name: str, path: Path) -> None:
    info = tarfile.TarInfo(name)
    with path.open("rb") as data:
        sums[name] = hashlib.file_digest(data, "sha256").hexdigest()
        info.size, info.mode, info.mtime = data.tell(), 0o600, path.stat().st_mtime
        data.seek(0)
        out.addfile(info, data)


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
    counts = {"rows": 0, "files": 0}
    by_label = {f"{ROWS}{model._meta.label_lower}.jsonl.gz": model for model in tables()}
    with tarfile.open(path, "r:") as parts, transaction.atomic():
        # What migrate has put there by itself: content types and permissions.
        for model in by_label.values():
            model._base_manager.all()._raw_delete(connection.alias)
        for member in parts:
            data = parts.extractfile(member)
            assert data is not None, "it was read before"
            if member.name in by_label:
                counts["rows"] += _store_rows(by_label[member.name], data)
            elif member.name == SECRET:
                _store(settings.VAR_DIR / "secret_key", data)
            elif member.name.startswith(FILES):
                _store(settings.VAR_DIR / member.name.removeprefix(FILES), data)
                counts["files"] += 1
        with connection.cursor() as cursor:
            for line in connection.ops.sequence_reset_sql(no_style(), tables()):
                cursor.execute(line)
    return counts


def _store_rows(model: type[models.Model], data: Any) -> int:
    fields, count = fields_of(model), 0
    with gzip.open(data, "rt", encoding="utf-8") as lines:
        assert json.loads(next(lines)) == [field.attname for field in fields], "the migrations are the same"
        rows: list[models.Model] = []
        for line in lines:
            values = zip(fields, json.loads(line), strict=True)
            rows.append(model(**{field.attname: _value(field, value) for field, value in values}))
            count += 1
            if len(rows) == AT_ONCE:
                _insert(model, fields, rows)
                rows = []
        _insert(model, fields, rows)
    return count


def _value(field: "models.Field[Any, Any]", value: Any) -> Any:
    target = field.target_field if isinstance(field, models.ForeignKey) else field
    return value if value is None else target.to_python(value)


def _insert(model: type[models.Model], fields: "list[models.Field[Any, Any]]", rows: list[models.Model]) -> None:
    """As they are: `bulk_create` would write the time of now where a field says so."""
    most = connection.ops.bulk_batch_size(fields, rows) if rows else 1
    for at in range(0, len(rows), most):
        model._base_manager._insert(rows[at : at + most], fields=fields, using=connection.alias, raw=True)  # type: ignore[attr-defined]


def _store(path: Path, data: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        path.chmod(0o600)
        while piece := data.read(1 << 20):
            file.write(piece)
