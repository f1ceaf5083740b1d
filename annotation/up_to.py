"""How many rows there are, counted no further than a page needs to say."""

from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet


@dataclass(frozen=True, slots=True)
class UpTo:
    """`count` is at most one more than `most`, however many rows there are."""

    count: int
    most: int

    def __bool__(self) -> bool:
        return bool(self.count)

    def __str__(self) -> str:
        return f"{self.count:,}" if self.count <= self.most else f"more than {self.most:,}"

    @property
    def short(self) -> str:
        """As a button says it."""
        return f"{self.count:,}" if self.count <= self.most else f"{self.most:,}+"


def up_to(rows: "QuerySet[Any, Any]", most: int) -> UpTo:
    return UpTo(rows.order_by()[: most + 1].count(), most)
