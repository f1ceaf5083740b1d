"""The flow: gold items of a pilot into a study that has not opened, each once, held to what a study file is held to."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from django.db import transaction

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.drafting.items import DraftRefused, add_items
from annotation.drafting.rows import read_rows
from annotation.gold.unanimous import LEAST, NoGold, unanimous
from annotation.itemfile import ItemRow
from annotation.models import Study
from corpus.provenance import digest

TWICE = "was taken before"
ASKED = "its text is in the study as another item"


@dataclass(frozen=True, slots=True)
class Taken:
    """`left_out` counts the pilot's other targets, by reason. `mixed_in`: gold items in a sitting, as declared."""

    added: int
    left_out: Mapping[str, int]
    mixed_in: int

    def __str__(self) -> str:
        added = "1 gold item added" if self.added == 1 else f"{self.added:,} gold items added"
        said = [added, *(f"{count:,} left out: {reason}" for reason, count in self.left_out.items())]
        none = " No gold is mixed into a sitting yet: set gold_per_sitting." if not self.mixed_in else ""
        return f"{'; '.join(said)}.{none}"


def take_gold(study: Study, pilot: Study, *, least: int = LEAST) -> Taken:
    """Add what all annotators of `pilot` agreed on to `study`, behind its items.

    Raises NoGold where that cannot be, and StudyFileError where the study does not say yet what gold needs.
    """
    if study.pk == pilot.pk:
        raise NoGold("A study cannot be its own pilot.")
    if (study.task_type, study.task_settings) != (pilot.task_type, pilot.task_settings):
        raise NoGold(f"{pilot.slug} asks another question than {study.slug}, or with other answers.")
    gold = unanimous(pilot, least=least)
    now = Study.objects.get(pk=study.pk)
    if now.has_opened:
        raise NoGold(f"{study.slug} has opened, and whoever has labeled did so with the gold that it had.")
    fresh, repeated = _fresh(gold.rows, read_rows(now))
    if fresh:
        try:
            with transaction.atomic():
                now = add_items(now, fresh)
                facts = {"gold items": len(fresh), "labels at least": least}
                record(now, Deed.GOLD_TAKEN, facts=facts, for_editors={"pilot": pilot.slug})
        except DraftRefused as refused:
            raise NoGold(str(refused)) from None
    return Taken(len(fresh), {**gold.left_out, **dict(sorted(repeated.items()))}, now.gold_per_sitting)


def _fresh(gold: tuple[ItemRow, ...], before: list[ItemRow]) -> tuple[list[ItemRow], Counter[str]]:
    """Those that are new, by id and by text: nobody is asked about one text twice."""
    names = {row.id for row in before}
    texts = {digest(row.content) for row in before}
    fresh: list[ItemRow] = []
    repeated: Counter[str] = Counter()
    for row in gold:
        text = digest(row.content)
        if row.id in names:
            repeated[TWICE] += 1
        elif text in texts:
            repeated[ASKED] += 1
        else:
            fresh.append(row)
            texts.add(text)
    return fresh, repeated
