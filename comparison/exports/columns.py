"""Columns as the database holds them, and how they are written: a model object a line costs more than its text."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet, TextField
from django.db.models.functions import Cast

from comparison.exports.cells import cell_line

_json = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode


def text_of(column: str) -> Cast:
    """A moment or a JSON value as text: most lines have the same, which is then read once."""
    return Cast(column, TextField())


def fetched(rows: QuerySet[Any, Any]) -> list[tuple[Any, ...]]:
    """All rows as the database's driver gives them, which is faster; for columns of numbers and texts."""
    try:
        sql, values = rows.query.sql_with_params()
    except EmptyResultSet:
        # Django sees that nothing can fit, and asks the database nothing.
        return []
    with connection.cursor() as cursor:
        cursor.execute(sql, values)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


@lru_cache(maxsize=4096)
def moment(text: str | None) -> str:
    """A moment in ISO 8601. SQLite holds it without its zone, which is UTC."""
    if text is None:
        return ""
    found = datetime.fromisoformat(text)
    return (found if found.tzinfo else found.replace(tzinfo=UTC)).isoformat()


@lru_cache(maxsize=4096)
def order_shown(presentation: str) -> str:
    return cell_line(" ".join(json.loads(presentation).get("order", [])))


def read_all(texts: Sequence[str]) -> list[Any]:
    """JSON values, each of which the database holds as text."""
    found: list[Any] = json.loads(f"[{','.join(texts)}]")
    return found


def json_cell(value: Mapping[str, Any]) -> str:
    """A JSON value with its names in order."""
    return _json(value)
