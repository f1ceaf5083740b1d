"""Quality control as the study declares it: evidence, verdict, and what a verdict does to labels.

Excluded labels stay stored and stop counting. What then becomes of an item is for the study to say: its slot reopens,
or the item is dropped with all of its labels. Where labels began or stopped to count, the verdicts that hang on them
are looked at again, so that who came first makes no difference. A row or a pattern is judged by what others say of the
very same items, and they may come later, or be excluded later. So whoever has one that is longer than the policy allows
is kept (Repeater), and held against the policy again whenever labels on their items have begun or stopped to count.
What is read grows with those labels, not with the study.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Annotator, Assignment, Exclusion, Item, Repeater, Sitting, Study
from annotation.platforms import Outcome
from annotation.quality.policy import Policy
from annotation.quality.rerun import answered, read_answers, rejudge
from annotation.quality.rules import REPETITION, Answer, Evidence, held_against
from annotation.webhooks.outbox import end_sittings


@dataclass(frozen=True, slots=True)
class Due:
    """A verdict to be passed, with its evidence; or, without one, to be lifted."""

    annotator: int
    evidence: Evidence | None


def evidence(study: Study, annotator: Annotator) -> Evidence:
    """What is known of the annotator's answers in the study, by its policy."""
    return evidence_with(study, annotator, ())


def evidence_with(study: Study, annotator: Annotator | None, given: Iterable[tuple[Item, str]]) -> Evidence:
    """What is known of stored answers and of those in `given`, which are not stored yet; a new annotator is None."""
    policy = study.policy
    stored: list[Answer] = []
    if annotator is not None:
        stored = [one for _, one in read_answers(answered(study).filter(annotator=annotator), policy)]
    fresh = [
        Answer(item=item.external_id, kind=item.kind, answer=said, reference=item.reference) for item, said in given
    ]
    return held_against(policy, stored + fresh, study.task.scale)


def apply_policy(study: Study, annotator: Annotator) -> None:
    """Exclude the annotator if the answers so far break a rule. Their sitting ends with this.

    A verdict that a researcher has lifted is not passed again. Others whose verdict hangs on these answers are judged
    again.
    """
    with transaction.atomic():
        _judge(study, annotator)
        look_again(study, {annotator.pk}, ending=annotator.pk)


def _judge(study: Study, annotator: Annotator) -> None:
    """By the annotator's own answers. What hangs on others is judged together with them, the worst first."""
    if study.exclusions.decided().filter(annotator=annotator).exists():
        return
    found = evidence(study, annotator)
    if found.hangs_on_others:
        Repeater.objects.get_or_create(study=study, annotator=annotator)
    if found.broken_rule is not None and found.broken_rule not in REPETITION:
        _lock(study, annotator)
        _exclude(study, annotator, rule=found.broken_rule, evidence=found.as_json())


def look_again(study: Study, annotators: Collection[int] | None = None, *, ending: int | None = None) -> None:
    """Where labels of these annotators (None: of many) began or stopped to count: pass, or lift, the verdicts that hang
    on them, and lift those that hang on these in turn. Outcomes stay: they are what people were told.
    """
    policy = study.policy
    if not policy.orders:
        return
    with transaction.atomic():
        Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        waiting = everybody(study) if annotators is None else sharing(study, annotators, ending=ending)
        # Only they are excluded now. Whoever looks repetitive once a neighbor's labels are gone waits for the labels
        # that come in their place: else the two may acquit one another in turn, for ever.
        accused = set(rejudge(study, policy, among=waiting))
        settled: set[int] = set()
        while (due := next_due(study, policy, waiting - settled, accused=accused)) is not None:
            settled.add(due.annotator)
            if _take_hold(study, due.annotator):
                _pass(study, due)
                waiting |= sharing(study, {due.annotator}, ending=ending)


def _pass(study: Study, due: Due) -> None:
    if due.evidence is None:
        _count_again(study.exclusions.get(annotator=due.annotator), by_policy=True)
        return
    assert due.evidence.broken_rule is not None, "only such evidence is a verdict"
    annotator = Annotator.objects.get(pk=due.annotator)
    _exclude(study, annotator, rule=due.evidence.broken_rule, evidence=due.evidence.as_json())


def exclude(study: Study, annotator: Annotator, *, rule: str, evidence: dict[str, Any]) -> Exclusion:
    """Stop counting the annotator's labels in the study, end their sitting, and reopen the slots or drop the items.

    An active sitting ends as one that failed its checks, even if a researcher decided and not the policy. One that had
    ended keeps its outcome, and the annotator keeps the code that came with it.
    """
    with transaction.atomic():
        _lock(study, annotator)
        exclusion = _exclude(study, annotator, rule=rule, evidence=evidence)
        if rule == Exclusion.Rule.RESEARCHER:
            # By number: why is in a researcher's words, which may be about who somebody is.
            record(study, Deed.EXCLUDED, study.annotator_numbers.name_of(annotator.pk))
        look_again(study, {annotator.pk})
    return exclusion


def exclude_by_hand(study: Study, annotator: Annotator, *, reason: str, by: str) -> Exclusion:
    """Exclude by a researcher's decision, and keep its reason and the evidence; `by` is the researcher's user name."""
    known = evidence(study, annotator).as_json()
    rule = Exclusion.Rule.RESEARCHER
    return exclude(study, annotator, rule=rule, evidence=known | {"reason": reason, "by": by})


def _exclude(study: Study, annotator: Annotator, *, rule: str, evidence: dict[str, Any]) -> Exclusion:
    """The caller holds the locks of `_lock`."""
    said = {"rule": rule, "evidence": evidence, "lifted_at": None, "lifted_by_policy": False}
    exclusion, _ = Exclusion.objects.update_or_create(study=study, annotator=annotator, defaults=said)
    mine = Assignment.objects.filter(sitting__study=study, annotator=annotator)
    give_back(study, mine.filter(state=Assignment.State.RESERVED))
    counted = list(mine.filter(state=Assignment.State.COUNTED).select_related("judgment"))
    for assignment in counted:
        assignment.item_for_update().discount(assignment.judgment.answer)
        assignment.state = Assignment.State.EXCLUDED
        assignment.save(update_fields=["state"])
    mine.filter(state=Assignment.State.DROPPED).update(state=Assignment.State.EXCLUDED)
    if study.policy.drops:
        drop_items(mine)
    else:
        count_surplus(study, {one.item_id for one in counted})
    end_sittings(study.sittings.filter(annotator=annotator), study.pk, Outcome.FAILED_CHECKS)
    return exclusion


def reinstate(exclusion: Exclusion) -> None:
    """Let an excluded annotator's labels count again, each where its item still has room."""
    with transaction.atomic():
        _lock(exclusion.study, exclusion.annotator)
        _count_again(exclusion, by_policy=False)
        record(exclusion.study, Deed.REINSTATED, exclusion.study.annotator_numbers.name_of(exclusion.annotator_id))
        look_again(exclusion.study, {exclusion.annotator_id})


def _count_again(exclusion: Exclusion, *, by_policy: bool) -> None:
    """The caller holds the locks of `_lock`."""
    mine = Assignment.objects.filter(
        sitting__study=exclusion.study_id, annotator=exclusion.annotator_id, state=Assignment.State.EXCLUDED
    )
    for assignment in mine.select_related("judgment").order_by("pk"):
        _let_count(exclusion.study, assignment)
    exclusion.lifted_at, exclusion.lifted_by_policy = timezone.now(), by_policy
    exclusion.save(update_fields=["lifted_at", "lifted_by_policy"])


def drop_items(excluded: QuerySet[Assignment]) -> None:
    """Give up the targets that these have excluded labels on, with whatever else was said of them.

    The caller holds the study's lock. States change under the item's, which whoever answers it takes too.
    """
    lost = excluded.filter(state=Assignment.State.EXCLUDED, item__kind=Item.Kind.TARGET)
    for item in Item.objects.select_for_update(no_key=True).filter(pk__in=lost.values("item")).order_by("pk"):
        if not item.is_dropped:
            item.drop()
        item.assignments.filter(state=Assignment.State.COUNTED).update(state=Assignment.State.DROPPED)


def _let_count(study: Study, assignment: Assignment) -> None:
    """One label of somebody who was excluded; a dropped item comes back with it, unless another has lost it a label."""
    state, item = Assignment.State, assignment.item_for_update()
    if item.is_dropped and item.assignments.filter(state=state.EXCLUDED).exclude(pk=assignment.pk).exists():
        assignment.state = state.DROPPED
        assignment.save(update_fields=["state"])
        return
    back = [assignment]
    if item.is_dropped:
        item.take_up(target=study.labels_per_item)
        back += item.assignments.filter(state=state.DROPPED).select_related("judgment").order_by("pk")
    for one in back:
        one.state = state.SURPLUS
        if item.has_room:
            item.count(one.judgment.answer)
            one.state = state.COUNTED
        one.save(update_fields=["state"])


def give_back(study: Study, reserved: QuerySet[Assignment]) -> None:
    """Reopen the slots of assignments that wait for an answer. The caller holds the study's lock."""
    for assignment in (found := list(reserved.order_by("pk"))):
        item = assignment.item_for_update()
        item.release_slot()
        assignment.state = Assignment.State.RELEASED
        assignment.save(update_fields=["state"])
    count_surplus(study, {one.item_id for one in found})


def count_surplus(study: Study, items: Collection[int]) -> None:
    """Of items with slots that have just opened: labels that came after theirs had gone count, the first one first.

    Nobody is asked anew for what somebody has answered. The caller holds the study's lock, or asks of one item.
    """
    excluded = study.exclusions.in_force().values("annotator")
    surplus = Assignment.objects.filter(state=Assignment.State.SURPLUS).exclude(annotator__in=excluded)
    for pk in sorted(set(surplus.filter(item__in=items).values_list("item", flat=True))):
        item = Item.objects.select_for_update(no_key=True).get(pk=pk)
        # Read under the item's lock, which whoever revises one of them takes first.
        for waiting in surplus.filter(item=item).select_related("judgment").order_by("judgment__answered_at", "pk"):
            if item.has_room and not item.is_dropped:
                item.count(waiting.judgment.answer)
                waiting.state = Assignment.State.COUNTED
                waiting.save(update_fields=["state"])


def _lock(study: Study, annotator: Annotator) -> None:
    """Study first, then the annotator's sittings: the order that annotation.assignment explains."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    list(study.sittings.select_for_update(no_key=True).filter(annotator=annotator).order_by("pk"))


def _take_hold(study: Study, annotator: int) -> bool:
    """The locks of `_lock`, without waiting for any: items are locked by now, and an answer that is being stored holds
    its sitting and may wait for one. Whoever answers is judged when they have.
    """
    mine = study.sittings.filter(annotator=annotator)
    return len(mine.select_for_update(no_key=True, skip_locked=True).order_by("pk")) == mine.count()


def sharing(study: Study, annotators: Collection[int], *, ending: int | None) -> set[int]:
    """The repeaters who labeled a target that these labeled too. One query.

    Who is at a sitting is left out: they are judged when it ends. `ending` is somebody whose sitting ends now.
    """
    theirs = Assignment.objects.filter(
        sitting__study=study, annotator__in=annotators, item__kind=Item.Kind.TARGET, state__in=Assignment.ANSWERED
    ).order_by()
    kept = Repeater.objects.filter(study=study, annotator=OuterRef("annotator"))
    at_work = study.sittings.filter(annotator=OuterRef("annotator"), state=Sitting.State.ACTIVE)
    found = Assignment.objects.filter(
        Exists(kept), ~Exists(at_work.exclude(annotator=ending)), item__in=theirs.values("item")
    )
    return set(found.order_by().values_list("annotator", flat=True).distinct())


def everybody(study: Study) -> set[int]:
    """All repeaters who are at no sitting: where labels come by the thousand."""
    at_work = study.sittings.filter(annotator=OuterRef("annotator"), state=Sitting.State.ACTIVE)
    return set(study.repeaters.filter(~Exists(at_work)).values_list("annotator", flat=True))


def next_due(study: Study, policy: Policy, among: Collection[int], *, accused: Collection[int]) -> Due | None:
    """The first verdict that the answers ask for and that does not stand yet; None where there is none.

    The least probable row of the `accused` comes first, whoever came first, since without its labels others may look
    otherwise.
    """
    if not among:
        return None
    broken = rejudge(study, policy, among=among)
    verdicts = {one.annotator_id: one for one in study.exclusions.filter(annotator__in=among)}
    fresh = [who for who in broken if who in accused and (who not in verdicts or verdicts[who].lifted_by_policy)]
    if fresh:
        worst = min(fresh, key=lambda who: (broken[who].chance, who))
        return Due(worst, broken[worst])
    # Those of other rules rest on the annotator's own answers, which stay.
    may_go = [who for who, one in verdicts.items() if one.lifted_at is None and one.rule in REPETITION]
    gone = [who for who in may_go if who not in broken]
    return Due(min(gone), None) if gone else None
