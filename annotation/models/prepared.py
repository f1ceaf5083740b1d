"""Queries of one shape with other values, whose SQL is worked out once: compiling the queries of an answer takes Django
longer than running them takes the database.

    BY_TOKEN = Prepared(lambda token: Sitting.objects.select_related("study").filter(token=token))
    BY_TOKEN.first("k3Jx…")

The rows are those that the query set would have given, made by Django's own code of 5.2 from the same SQL.
"""

from collections.abc import Callable
from copy import copy
from dataclasses import dataclass
from inspect import signature
from types import SimpleNamespace
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import QuerySet, Value
from django.db.models.sql.compiler import SQLCompiler
from django.db.transaction import TransactionManagementError

Row = TypeVar("Row")


@dataclass(frozen=True, slots=True)
class _Place:
    """Among the parameters of a statement: here comes the value with this number."""

    number: int


@dataclass(frozen=True, slots=True)
class _Statement:
    queryset: QuerySet[Any, Any]
    compiler: SQLCompiler
    sql: str
    parameters: tuple[Any, ...]
    converters: dict[int, Any]


class Prepared(Generic[Row]):
    """`build` makes the query set, the same for all values, which are numbers and texts."""

    def __init__(self, build: Callable[..., "QuerySet[Any, Row]"]) -> None:
        self._build = build
        self._statement: _Statement | None = None

    def rows(self, *values: int | str) -> list[Row]:
        """Raises TransactionManagementError where rows are to be locked outside of a transaction."""
        statement = self._statement = self._statement or _compiled(self._build)
        connection = connections[DEFAULT_DB_ALIAS]
        if statement.queryset.query.select_for_update and not connection.in_atomic_block:
            raise TransactionManagementError("Rows are locked in a transaction only.")
        given = tuple(values[one.number] if isinstance(one, _Place) else one for one in statement.parameters)
        # What was found out while compiling stays on the copy; another thread has a connection of its own.
        compiler: Any = copy(statement.compiler)
        compiler.connection = connection
        compiler.as_sql = lambda: (statement.sql, given)
        compiler.get_converters = lambda _: statement.converters
        # What Django's iterables read of a query set.
        source = SimpleNamespace(
            db=DEFAULT_DB_ALIAS,
            model=statement.queryset.model,
            query=SimpleNamespace(get_compiler=lambda *_, **__: compiler),
            _known_related_objects={},
        )
        iterable: Any = statement.queryset._iterable_class
        return list(iterable(source))

    def first(self, *values: int | str) -> Row | None:
        """The first row, or None where there is none."""
        return next(iter(self.rows(*values)), None)

    def get(self, *values: int | str) -> Row:
        """The one row that there is. Raises ValueError where there is none, or there are several."""
        (found,) = self.rows(*values)
        return found


def _compiled(build: Callable[..., "QuerySet[Any, Any]"]) -> _Statement:
    places = [Value(_Place(number)) for number in range(len(signature(build).parameters))]
    queryset = build(*places)
    compiler = queryset.query.get_compiler(using=DEFAULT_DB_ALIAS)
    sql, parameters = compiler.as_sql()
    converters = compiler.get_converters([expression for expression, *_ in compiler.select[: compiler.col_count]])
    return _Statement(queryset, compiler, sql, tuple(parameters), converters)
