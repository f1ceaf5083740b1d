"""Who is paid: the queue's own answer beside what the participants went through, and then the verbs themselves."""

from dataclasses import dataclass
from decimal import Decimal

from annotation.models import Item, Sitting, Study
from annotation.paying import deciding, handing_over
from annotation.paying.deciding import NotPayable
from annotation.paying.lines import all_lines
from annotation.paying.money import pay_of
from annotation.paying.queue import KEPT, Asked, queue, to_approve
from annotation.platforms.contract import Outcome
from bench.crowd.holding import Standing
from bench.crowd.study import CODES

MESSAGE = (
    "A message of the length that Prolific asks for in a rejection, and it asks for a hundred characters at least."
)


@dataclass(frozen=True, slots=True)
class Paid:
    """Sittings by decision, and the sum. `deserving`: approved, and of somebody who read; `waiting`: who read and came
    to the end, but is excluded, and waits for a researcher's decision.
    """

    approved: int
    total: Decimal
    deserving: int
    waiting: int
    faults: list[str]


def pay(study: Study, found: list[Standing]) -> Paid:
    """Approve who came to the end and was not excluded."""
    faults = [*_lines(study, found), *_never(study)]
    theirs = {one.visit.person.id for one in found if one.visit.code == CODES[Outcome.COMPLETED] and not one.rule}
    chosen = to_approve(study, Asked(Outcome.COMPLETED, verdict=KEPT))
    approved = deciding.approve(chosen, by=None).count
    listed = {one for (one,) in handing_over.ids(queue(study), Sitting.Payment.APPROVED).rows}
    faults += [f"{one} is listed as approved or not, wrongly" for one in listed ^ theirs]
    if approved != len(theirs) or deciding.approve(queue(study, Asked(decision="approved")), by=None).count:
        faults.append(f"{approved} approvals of {len(theirs)}, or some of them twice")
    amount = pay_of(study)
    assert amount is not None  # the study file says it
    paid = study.sittings.filter(payment=Sitting.Payment.APPROVED).count()
    done = [one for one in found if one.was_judged and one.visit.code and one.visit.person.persona.reads]
    return Paid(
        approved=paid,
        total=amount * paid,
        deserving=sum(not one.rule for one in done),
        waiting=sum(bool(one.rule) for one in done),
        faults=faults,
    )


def _lines(study: Study, found: list[Standing]) -> list[str]:
    """Each line of the queue has the code that its participant read, and counts their answers, practice apart."""
    practice = set(study.items.filter(kind=Item.Kind.PRACTICE).values_list("external_id", flat=True))
    lines = {one.given_id: one for one in all_lines(study, queue(study), pay=pay_of(study))}
    begun = {one.visit.person.id: one for one in found if one.sitting is not None}
    wrong = [f"{one} is in the queue or not, wrongly" for one in lines.keys() ^ begun.keys()]
    for given, one in begun.items():
        line = lines.get(given)
        said = None if line is None else (line.code, line.answered, line.verdict == KEPT)
        seen = (one.visit.code, len(one.visit.answers.keys() - practice), not one.rule)
        if said != seen:
            wrong.append(f"{given}: the queue says {said}, and it was {seen}")
    return wrong


def _never(study: Study) -> list[str]:
    """Nobody is paid for having declined, and nobody rejected for not having understood."""
    wrong = []
    declined = queue(study, Asked(Outcome.NO_CONSENT))
    if deciding.approve(declined, by=None).count:
        wrong.append("somebody who declined was approved")
    screened = queue(study, Asked(Outcome.SCREENED_OUT))
    try:
        deciding.reject(study, screened, reason="LOW_EFFORT", message=MESSAGE, by=None)
    except NotPayable:
        return wrong
    return [*wrong, "somebody who failed the comprehension questions could be rejected"] if screened else wrong
