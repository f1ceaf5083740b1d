"""Writing an act, in the transaction of its deed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.db import transaction

from accounts.models import User
from annotation.audit.acting import current
from annotation.audit.deeds import Deed
from annotation.models import Act, Study

# A value, or what it was and what it is.
Fact = str | int | Sequence[str | int]
LONGEST = 200


def record(
    study: Study,
    deed: Deed,
    subject: object = "",
    *,
    by: User | None = None,
    facts: Mapping[str, Fact] | None = None,
    for_editors: Mapping[str, Fact] | None = None,
) -> Act:
    """In the caller's transaction: the deed and its act are stored together or not at all.

    `by` is whose deed it is where the caller was told; else that of who acts. What says who an annotator is, or is in
    their words, belongs into none of these.
    """
    if not transaction.get_connection().in_atomic_block:
        raise RuntimeError(f"“{deed}” would be kept apart from the deed itself: record it in the deed's transaction.")
    actor = current()
    if by is not None:
        actor = replace(actor, who=by.get_username(), user_pk=by.pk)
    return Act.objects.create(
        study_pk=study.pk,
        slug=study.slug,
        title=study.title,
        deed=deed.value,
        subject=str(subject)[:LONGEST],
        facts=dict(facts or {}),
        for_editors=dict(for_editors or {}),
        who=actor.who,
        user_pk=actor.user_pk,
        via=actor.via.value,
        system_user=actor.system_user,
    )


def taken_out(study: Study, what: str, *, for_editors: Mapping[str, Fact] | None = None, **facts: Fact) -> None:
    """A file of the study's has been given to somebody: which, and how it was asked for."""
    with transaction.atomic():
        record(
            study,
            Deed.EXPORTED,
            what,
            facts={name: value for name, value in facts.items() if value != ""},
            for_editors=for_editors,
        )
