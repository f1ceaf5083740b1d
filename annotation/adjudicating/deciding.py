"""A researcher decides which label an item gets, or that it cannot be decided; kept with who, when and on what."""

from django.db import transaction

from accounts.models import User
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Adjudication, Item, Study

LONGEST_NOTE = 1_000
UNDECIDED = "cannot be decided"


class DecisionRefused(ValueError):
    """A decision that was not stored. str() is a sentence for the researcher."""


def adjudicate(item: Item, decision: str, *, note: str, by: User, seen: int | None) -> Adjudication:
    """Store a decision, empty if it cannot be decided; an earlier one is kept and no longer stands.

    `seen` is the key of the decision that the researcher knew of, None if there was none. DecisionRefused if another
    stands by now, if the item does not have all its labels, or for a decision that is no label of the study.
    """
    with transaction.atomic():
        # Study first, then item: the order that annotation.assignment explains.
        Study.objects.select_for_update(no_key=True).get(pk=item.study_id)
        locked = item.study.items.select_for_update(no_key=True).complete().filter(pk=item.pk).first()
        if locked is None:
            raise DecisionRefused(f"{item.external_id} does not have all its labels yet.")
        if decision and decision not in item.study.task.scale.values:
            raise DecisionRefused(f"{decision!r} is not one of {', '.join(item.study.task.scale.values)}.")
        if len(note) > LONGEST_NOTE:
            raise DecisionRefused(f"The note is longer than {LONGEST_NOTE:,} characters.")
        standing = Adjudication.objects.filter(item=locked, stands=True).first()
        if (standing and standing.pk) != seen:
            raise DecisionRefused("Somebody has decided this item since you opened it. Look at it again.")
        if standing is not None and (standing.decision, standing.note) == (decision, note):
            return standing
        Adjudication.objects.filter(item=locked, stands=True).update(stands=False)
        before = "no decision" if standing is None else standing.decision or UNDECIDED
        facts = {"decision": [before, decision or UNDECIDED]}
        record(item.study, Deed.DECIDED, item.external_id, by=by, facts=facts)
        return Adjudication.objects.create(
            study_id=item.study_id, item=locked, decision=decision, note=note, tally=locked.tally, by=by
        )
