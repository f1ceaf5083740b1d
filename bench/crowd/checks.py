"""What must hold whatever the crowd does: exactly k labels, none lost, none doubled, everybody's own code and payment.

Each function gives sentences on what does not hold; none, where all does. Payment is the queue's own answer beside
what the participants went through, and then the verbs themselves.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass
from decimal import Decimal

from django.db.models import Count, Q

from annotation.models import Assignment, Exclusion, Item, Judgment, Sitting, Study
from annotation.paying import deciding, handing_over
from annotation.paying.deciding import NotPayable
from annotation.paying.lines import all_lines
from annotation.paying.money import pay_of
from annotation.paying.queue import KEPT, QueueFilter, queue, to_approve
from annotation.platforms import Outcome
from bench.crowd.study import CODES
from bench.crowd.walk import Visit

MESSAGE = (
    "A message of the length that Prolific asks for in a rejection, and it asks for a hundred characters at least."
)


@dataclass(frozen=True, slots=True)
class Standing:
    """A visit as the database has it. `rule` is that of the exclusion in force; empty, where there is none."""

    visit: Visit
    sitting: Sitting | None
    rule: str
    offered: int
    counted: int

    @property
    def was_judged(self) -> bool:
        """Whether the policy had answers to judge."""
        return bool(self.visit.answers)

    @property
    def ought(self) -> Outcome | None:
        """How it ought to end for somebody like this, by what they did and by what the policy says; None: not."""
        if self.sitting is None:
            return Outcome.QUOTA_FULL
        if self.visit.person.ends is not None:
            return self.visit.person.ends
        if not self.offered:
            return Outcome.QUOTA_FULL
        if self.visit.left:
            return None
        return Outcome.FAILED_CHECKS if self.rule else Outcome.COMPLETED

    @property
    def ends_right(self) -> bool:
        """The outcome, the code that they read, and the address that hands it in."""
        visit, ought = self.visit, self.ought
        stored = self.sitting.outcome if self.sitting is not None else ought
        if ought is None:
            return visit.code == stored == ""
        return visit.leads_back and visit.code == CODES[ought] and stored == ought

    @property
    def code_again(self) -> str:
        """What they ought to read who come once more after the end: there is nothing for them."""
        return CODES[Outcome.SCREENED_OUT if self.rule else Outcome.QUOTA_FULL]


def standings(study: Study, visits: list[Visit]) -> list[Standing]:
    ids = _ids(study)
    sittings = {ids[one.annotator_id]: one for one in study.sittings.all()}
    excluded = Exclusion.objects.in_force().filter(study=study).values_list("annotator", "rule")
    rules = {ids[annotator]: rule for annotator, rule in excluded}
    counts = Count("pk", filter=Q(state=Assignment.State.COUNTED, item__kind=Item.Kind.TARGET))
    given_out = Assignment.objects.filter(sitting__study=study).order_by()
    rows = given_out.values_list("annotator").annotate(offered=Count("pk"), counted=counts)
    work = {ids[annotator]: (offered, counted) for annotator, offered, counted in rows}
    return [
        Standing(one, sittings.get(one.person.id), rules.get(one.person.id, ""), *work.get(one.person.id, (0, 0)))
        for one in visits
    ]


def _ids(study: Study) -> dict[int, str]:
    """What the platform calls each annotator."""
    return dict(study.platform_ids.values_list("annotator", "value"))


def faults_of_items(study: Study) -> list[str]:
    """Every target has exactly its number of labels that count: by its own count, by its tally and by the rows."""
    counting = Assignment.objects.filter(sitting__study=study, state=Assignment.State.COUNTED)
    rows = Counter(counting.values_list("item", flat=True))
    found = []
    for item in study.items.filter(kind=Item.Kind.TARGET):
        counts = {item.counted, rows[item.pk], sum(item.tally.values())}
        if counts != {item.target} or item.reserved:
            found.append(f"{item.external_id}: {counts} labels and {item.reserved} slots held, of {item.target}")
    return found


def faults_of_labels(study: Study, visits: list[Visit]) -> list[str]:
    """What was acknowledged is stored, once and as it was given; and nothing else is."""
    stored: dict[str, dict[str, str]] = defaultdict(dict)
    rows = Judgment.objects.filter(assignment__sitting__study=study).values_list(
        "assignment__annotator", "assignment__item__external_id", "answer"
    )
    ids, found = _ids(study), []
    for annotator, item, answer in rows:
        given = ids[annotator]
        if item in stored[given]:
            found.append(f"{given} has two labels on {item}")
        stored[given][item] = answer
    for visit in visits:
        mine = stored.pop(visit.person.id, {})
        wrong = sorted(item for item, _ in mine.items() ^ visit.answers.items())
        if wrong:
            found.append(f"{visit.person.name} {visit.person.id}: otherwise than acknowledged: {', '.join(wrong)}")
    return found + [f"labels of {given}, who never came" for given in stored]


def faults_of_ends(study: Study, found: list[Standing]) -> list[str]:
    """Everybody's outcome and code; one sitting each; nothing for a second visit or another browser."""
    ids = _ids(study)
    begun = Counter(ids[annotator] for annotator in study.sittings.values_list("annotator", flat=True))
    wrong = [f"{given} has {count} sittings" for given, count in begun.items() if count > 1]
    for one in found:
        visit, who = one.visit, f"{one.visit.person.name} {one.visit.person.id}"
        if not one.ends_right:
            outcome = one.sitting.outcome if one.sitting is not None else "no sitting"
            wrong.append(f"{who}: ended as {outcome or 'not finished'} with code {visit.code!r}, ought to {one.ought}")
        if visit.code_again not in (None, one.code_again):
            wrong.append(f"{who} came again and read the code {visit.code_again!r}")
        if not all(visit.strangers):
            wrong.append(f"{who}: another browser was told something")
        wrong += [f"{who}: {trouble}" for trouble in visit.troubles]
    return wrong


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
    chosen = to_approve(study, QueueFilter(Outcome.COMPLETED, verdict=KEPT))
    approved = deciding.approve(chosen, by=None).count
    listed = {one for (one,) in handing_over.ids(queue(study), Sitting.Payment.APPROVED).rows}
    faults += [f"{one} is listed as approved or not, wrongly" for one in listed ^ theirs]
    if approved != len(theirs) or deciding.approve(queue(study, QueueFilter(decision="approved")), by=None).count:
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
    declined = queue(study, QueueFilter(Outcome.NO_CONSENT))
    if deciding.approve(declined, by=None).count:
        wrong.append("somebody who declined was approved")
    screened = queue(study, QueueFilter(Outcome.SCREENED_OUT))
    try:
        deciding.reject(study, screened, reason="LOW_EFFORT", message=MESSAGE, by=None)
    except NotPayable:
        return wrong
    return [*wrong, "somebody who failed the comprehension questions could be rejected"] if screened else wrong
