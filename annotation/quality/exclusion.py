"""Quality control as the study declares it: evidence, verdict, and what a verdict does to labels.

Excluded labels stay stored and stop counting. What then becomes of an item is for the study to say: its slot reopens,
or the item is dropped with all of its labels.
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from annotation.models import Annotator, Assignment, Exclusion, Item, Study
from annotation.platforms.outcome import Outcome
from annotation.quality.answers import Given
from annotation.quality.evidence import Evidence, held_against
from annotation.quality.policy import Policy
from annotation.quality.reading import answered, read_given


def evidence(study: Study, annotator: Annotator) -> Evidence:
    """What is known of the annotator's answers in the study, by its policy."""
    return evidence_with(study, annotator, ())


def evidence_with(study: Study, annotator: Annotator | None, given: Iterable[tuple[Item, str]]) -> Evidence:
    """The same with answers to checks that are not stored yet; None is an annotator of whom nothing is."""
    policy = Policy.of(study)
    mine = answered(study).filter(annotator=annotator) if annotator is not None else Assignment.objects.none()
    stored = [one for _, one in read_given(mine, policy)]
    fresh = [
        Given(item=item.external_id, kind=item.kind, answer=said, reference=item.reference) for item, said in given
    ]
    return held_against(policy, stored + fresh, study.task.scale)


def apply_policy(study: Study, annotator: Annotator) -> Exclusion | None:
    """Exclude the annotator if the answers so far break a rule; None if they do not.

    A verdict that a researcher has lifted is not passed again.
    """
    if study.exclusions.filter(annotator=annotator).exists():
        return None
    found = evidence(study, annotator)
    if found.broken_rule is None:
        return None
    return exclude(study, annotator, rule=found.broken_rule, evidence=found.as_json())


def exclude(study: Study, annotator: Annotator, *, rule: str, evidence: dict[str, Any]) -> Exclusion:
    """Stop counting the annotator's labels in the study, end their sitting, and reopen the slots or drop the items.

    A sitting under way ends as one that failed its checks, also where a researcher decided in the policy's place. One
    that had ended keeps its outcome: whoever was given a code for it keeps that too.
    """
    with transaction.atomic():
        _lock(study, annotator)
        exclusion, _ = Exclusion.objects.update_or_create(
            study=study, annotator=annotator, defaults={"rule": rule, "evidence": evidence, "lifted_at": None}
        )
        mine = Assignment.objects.filter(sitting__study=study, annotator=annotator)
        give_back(mine.filter(state=Assignment.State.RESERVED))
        for assignment in mine.filter(state=Assignment.State.COUNTED).select_related("judgment"):
            assignment.item_for_update().discount(assignment.judgment.answer)
            assignment.state = Assignment.State.EXCLUDED
            assignment.save(update_fields=["state"])
        mine.filter(state=Assignment.State.DROPPED).update(state=Assignment.State.EXCLUDED)
        if Policy.of(study).drops:
            drop_items(mine)
        study.sittings.filter(annotator=annotator).end(Outcome.FAILED_CHECKS)
    return exclusion


def reinstate(exclusion: Exclusion) -> None:
    """Let an excluded annotator's labels count again, each where its item still has room."""
    with transaction.atomic():
        _lock(exclusion.study, exclusion.annotator)
        mine = Assignment.objects.filter(
            sitting__study=exclusion.study, annotator=exclusion.annotator, state=Assignment.State.EXCLUDED
        )
        for assignment in mine.select_related("judgment").order_by("pk"):
            _let_count(exclusion.study, assignment)
        exclusion.lifted_at = timezone.now()
        exclusion.save(update_fields=["lifted_at"])


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


def give_back(reserved: QuerySet[Assignment]) -> None:
    """Reopen the slots of assignments that wait for an answer. The caller holds the study's lock."""
    for assignment in reserved.order_by("pk"):
        item = assignment.item_for_update()
        item.release_slot()
        assignment.state = Assignment.State.RELEASED
        assignment.save(update_fields=["state"])


def _lock(study: Study, annotator: Annotator) -> None:
    """Study first, then the annotator's sittings: the order that annotation.assignment explains."""
    Study.objects.select_for_update(no_key=True).get(pk=study.pk)
    list(study.sittings.select_for_update(no_key=True).filter(annotator=annotator).order_by("pk"))
