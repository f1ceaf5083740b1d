"""What a study has, and what of it waits for somebody."""

from dataclasses import dataclass

from django.db.models import Sum

from annotation.access.matrix import Right
from annotation.adjudicating import disputed, undecided
from annotation.models import Item, Sitting, Study
from annotation.paying.money import pay_of
from annotation.paying.queue import queue
from researcher.studies.revision import revisions_at


@dataclass(frozen=True, slots=True)
class Waiting:
    """`progress`: the share of the wanted labels that count, in words; empty where none are wanted."""

    progress: str = ""
    payments: int = 0
    ties: int = 0
    revisions: int = 0
    runs: int = 0


def read_waiting(study: Study, rights: frozenset[Right]) -> Waiting:
    """Of what the reader may see to, in sums and counts by an index."""
    sums = study.items.filter(kind=Item.Kind.TARGET).aggregate(labels=Sum("counted"), wanted=Sum("target"))
    percent = 100 * (sums["labels"] or 0) // sums["wanted"] if sums["wanted"] else None
    may_edit = Right.EDIT in rights
    return Waiting(
        progress="" if percent is None or not sums["labels"] else f"{percent}%",
        payments=_payments(study) if Right.PAY in rights else 0,
        ties=undecided(disputed(study)).count() if may_edit else 0,
        revisions=revisions_at(study)[0] if may_edit else 0,
        runs=study.runs.count(),
    )


def _payments(study: Study) -> int:
    """Submissions that nobody has decided on, where people are paid."""
    if pay_of(study) is None and not study.platform:
        return 0
    return queue(study).filter(state=Sitting.State.FINISHED, payment=Sitting.Payment.UNDECIDED).count()
