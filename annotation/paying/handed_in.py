"""What of the bonuses was handed in to the platform, by sitting."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db.models import Max, Sum

from annotation.models import BonusHandedIn


@dataclass(frozen=True, slots=True)
class HandedIn:
    """Of one sitting's bonus, and when the last part of it was."""

    amount: Decimal
    at: datetime


def handed_in(sittings: Iterable[int]) -> dict[int, HandedIn]:
    """By sitting, of those of which anything was."""
    rows = BonusHandedIn.objects.filter(sitting__in=sittings).order_by().values_list("sitting")
    sums = rows.annotate(amount=Sum("amount"), last=Max("at"))
    return {pk: HandedIn(amount, last) for pk, amount, last in sums if amount}
