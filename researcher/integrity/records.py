"""Faults in what is written down of people and of researchers: starts, ids, payment, files of labels, acts.

Each is one query over all studies, or two whose counts are held against each other, whatever the number of labels.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Coalesce

from accounts.models import User
from annotation.arrival.visitor import BY_LINK
from annotation.audit.deeds import Deed
from annotation.models import (
    Act,
    Adjudication,
    Exclusion,
    ItemRevision,
    Judgment,
    LabelSource,
    PaymentDecision,
    PlatformId,
    Share,
    Sitting,
    Study,
    StudyLink,
    Webhook,
)
from annotation.privacy import due_ids
from corpus.errors import counted
from researcher.integrity.labels import MOST
from scoring.models import Run
from work.clock import database_now

# Upkeep erases what is due within a minute; a server that was off for a day catches up.
LATE = timedelta(days=1)


def read_record_faults() -> Iterator[str]:
    yield from _starts()
    yield from _ids()
    yield from _due()
    yield from _payments()
    yield from _sources()
    yield from _acts()


def _starts() -> Iterator[str]:
    links = StudyLink.objects.filter(study__deleted_at=None).order_by()
    wrong = links.annotate(begun=Count("sittings")).exclude(starts=F("begun")).order_by("pk")
    for slug, pk, starts, begun in wrong.values_list("study__slug", "pk", "starts", "begun")[:MOST]:
        yield f"{slug}: link {pk} stores {counted(starts, 'start')}; batches that began by it: {begun:,}."


def _ids() -> Iterator[str]:
    """Nothing but PlatformId keeps a platform's id, and with it goes that of the visit."""
    for pk in PlatformId.objects.filter(value=F("annotator__external_id")).values_list("annotator", flat=True)[:MOST]:
        yield f"Annotator {pk} is stored under the platform’s ID itself, not its hash."
    kept = PlatformId.objects.filter(study=OuterRef("study"), annotator=OuterRef("annotator"))
    by_id = Sitting.objects.exclude(platform_session="").exclude(annotator__platform=BY_LINK)
    left = by_id.filter(~Exists(kept), study__deleted_at=None).order_by("pk")
    for slug, pk in left.values_list("study__slug", "pk")[:MOST]:
        yield f"{slug}: batch {pk} keeps the platform’s ID of a visit; that of its annotator is erased."


def _due() -> Iterator[str]:
    """Studies that keep ids for a number of days are few.

    What has fallen due since the site was last used, as in a backup that was just restored, is upkeep's next work.
    """
    until = min(database_now(), _last_used()) - LATE
    for study in Study.objects.filter(forget_after_days__gt=0).order_by("pk"):
        if late := due_ids(study, until).count():
            yield f"{study.slug}: platform IDs kept for longer than the study allows: {late:,}."


def _last_used() -> datetime:
    """When somebody last came, or last did something that leaves an act."""
    newest = (
        User.objects.exclude(last_login=None).order_by("-last_login").values_list("last_login", flat=True),
        Act.objects.order_by("-pk").values_list("at", flat=True),
        Sitting.objects.order_by("-pk").values_list("started_at", flat=True),
    )
    return max((at for rows in newest for at in rows[:1] if at is not None), default=database_now())


def _payments() -> Iterator[str]:
    """The latest decision says what the sitting says; each was decided under an act."""
    decisions = PaymentDecision.objects.filter(sitting=OuterRef("pk")).order_by("-pk")
    undecided = Value(Sitting.Payment.UNDECIDED.value)
    # What is being deleted loses decisions before sittings.
    kept = Sitting.objects.filter(study__deleted_at=None)
    decided = kept.filter(~Q(payment=Sitting.Payment.UNDECIDED) | Exists(decisions))
    said = decided.annotate(latest=Coalesce(Subquery(decisions.values("payment")[:1]), undecided))
    wrong = said.exclude(payment=F("latest")).order_by("pk")
    for slug, pk, payment, latest in wrong.values_list("study__slug", "pk", "payment", "latest")[:MOST]:
        yield f"{slug}: batch {pk} stores the payment {payment!r}; the latest decision is {latest!r}."


def _sources() -> Iterator[str]:
    """One query counts the labels of all files: each label is met once."""
    held = Judgment.objects.exclude(assignment__sitting__source=None).order_by()
    counts = dict(held.values_list("assignment__sitting__source").annotate(Count("pk")))
    for source in LabelSource.objects.filter(study__deleted_at=None).select_related("study").order_by("pk").iterator():
        if source.labels != counts.get(source.pk, 0):
            there = counts.get(source.pk, 0)
            yield (
                f"{source.study.slug}: label file {source.pk} stores {counted(source.labels, 'label')}; "
                f"{there:,} came from it."
            )


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """Rows each of which came with an act of one of these deeds; `free` of a study's came without.

    `study` is the way from a row to its study.
    """

    noun: str
    rows: "QuerySet[Any]"
    deeds: tuple[Deed, ...]
    study: str = "study"
    free: int = 0


KEPT = (
    Kept(noun="creation", rows=Study.objects.all(), deeds=(Deed.MADE,), study="pk"),
    Kept(noun="opening", rows=Study.objects.exclude(opened_at=None), deeds=(Deed.OPENED,), study="pk"),
    Kept(noun="deletion", rows=Study.with_deleted.exclude(deleted_at=None), deeds=(Deed.DELETED,), study="pk"),
    # The first comes with the study.
    Kept(noun="link", rows=StudyLink.objects.all(), deeds=(Deed.LINK_ADDED,), free=1),
    Kept(
        noun="run",
        rows=Run.objects.exclude(scored=0, unscored=0),
        deeds=(Deed.RUN_STARTED, Deed.SCORES_IMPORTED),
    ),
    Kept(noun="label file", rows=LabelSource.objects.all(), deeds=(Deed.LABELS_IMPORTED,)),
    Kept(noun="adjudication", rows=Adjudication.objects.all(), deeds=(Deed.DECIDED,)),
    Kept(
        noun="rewording",
        rows=ItemRevision.objects.all(),
        deeds=(Deed.REWORDED, Deed.LOOKED_AT, Deed.ITEM_CHANGED),
    ),
    Kept(
        noun="exclusion by a researcher",
        rows=Exclusion.objects.filter(rule=Exclusion.Rule.RESEARCHER),
        deeds=(Deed.EXCLUDED,),
    ),
    Kept(noun="share", rows=Share.objects.all(), deeds=(Deed.SHARED,)),
    Kept(noun="webhook", rows=Webhook.objects.all(), deeds=(Deed.WEBHOOK_ADDED,)),
)


def _acts() -> Iterator[str]:
    """No study has more of what leaves an act than it has acts. What was removed since left its acts behind."""
    acts = Counter[tuple[int, str]]()
    counted = Act.objects.order_by().values_list("study_pk", "deed").annotate(Count("pk"))
    for study, deed, count in counted.iterator():
        acts[study, deed] = count
    slugs = dict(Study.with_deleted.values_list("pk", "slug"))
    for kept in KEPT:
        for study, count in kept.rows.order_by().values_list(kept.study).annotate(Count("pk")):
            there = kept.free + sum(acts[study, deed] for deed in kept.deeds)
            if count > there:
                yield (
                    f"{slugs.get(study, study)}: rows without the act that comes with each ({kept.noun}): "
                    f"{count - there:,} of {count:,}."
                )
    yield from _acts_of_payment(slugs)


def _acts_of_payment(slugs: dict[int, str]) -> Iterator[str]:
    """One act is of many decisions, and says of how many."""
    said = Counter[int]()
    decided = Act.objects.filter(deed=Deed.PAYMENT_DECIDED).order_by()
    for study, facts in decided.values_list("study_pk", "facts").iterator():
        said[study] += facts.get("sittings", 0)
    decisions = PaymentDecision.objects.order_by().values_list("sitting__study").annotate(Count("pk"))
    for study, count in decisions:
        if count > said[study]:
            stored = counted(count, "decision")
            yield f"{slugs.get(study, study)}: stores {stored} on payment; its acts say {said[study]:,}."
