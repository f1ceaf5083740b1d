"""Rows a page at a time: each page begins behind the last row of the one before, so that no row is counted past."""

import base64
import binascii
import json
from collections.abc import Sequence
from typing import Annotated, Any

from django.db.models import QuerySet
from ninja import Path, Schema
from pydantic import Field

from api.answering.documents import encoded
from api.answering.faults import Refused
from comparison.exports.columns import fetched
from corpus.errors import Fault

MOST_ROWS = 10_000
LARGEST = 2**63 - 1
Row = tuple[Any, ...]
# In an address: the number of a row, as large as a database's may be.
Number = Annotated[int, Path(ge=1, le=LARGEST)]


class Paging(Schema):
    """Which page of a list."""

    cursor: str = Field("", max_length=200, description="`next` of the page before; none for the first.")
    limit: int = Field(1_000, ge=1, le=MOST_ROWS, description="Rows of a page, at most.")

    def after(self, parts: int = 1) -> tuple[int, ...]:
        """The key that the page begins behind; empty for the first page. Refused for what was no page's `next`."""
        if not self.cursor:
            return ()
        try:
            found = json.loads(base64.b64decode(self.cursor.encode("ascii"), altchars=b"-_", validate=True))
        except (ValueError, binascii.Error, RecursionError):
            found = None
        if not isinstance(found, list) or len(found) != parts or not all(_key(part) for part in found):
            raise Refused(
                422,
                "The cursor is of no page of this list.",
                faults=[Fault("cursor", "must be `next` of the page before, as it was given")],
            )
        return tuple(found)


def cursor_of(*key: int) -> str:
    return base64.urlsafe_b64encode(json.dumps(key).encode()).decode()


def rows_after(rows: QuerySet[Any, Any], paging: Paging, key: str = "pk") -> tuple[list[Row], bool]:
    """The rows of the page, by one key; whether there are more behind them."""
    if after := paging.after():
        rows = rows.filter(**{f"{key}__gt": after[0]})
    found = fetched(rows.order_by(key)[: paging.limit + 1])
    return found[: paging.limit], len(found) > paging.limit


def rows_within(rows: QuerySet[Any, Any], paging: Paging, outer: str, inner: str) -> tuple[list[Row], bool]:
    """The same by two keys, as an index has them: first the rest of where the last page ended."""
    found: list[Row] = []
    wanted = paging.limit + 1
    if after := paging.after(2):
        rest = rows.filter(**{outer: after[0], f"{inner}__gt": after[1]})
        found = fetched(rest.order_by(inner)[:wanted])
        rows = rows.filter(**{f"{outer}__gt": after[0]})
    if len(found) < wanted:
        found += fetched(rows.order_by(outer, inner)[: wanted - len(found)])
    return found[: paging.limit], len(found) > paging.limit


def page_of(rows: Sequence[dict[str, Any]], following: str | None) -> bytes:
    return encoded({"data": rows, "next": following})


def _key(part: object) -> bool:
    return isinstance(part, int) and not isinstance(part, bool) and 0 <= part <= LARGEST
