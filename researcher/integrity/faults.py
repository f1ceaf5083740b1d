"""All faults that rows can show, those of the database itself first."""

from collections.abc import Iterator

from django.apps import apps
from django.db import connection
from django.db.models import Exists, ForeignKey, OuterRef

from annotation.audit.unchanging import triggers
from annotation.models import Act
from researcher.integrity.labels import MOST, read_label_faults
from researcher.integrity.records import read_record_faults


def read_faults() -> Iterator[str]:
    yield from _references()
    yield from _database()
    yield from _triggers()
    yield from read_label_faults()
    yield from read_record_faults()


def _references() -> Iterator[str]:
    """Those that lead nowhere. PostgreSQL looks at a reference when it is written, and never again."""
    for model in apps.get_models(include_auto_created=True):
        for field in model._meta.local_concrete_fields:
            if not isinstance(field, ForeignKey):
                continue
            there = field.related_model._base_manager.filter(**{field.target_field.name: OuterRef(field.attname)})
            lost = model._base_manager.exclude(**{field.attname: None}).filter(~Exists(there))
            if count := lost.order_by().count():
                whose = f"{model._meta.db_table}.{field.column}"
                yield f"References that lead nowhere, from {whose} to {field.related_model._meta.db_table}: {count:,}."


def _database() -> Iterator[str]:
    """On SQLite, what is broken in the file."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute(f"PRAGMA integrity_check({MOST})")
            yield from (f"The database file is damaged: {line}" for (line,) in cursor.fetchall() if line != "ok")


def _triggers() -> Iterator[str]:
    """What keeps acts from being changed and deleted. One that fires on a replica only is not there."""
    with connection.cursor() as cursor:
        query = (
            "SELECT tgname FROM pg_trigger WHERE tgenabled IN ('O', 'A')"
            if connection.vendor == "postgresql"
            else "SELECT name FROM sqlite_master WHERE type = 'trigger'"
        )
        cursor.execute(query)
        there = {name for (name,) in cursor.fetchall()}
    for name in triggers(Act._meta.db_table, connection.vendor):
        if name not in there:
            yield f"The database lets acts be changed or deleted: its trigger {name} is gone."
