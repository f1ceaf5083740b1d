"""How PostgreSQL answers what a page asks: each query once more under EXPLAIN (ANALYZE, BUFFERS)."""

import json
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from django.db import IntegrityError, connection, transaction

from bench.queries.made import BIG

# Rows that a node may read of a large table for one visit.
FEW = 5_000
NAMES = re.compile(r'"(annotation|scoring|accounts|researcher|work|training|api|django)_(\w+)"')


@dataclass(frozen=True, slots=True)
class Asked:
    """One query: its node that reads the most rows of a large table, how many those are, and its milliseconds.

    `scans`: whether it reads a large table without an index.
    """

    sql: str
    ms: float
    node: str
    rows: float
    scans: bool

    @property
    def is_fault(self) -> bool:
        return self.scans or self.rows > FEW

    @property
    def short(self) -> str:
        """Which tables it is of, and its condition in few words."""
        tables = list(dict.fromkeys(match[2] for match in NAMES.finditer(self.sql)))
        verb = "count" if "COUNT(" in self.sql else "sum" if "SUM(" in self.sql else self.sql.split()[0].lower()
        return f"{verb}: {', '.join(tables[:3])}"


@dataclass(slots=True)
class Capture:
    """Every statement that reads, as it was sent."""

    sent: list[tuple[str, Any]] = field(default_factory=list)

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: Any, context: Any) -> Any:
        if not many and sql.lstrip().upper().startswith(("SELECT", "UPDATE")):
            self.sent.append((sql, params))
        return execute(sql, params, many, context)


@contextmanager
def captured() -> Iterator[Capture]:
    found = Capture()
    with connection.execute_wrapper(found):
        yield found


def explained(found: Capture) -> list[Asked]:
    """Each statement once, as it would be answered now; nothing is changed."""
    seen: dict[str, Asked] = {}
    for sql, params in found.sent:
        if sql in seen or "pg_" in sql:
            continue
        # What would reserve a place a second time is refused.
        with suppress(IntegrityError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) {sql}", params)
            told = cursor.fetchone()[0]
            seen[sql] = _read(sql, (json.loads(told) if isinstance(told, str) else told)[0])
            transaction.set_rollback(True)
    return list(seen.values())


def _read(sql: str, plan: dict[str, Any]) -> Asked:
    nodes = list(_nodes(plan["Plan"]))
    large = [one for one in nodes if one.get("Relation Name") in BIG]
    most = max(large, key=_rows, default=None)
    scans = any(one["Node Type"] in ("Seq Scan", "Parallel Seq Scan") and _rows(one) > FEW for one in large)
    if most is None:
        return Asked(sql, plan["Execution Time"], plan["Plan"]["Node Type"], 0, scans)
    name = f"{most['Node Type']} {most.get('Index Name', most['Relation Name'])}"
    return Asked(sql, plan["Execution Time"], name, _rows(most), scans)


def _nodes(plan: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield plan
    for below in plan.get("Plans", ()):
        yield from _nodes(below)


def _rows(node: dict[str, Any]) -> float:
    """That it read, also those that it left out."""
    each = node.get("Actual Rows", 0) + node.get("Rows Removed by Filter", 0)
    return float(each * node.get("Actual Loops", 1))
