"""Rows that the database itself lets nobody change or delete: triggers, for a migration.

Emptying the whole database (`manage.py flush`, TRUNCATE) is no change of a row. On SQLite a migration that alters the
table makes it anew, without its triggers: it ends with these again.
"""

from collections.abc import Callable
from typing import Any

SAID = "rows of %s are never changed and never deleted"


def install(table: str) -> Callable[[Any, Any], None]:
    """For `migrations.RunPython`."""

    def run(apps: Any, schema_editor: Any) -> None:
        for statement in _statements(table, schema_editor.connection.vendor):
            schema_editor.execute(statement, params=None)

    return run


def remove(table: str) -> Callable[[Any, Any], None]:
    def run(apps: Any, schema_editor: Any) -> None:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP FUNCTION {table}_stays CASCADE", params=None)
            return
        for verb in ("update", "delete"):
            schema_editor.execute(f"DROP TRIGGER {table}_no_{verb}", params=None)

    return run


def triggers(table: str, vendor: str) -> list[str]:
    """The names of those that are there as long as the rows stay."""
    return [f"{table}_stays"] if vendor == "postgresql" else [f"{table}_no_{verb}" for verb in ("update", "delete")]


def _statements(table: str, vendor: str) -> list[str]:
    said = SAID % table
    if vendor == "postgresql":
        raised = f"RAISE EXCEPTION '{said}' USING ERRCODE = 'integrity_constraint_violation'"
        return [
            f"CREATE FUNCTION {table}_stays() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {raised}; END $$",
            f"CREATE TRIGGER {table}_stays BEFORE UPDATE OR DELETE ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION {table}_stays()",
        ]
    if vendor == "sqlite":
        return [
            f"CREATE TRIGGER {table}_no_{verb} BEFORE {verb.upper()} ON {table} "
            f"BEGIN SELECT RAISE(ABORT, '{said}'); END"
            for verb in ("update", "delete")
        ]
    raise NotImplementedError(f"Rows that stay need SQLite or PostgreSQL, and this is {vendor}.")
