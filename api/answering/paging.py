"""Rows a page at a time: each page begins behind the last row of the one before, so that no row is counted past."""

import base64
import binascii
import json
from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any

from django.db.models import QuerySet
from ninja import Path, Schema
from pydantic import Field

from api.answering.documents import encoded
from api.answering.faults import Refused
from comparison.exports.cells import fetched
from corpus.errors import Fault

MOST_ROWS = 10_000
# So many sittings, or runs, are asked for their rows at once.
OUTER = 200
LARGEST = 2**63 - 1
Row = tuple[Any, ...]
# In an address: the number of a row, as large as a database's may be.
Number = Annotated[int, Path(ge=1, le=LARGEST)]


class Paging(Schema):
    """The page of a list to return."""

    cursor: str = Field("", max_length=200, description="`next` of the previous page; leave out for the first.")
    limit: int = Field(1_000, ge=1, le=MOST_ROWS, description="Maximum rows per page.")

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
                "The cursor does not belong to this list.",
                faults=[Fault("cursor", "must be `next` of the previous page, unchanged")],
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


def rows_within(
    rows: QuerySet[Any, Any], paging: Paging, outer: str, inner: str, *, of: QuerySet[Any, Any]
) -> tuple[list[Row], bool]:
    """The rows of the page by two keys, as an index has them: first the rest of where the last page ended.

    The outer keys are those `of` these rows, named some at a time: were they joined, every page would have all that is
    left sorted.
    """
    found: list[Row] = []
    wanted = paging.limit + 1
    if after := paging.after(2):
        # A cursor is anybody's to write: of another study's rows it begins behind nothing.
        rest = rows.filter(**{f"{outer}__in": list(of.filter(pk=after[0]).values_list("pk", flat=True))})
        found = fetched(rest.filter(**{f"{inner}__gt": after[1]}).order_by(inner)[:wanted])
        of = of.filter(pk__gt=after[0])
    keys = of.order_by("pk").values_list("pk", flat=True).iterator(chunk_size=OUTER)
    while len(found) < wanted and (some := list(islice(keys, OUTER))):
        among = rows.filter(**{f"{outer}__in": some}).order_by(outer, inner)
        found += fetched(among[: wanted - len(found)])
    return found[: paging.limit], len(found) > paging.limit


def page_of(rows: Sequence[dict[str, Any]], following: str | None) -> bytes:
    return encoded({"data": rows, "next": following})


def _key(part: object) -> bool:
    return isinstance(part, int) and not isinstance(part, bool) and 0 <= part <= LARGEST
