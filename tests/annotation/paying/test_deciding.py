"""Decisions on payment: who and when, what a platform allows, and that nobody is paid by a code alone."""

from decimal import Decimal

import pytest
from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from annotation.models import BonusHandedIn, PaymentDecision, PlatformId, Sitting, Study
from annotation.paying.deciding import Decided, NotPayable, approve, give_bonus, latest, reject, take_back
from annotation.paying.handing_over import hand_in_bonuses, handed_in, ids, was_not_handed_in
from annotation.paying.queue import QueueFilter, handed_over, queue, to_approve
from annotation.platforms import Outcome
from tests.annotation.paying.conftest import PID

pytestmark = [pytest.mark.slow, pytest.mark.django_db]
LONG = "You failed both attention checks, which asked for a certain answer in so many words, so that " * 2


def state(sitting: Sitting) -> str:
    sitting.refresh_from_db()
    return sitting.payment


def reject_for_effort(sittings: "QuerySet[Sitting]") -> Decided:
    return reject(Study.objects.get(), sittings, reason="LOW_EFFORT", message=LONG, by=None)


def test_who_decided_and_when_is_kept(study, come):
    rosa = get_user_model().objects.create_user("rosa")
    sitting = come(1)
    assert approve(queue(study), by=rosa).count == 1
    made = latest([sitting.pk])[sitting.pk]
    assert (made.payment, made.by, made.at is not None) == ("approved", rosa, True)
    assert state(sitting) == "approved"


def test_what_holds_already_is_not_decided_again(study, come):
    come(1)
    assert [approve(queue(study), by=None).count for _ in range(2)] == [1, 0]
    assert PaymentDecision.objects.count() == 1


def test_nobody_is_paid_by_a_code_alone(study, come):
    worked, empty = come(1), come(2, answers=0)
    Sitting.objects.filter(pk=empty.pk).end(Outcome.COMPLETED)
    assert list(to_approve(study)) == [worked]
    found = approve(queue(study), by=None)
    assert (found.count, found.without_answers) == (1, 1)
    assert state(empty) == "undecided"
    assert approve(queue(study), by=None, without_answers=True).count == 1


def test_who_is_under_way_is_not_approved_with_all(study, come):
    come(1, answers=1)
    assert not to_approve(study).exists()


def test_nobody_under_way_is_approved(study, come):
    """Not by ticking either, with answers or without."""
    worked, empty = come(1, answers=1), come(2, answers=0)
    found = approve(queue(study), by=None, without_answers=True)
    assert (found.count, found.under_way, found.without_answers) == (0, 2, 0)
    Sitting.objects.update(state="lapsed")
    assert approve(queue(study), by=None).under_way == 2
    # They were shown a code, and cannot go on.
    Study.objects.update(state="closed")
    found = approve(queue(study), by=None)
    assert (found.count, found.under_way, found.without_answers) == (1, 0, 1)
    assert (state(worked), state(empty)) == ("approved", "undecided")


@pytest.mark.parametrize(
    ("reason", "message", "says"),
    [
        ("BORING", LONG, "one of these reasons"),
        ("LOW_EFFORT", "No.", "at least 100 characters"),
        ("LOW_EFFORT", " " * 200, "it has 0"),
    ],
)
def test_a_rejection_is_one_that_the_platform_takes(study, come, reason, message, says):
    sitting = come(1)
    with pytest.raises(NotPayable, match=says):
        reject(study, queue(study), reason=reason, message=message, by=None)
    assert state(sitting) == "undecided"


def test_a_rejection_keeps_its_reason(study, come):
    sitting = come(1)
    assert reject(study, queue(study), reason="LOW_EFFORT", message=LONG, by=None).count == 1
    made = latest([sitting.pk])[sitting.pk]
    assert (state(sitting), made.reason, made.message) == ("rejected", "LOW_EFFORT", LONG.strip())


def test_who_was_screened_out_is_never_rejected_and_nobody_with_them(study, come):
    come(1)
    other = come(2, answers=0)
    Sitting.objects.filter(pk=other.pk).end(Outcome.SCREENED_OUT)
    with pytest.raises(NotPayable, match="does not allow rejecting 1"):
        reject(study, queue(study), reason="LOW_EFFORT", message=LONG, by=None)
    assert not PaymentDecision.objects.exists()


def test_nobody_under_way_is_rejected(study, come):
    """Whoever stands before the items may yet fail the comprehension questions, for which nobody is rejected."""
    worked, begun = come(1), come(2, answers=0)
    Sitting.objects.filter(pk=begun.pk).update(stage="comprehension")
    found = reject_for_effort(queue(study))
    assert (found.count, found.under_way) == (1, 1)
    assert (state(worked), state(begun)) == ("rejected", "undecided")
    # It may be opened again.
    Study.objects.update(state="closed")
    assert reject_for_effort(queue(study)).under_way == 1
    Sitting.objects.filter(pk=begun.pk).update(stage="items")
    assert reject_for_effort(queue(study).filter(pk=begun.pk)).count == 1
    take_back(queue(study).filter(pk=begun.pk), by=None)
    Sitting.objects.filter(pk=begun.pk).end(Outcome.SCREENED_OUT)
    with pytest.raises(NotPayable, match="does not allow rejecting 1"):
        reject_for_effort(queue(study))
    assert ids(queue(study), "rejected").rows == ((PID.format(1),),)


def test_another_platform_takes_any_reason_in_words(study, come):
    come(1)
    study.platform = ""
    assert reject(study, queue(study), reason="other", message="Asked for it.", by=None).count == 1


def test_a_bonus_without_an_answer_has_to_be_asked_for(study, come):
    worked, empty = come(1), come(2, answers=0)
    found = give_bonus(queue(study), bonus=Decimal(1), reason="thanks", by=None)
    assert (found.count, found.without_answers) == (1, 1)
    assert set(latest([worked.pk, empty.pk])) == {worked.pk}
    assert give_bonus(queue(study), bonus=Decimal(1), reason="thanks", by=None, without_answers=True).count == 1
    assert latest([empty.pk])[empty.pk].bonus == 1
    # What was given is taken away without being asked for.
    assert give_bonus(queue(study), bonus=Decimal(0), reason="", by=None).count == 2


def test_who_is_rejected_has_no_bonus(study, come):
    paid, rejected = come(1), come(2)
    reject_for_effort(queue(study).filter(pk=rejected.pk))
    found = give_bonus(queue(study), bonus=Decimal(1), reason="thanks", by=None, without_answers=True)
    assert (found.count, found.rejected, found.without_answers) == (1, 1, 0)
    assert latest([rejected.pk])[rejected.pk].bonus == 0
    # Nor does one that was set before outlive the rejection.
    reject_for_effort(queue(study).filter(pk=paid.pk))
    made = latest([paid.pk])[paid.pk]
    assert (state(paid), made.bonus, made.bonus_reason) == ("rejected", Decimal(0), "")
    assert hand_in_bonuses(queue(study), by=None).rows == ()
    with pytest.raises(IntegrityError), transaction.atomic():
        PaymentDecision.objects.filter(payment="rejected").update(bonus=1)
    approve(queue(study), by=None)
    assert give_bonus(queue(study), bonus=Decimal(1), reason="thanks", by=None).count == 2


def test_a_bonus_is_decimal_and_stays_with_the_decision(study, come):
    sitting = come(1)
    give_bonus(queue(study), bonus=Decimal("0.10"), reason="a good comment", by=None)
    approve(queue(study), by=None)
    made = latest([sitting.pk])[sitting.pk]
    assert (made.payment, made.bonus, made.bonus_reason) == ("approved", Decimal("0.10"), "a good comment")
    take_back(queue(study), by=None)
    made = latest([sitting.pk])[sitting.pk]
    assert (state(sitting), made.bonus, made.bonus_reason) == ("undecided", Decimal(0), "")


def test_a_bonus_says_what_it_is_for(study, come):
    come(1)
    with pytest.raises(NotPayable, match="a reason for the bonus"):
        give_bonus(queue(study), bonus=Decimal(1), reason=" ", by=None)


def test_a_decision_is_never_changed(study, come):
    come(1)
    approve(queue(study), by=None)
    with pytest.raises(TypeError):
        PaymentDecision.objects.get().save()
    with pytest.raises(IntegrityError), transaction.atomic():
        PaymentDecision.objects.update(bonus=-1)


def test_platforms_get_ids_and_bonuses(study, come):
    come(1)
    sitting = come(2)
    give_bonus(queue(study).filter(pk=sitting.pk), bonus=Decimal("1.5"), reason="fast", by=None)
    approve(queue(study), by=None)
    assert ids(queue(study), "approved").rows == ((PID.format(2),), (PID.format(1),))
    assert hand_in_bonuses(queue(study), by=None).rows == ((PID.format(2), "1.50"),)


def test_ids_are_those_of_whom_it_was_decided_and_nobody_else(study, come):
    paid, rejected = come(1), come(2)
    come(3), come(4, answers=0), come(5, answers=1)
    approve(queue(study).filter(pk=paid.pk), by=None)
    reject(study, queue(study).filter(pk=rejected.pk), reason="LOW_EFFORT", message=LONG, by=None)
    found = ids(queue(study), "approved")
    assert (found.rows, found.decided_otherwise) == (((PID.format(1),),), 4)
    assert ids(queue(study), "rejected").rows == ((PID.format(2),),)
    assert [handed_over(QueueFilter(decision=one)) for one in ("", "approved", "rejected")] == [
        "approved",
        "approved",
        "rejected",
    ]


def test_a_bonus_is_listed_once(study, come):
    rosa = get_user_model().objects.create_user("rosa")
    for number in (1, 2):
        come(number)
    give_bonus(queue(study), bonus=Decimal("1.5"), reason="fast", by=None)
    assert len(hand_in_bonuses(queue(study), by=rosa).rows) == 2
    assert {(one.amount, one.by) for one in BonusHandedIn.objects.all()} == {(Decimal("1.5"), rosa)}
    again = hand_in_bonuses(queue(study), by=rosa)
    assert (again.rows, again.before) == ((), 2)
    with pytest.raises(TypeError):
        BonusHandedIn.objects.earliest("pk").save()


def test_of_a_bonus_that_was_raised_the_rest_is_listed(study, come):
    sitting = come(1)
    give_bonus(queue(study), bonus=Decimal("1.5"), reason="fast", by=None)
    hand_in_bonuses(queue(study), by=None)
    give_bonus(queue(study), bonus=Decimal("2"), reason="fast, and all right", by=None)
    assert hand_in_bonuses(queue(study), by=None).rows == ((PID.format(1), "0.50"),)
    take_back(queue(study), by=None)
    give_bonus(queue(study), bonus=Decimal("1"), reason="less", by=None)
    assert hand_in_bonuses(queue(study), by=None).before == 1
    assert handed_in([sitting.pk])[sitting.pk].amount == 2


def test_a_list_that_was_not_handed_in_is_made_again(study, come):
    come(1)
    give_bonus(queue(study), bonus=Decimal("1.5"), reason="fast", by=None)
    rows = hand_in_bonuses(queue(study), by=None).rows
    assert [was_not_handed_in(queue(study), by=None) for _ in range(2)] == [1, 0]
    assert hand_in_bonuses(queue(study), by=None).rows == rows


def test_who_has_no_id_is_not_marked(study, come):
    come(1)
    give_bonus(queue(study), bonus=Decimal("1.5"), reason="fast", by=None)
    PlatformId.objects.all().delete()
    assert hand_in_bonuses(queue(study), by=None).without_id == 1
    assert not BonusHandedIn.objects.exists()


def test_the_queue_is_asked_by_outcome_decision_and_verdict(study, come):
    excluded = come(1)
    come(2)
    come(3, answers=1)
    approve(queue(study, QueueFilter(outcome="completed")).exclude(pk=excluded.pk), by=None)
    study.exclusions.create(annotator=excluded.annotator, rule="attention", evidence={})
    for asked, found in (
        (QueueFilter(), 3),
        (QueueFilter(outcome="completed"), 2),
        (QueueFilter(outcome="unfinished"), 1),
        (QueueFilter(decision="approved"), 1),
        (QueueFilter(verdict="kept"), 2),
        (QueueFilter(verdict="excluded"), 1),
        (QueueFilter(verdict="reinstated"), 0),
        (QueueFilter(outcome="completed", verdict="kept", decision="undecided"), 0),
    ):
        assert queue(study, asked).count() == found, asked
