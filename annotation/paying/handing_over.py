"""What a platform's own pages take: ids, one a line, and bonuses as `id,amount`.

A platform pays a line as often as it is handed in. So whoever takes a list of bonuses marks them as handed in, and the
next list has only what was set since.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from annotation.models import BonusHandedIn, Sitting
from annotation.paying.deciding import latest
from annotation.paying.handed_in import handed_in
from annotation.paying.lines import with_ids

BATCH = 500


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The lines, and of how many sittings there is none: because no id is kept, or what is due was handed in before."""

    lines: tuple[str, ...]
    without_id: int
    before: int = 0

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


def ids(sittings: "QuerySet[Sitting]") -> HandedOver:
    """Each id once, for bulk approval."""
    rows = [one.annotator.given_id for one in with_ids(sittings)]
    return HandedOver(tuple(dict.fromkeys(row for row in rows if row)), rows.count(""))


def hand_in_bonuses(sittings: "QuerySet[Sitting]", *, by: User | None) -> HandedOver:
    """As Prolific's bulk bonus payment takes them, without a header: what is due of each, marked as handed in."""
    lines, without_id, before = [], 0, 0
    with transaction.atomic():
        for batch in _locked(sittings):
            marks = []
            for one, bonus, done in _with_bonus(batch):
                if bonus <= done:
                    before += 1
                elif not one.annotator.given_id:
                    without_id += 1
                else:
                    lines.append(f"{one.annotator.given_id},{bonus - done:.2f}")
                    marks.append(BonusHandedIn(sitting=one, amount=bonus - done, by=by))
            BonusHandedIn.objects.bulk_create(marks)
    return HandedOver(tuple(lines), without_id, before)


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
    return count


def _locked(sittings: "QuerySet[Sitting]") -> Iterator[list[Sitting]]:
    """So that of two lists at once the second waits, and sees what the first has marked. The caller's transaction."""
    pks = list(sittings.values_list("pk", flat=True))
    for start in range(0, len(pks), BATCH):
        batch = pks[start : start + BATCH]
        list(Sitting.objects.select_for_update(no_key=True).filter(pk__in=batch).order_by("pk"))
        found = with_ids(Sitting.objects.all()).in_bulk(batch)
        yield [found[pk] for pk in batch]


def _with_bonus(sittings: list[Sitting]) -> Iterator[tuple[Sitting, Decimal, Decimal]]:
    """Each that has a bonus, how much, and what of it was handed in."""
    pks = [one.pk for one in sittings]
    held, marks = latest(pks), handed_in(pks)
    for one in sittings:
        if one.pk in held and (bonus := held[one.pk].bonus):
            yield one, bonus, marks[one.pk].amount if one.pk in marks else Decimal(0)
