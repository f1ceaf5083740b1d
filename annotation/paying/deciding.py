"""Approving, rejecting, a bonus, taking back: each for many sittings at once, in one transaction, with who and when."""

from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from decimal import Decimal

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import PaymentDecision, Sitting, Study
from annotation.paying.queue import answered, over, with_failures
from annotation.platforms import PLATFORMS, Outcome
from annotation.stages.order import GATES

BATCH = 500
# Of platforms that we know nothing of.
OTHER = {"other": "given in the message"}


class NotPayable(ValueError):
    """Why this cannot be decided. str() is a sentence; nothing has changed."""


@dataclass(frozen=True, slots=True)
class Decided:
    """How many decisions were stored, and how many sittings were left alone: they have no answers, are not over, or
    are rejected.
    """

    count: int
    without_answers: int = 0
    under_way: int = 0
    rejected: int = 0


@dataclass(frozen=True, slots=True)
class SittingPay:
    """What holds of a sitting."""

    payment: str = Sitting.Payment.UNDECIDED
    reason: str = ""
    message: str = ""
    bonus: Decimal = Decimal(0)
    bonus_reason: str = ""


def reasons(study: Study) -> dict[str, str]:
    """Why a sitting may be rejected, by the platform's own word for it."""
    platform = PLATFORMS.get(study.platform)
    return dict(platform.rejections) if platform and platform.rejections else OTHER


def failures_needed(study: Study, reason: str) -> int:
    """Of how many attention checks in a sitting; 0 of reasons that rest on none."""
    platform, information = PLATFORMS.get(study.platform), study.path.information
    if platform is None or not reason or reason != platform.failed_checks:
        return 0
    return platform.least_failures(information.minutes if information else 0)


def approve(sittings: "QuerySet[Sitting]", *, by: User | None, without_answers: bool = False) -> Decided:
    """Those that are over. Without an answer only if that is asked for: nobody is paid by a code alone."""
    ended = over(sittings)
    chosen = ended if without_answers else answered(ended)
    under_way, left = sittings.count() - ended.count(), ended.count() - chosen.count()

    def changed(held: SittingPay) -> SittingPay:
        return replace(held, payment=Sitting.Payment.APPROVED, reason="", message="")

    count = _decide(chosen, changed, "approved", by=by)
    return Decided(count, left, under_way)


def reject(study: Study, sittings: "QuerySet[Sitting]", *, reason: str, message: str, by: User | None) -> Decided:
    """Those that are over, and have come to the items or to an end: before, nobody has done anything, and may yet fail
    the comprehension questions. Their bonus is taken back. Raises NotPayable where the platform does not allow it.
    """
    platform, message = PLATFORMS.get(study.platform), message.strip()
    if reason not in reasons(study):
        raise NotPayable(f"A rejection needs one of these reasons: {', '.join(reasons(study))}.")
    least = max(1, platform.least_message if platform else 1)
    if len(message) < least:
        raise NotPayable(
            f"The message needs at least {least} characters; it has {len(message)}."
            if least > 1
            else "Enter a message to the annotators."
        )
    chosen = over(sittings).exclude(outcome="", stage__in=GATES)
    under_way = sittings.count() - chosen.count()
    never = platform.never_rejected if platform else frozenset[Outcome]()
    spared = chosen.filter(outcome__in=[one.value for one in never]).count()
    if spared:
        ends = ", ".join(sorted(one.words for one in never))
        raise NotPayable(
            f"Nothing decided. {study.platform.capitalize()} does not allow rejecting {spared:,} of these submissions "
            f"({ends})."
        )
    if needed := failures_needed(study, reason):
        short = chosen.count() - with_failures(chosen, needed).count()
        if short:
            raise NotPayable(
                f"Nothing decided. {study.platform.capitalize()} allows {reason} only from {needed} failed "
                f"attention checks; {short:,} of these submissions have fewer. Gold items do not count."
            )

    def changed(held: SittingPay) -> SittingPay:
        return SittingPay(Sitting.Payment.REJECTED, reason, message)

    return Decided(_decide(chosen, changed, f"rejected: {reason}", by=by), under_way=under_way)


def give_bonus(
    sittings: "QuerySet[Sitting]", *, bonus: Decimal, reason: str, by: User | None, without_answers: bool = False
) -> Decided:
    """In place of the bonus there was, if any; 0 takes it back. Without an answer only if that is asked for, and of a
    rejected sitting never: it has to be approved, or undecided, first.
    """
    reason = reason.strip()
    if bonus and not reason:
        raise NotPayable("Enter a reason for the bonus.")
    payable = sittings.exclude(payment=Sitting.Payment.REJECTED)
    chosen = answered(payable) if bonus and not without_answers else payable
    rejected, left = sittings.count() - payable.count(), payable.count() - chosen.count()
    told = reason if bonus else ""
    count = _decide(chosen, lambda held: replace(held, bonus=bonus, bonus_reason=told), f"bonus of {bonus}", by=by)
    return Decided(count, left, rejected=rejected)


def take_back(sittings: "QuerySet[Sitting]", *, by: User | None) -> Decided:
    """Undecided again, and without a bonus. What the platform was told before, it keeps, and so does what was handed
    in of a bonus.
    """
    return Decided(_decide(sittings, lambda held: SittingPay(), "undecided again", by=by))


def latest(sittings: Iterable[int]) -> dict[int, PaymentDecision]:
    """What holds, by sitting, of those of which anything was ever decided."""
    rows = PaymentDecision.objects.filter(sitting__in=sittings).select_related("by").order_by("pk")
    return {row.sitting_id: row for row in rows}


def _decide(
    sittings: "QuerySet[Sitting]", change: Callable[[SittingPay], SittingPay], what: str, *, by: User | None
) -> int:
    """Returns for how many something has changed: what holds already is not decided again."""
    if sittings.filter(study__population=Study.Population.SYNTHETIC).exists():
        raise NotPayable("Synthetic annotators are not paid.")
    count = 0
    with transaction.atomic():
        # Before the decision, which may take them out of what was asked for.
        studies = list(Study.objects.filter(pk__in=sittings.order_by().values("study")))
        pks = list(sittings.filter(source=None).order_by("pk").values_list("pk", flat=True))
        for start in range(0, len(pks), BATCH):
            count += _decide_batch(pks[start : start + BATCH], change, by)
        if count:
            for study in studies:
                record(study, Deed.PAYMENT_DECIDED, what, by=by, facts={"sittings": count})
    return count


def _decide_batch(pks: list[int], change: Callable[[SittingPay], SittingPay], by: User | None) -> int:
    list(Sitting.objects.select_for_update(no_key=True).filter(pk__in=pks).order_by("pk"))
    before = latest(pks)
    made = []
    for pk in pks:
        row = before.get(pk)
        held = SittingPay(row.payment, row.reason, row.message, row.bonus, row.bonus_reason) if row else SittingPay()
        now = change(held)
        if now != held:
            made.append(PaymentDecision(sitting_id=pk, by=by, **asdict(now)))
    PaymentDecision.objects.bulk_create(made)
    for payment in Sitting.Payment.values:
        mine = [row.sitting_id for row in made if row.payment == payment]
        Sitting.objects.filter(pk__in=mine).exclude(payment=payment).update(payment=payment)
    return len(made)
