"""What a platform's own pages take: ids of those approved, or rejected, and bonuses as id and amount.

A platform pays a line as often as it is handed in. So whoever takes a list of bonuses marks them as handed in, and the
next list has only what was set since.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.db import transaction
from django.db.models import F, Max, QuerySet, Sum

from accounts.models import User
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import BonusHandedIn, Sitting, Study
from annotation.paying.deciding import latest

BATCH = 500


@dataclass(frozen=True, slots=True)
class HandedOver:
    """What stands on each line, and of how many sittings there is none: because no id is kept, what is due was handed
    in before, or something else was decided.
    """

    rows: tuple[tuple[str, ...], ...]
    without_id: int
    before: int = 0
    decided_otherwise: int = 0


def ids(sittings: "QuerySet[Sitting]", payment: str, *, by: User | None = None) -> HandedOver:
    """Each id once, of those of whom this was decided here: the platform does the same to every id that it is given."""
    chosen = sittings.filter(payment=payment)
    pks = chosen.values_list("pk", flat=True)
    given = ids_by_sitting(pks)
    rows = tuple((one,) for one in dict.fromkeys(given[pk] for pk in pks if pk in given))
    with transaction.atomic():
        _record(sittings, Deed.HANDED_OVER, f"ids of those {payment}", len(rows), by=by)
    return HandedOver(rows, len(pks) - len(given), decided_otherwise=sittings.exclude(payment=payment).count())


def hand_in_bonuses(sittings: "QuerySet[Sitting]", *, by: User | None) -> HandedOver:
    """Id and amount, as Prolific's bulk bonus payment takes them: what is due of each, marked as handed in."""
    rows, without_id, before = [], 0, 0
    with transaction.atomic():
        for batch in _locked(sittings):
            marks, given = [], ids_by_sitting([one.pk for one in batch])
            for one, bonus, done in _with_bonus(batch):
                if bonus <= done:
                    before += 1
                elif one.pk not in given:
                    without_id += 1
                else:
                    rows.append((given[one.pk], f"{bonus - done:.2f}"))
                    marks.append(BonusHandedIn(sitting=one, amount=bonus - done, by=by))
            BonusHandedIn.objects.bulk_create(marks)
        _record(sittings, Deed.HANDED_OVER, "bonuses", len(rows), by=by)
    return HandedOver(tuple(rows), without_id, before)


def was_not_handed_in(sittings: "QuerySet[Sitting]", *, by: User | None) -> int:
    """Take the marks back: the next list has these bonuses again. Returns of how many sittings."""
    count = 0
    with transaction.atomic():
        for batch in _locked(sittings):
            marks = handed_in([one.pk for one in batch])
            BonusHandedIn.objects.bulk_create(
                BonusHandedIn(sitting_id=pk, amount=-found.amount, by=by) for pk, found in marks.items()
            )
            count += len(marks)
        _record(sittings, Deed.NOT_HANDED_IN, "bonuses", count, by=by)
    return count


def _record(sittings: "QuerySet[Sitting]", deed: Deed, subject: str, lines: int, *, by: User | None) -> None:
    """In the caller's transaction. A list of nothing is none."""
    if lines:
        for study in Study.objects.filter(pk__in=sittings.order_by().values("study")):
            record(study, deed, subject, by=by, facts={"lines": lines})


def _locked(sittings: "QuerySet[Sitting]") -> Iterator[list[Sitting]]:
    """So that of two lists at once the second waits, and sees what the first has marked. The caller's transaction."""
    pks = list(sittings.values_list("pk", flat=True))
    for start in range(0, len(pks), BATCH):
        batch = pks[start : start + BATCH]
        list(Sitting.objects.select_for_update(no_key=True).filter(pk__in=batch).order_by("pk"))
        found = Sitting.objects.in_bulk(batch)
        yield [found[pk] for pk in batch]


def _with_bonus(sittings: list[Sitting]) -> Iterator[tuple[Sitting, Decimal, Decimal]]:
    """Each that has a bonus, how much, and what of it was handed in."""
    pks = [one.pk for one in sittings]
    held, marks = latest(pks), handed_in(pks)
    for one in sittings:
        if one.pk in held and (bonus := held[one.pk].bonus):
            yield one, bonus, marks[one.pk].amount if one.pk in marks else Decimal(0)


def ids_by_sitting(sittings: Iterable[int]) -> dict[int, str]:
    """By sitting, of those of which one is kept."""
    kept = Sitting.objects.filter(pk__in=sittings, study__platform_ids__annotator=F("annotator"))
    return dict(kept.order_by().values_list("pk", "study__platform_ids__value"))


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
