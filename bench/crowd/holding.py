"""What must hold whatever the crowd does: exactly k labels, none lost, none doubled, everybody's own code.

Each function gives sentences on what does not hold; none, where all does.
"""

from collections import Counter, defaultdict
from dataclasses import dataclass

from django.db.models import Count, Q

from annotation.models import Assignment, Exclusion, Item, Judgment, Sitting, Study
from annotation.platforms.contract import Outcome
from bench.crowd.study import CODES
from bench.crowd.walk import Visit


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
