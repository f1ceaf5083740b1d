"""What a platform's own pages take: ids, one a line, and bonuses as `id,amount`."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from annotation.models import Sitting
from annotation.paying.deciding import latest
from annotation.paying.lines import with_ids

BATCH = 500


@dataclass(frozen=True, slots=True)
class HandedOver:
    """The lines, and of how many sittings there is none because no id is kept."""

    lines: tuple[str, ...]
    without_id: int

    @property
    def text(self) -> str:
        return "".join(f"{line}\n" for line in self.lines)


def ids(sittings: "QuerySet[Sitting]") -> HandedOver:
    """Each id once, for bulk approval."""
    rows = [one.annotator.given_id for one in with_ids(sittings)]
    return HandedOver(tuple(dict.fromkeys(row for row in rows if row)), rows.count(""))


def bonuses(sittings: "QuerySet[Sitting]") -> HandedOver:
    """As Prolific's bulk bonus payment takes them, without a header; of those that have one."""
    found = list(with_ids(sittings))
    lines, without_id = [], 0
    for start in range(0, len(found), BATCH):
        batch = found[start : start + BATCH]
        for one, bonus in _with_bonus(batch):
            if one.annotator.given_id:
                lines.append(f"{one.annotator.given_id},{bonus}")
            else:
                without_id += 1
    return HandedOver(tuple(lines), without_id)


def _with_bonus(sittings: Sequence[Sitting]) -> list[tuple[Sitting, str]]:
    held = latest([one.pk for one in sittings])
    return [(one, f"{held[one.pk].bonus:.2f}") for one in sittings if one.pk in held and held[one.pk].bonus]
