"""How a study stands: opened and closed, put aside and taken up again, and its tags.

Opening fixes the quality policy; it is for good once anybody has come.
"""

from collections.abc import Iterable
from typing import Any

from django.db import transaction
from django.utils import timezone

from annotation.assignment import finish
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Sitting, Study
from annotation.platforms import Outcome
from annotation.quality import exclusion
from annotation.quality.policy import fixed_hash

MOST_TAGS = 20
LONGEST = 40


class CannotArchive(ValueError):
    """Why nothing was changed. str() is a sentence."""


def archive(study: Study) -> None:
    """Nothing else about it changes. CannotArchive for one that is open, since people may come to it."""
    closed = Study.objects.filter(pk=study.pk).exclude(state=Study.State.OPEN)
    with transaction.atomic():
        if closed.filter(archived_at=None).update(archived_at=timezone.now()):
            record(study, Deed.ARCHIVED)
    study.refresh_from_db()
    if study.archived_at is None:
        raise CannotArchive(f"{study.title} is open. Close it first.")


def restore(study: Study) -> None:
    """Back into the list."""
    with transaction.atomic():
        if Study.objects.filter(pk=study.pk).exclude(archived_at=None).update(archived_at=None):
            record(study, Deed.RESTORED)
    study.refresh_from_db()


class TagsRefused(ValueError):
    """Why no tag has changed. str() is a sentence."""


def tag(study: Study, tags: Iterable[str]) -> list[str]:
    """These are the study's tags from now on, each once whatever its capitals, in the order of the alphabet."""
    checked = _checked(tags)
    with transaction.atomic():
        was = Study.objects.select_for_update(no_key=True).get(pk=study.pk).tags
        study.tags = checked
        study.save(update_fields=["tags"])
        if was != checked:
            record(study, Deed.TAGGED, facts={"tags": [", ".join(was) or "none", ", ".join(checked) or "none"]})
    return checked


def _checked(tags: Iterable[str]) -> list[str]:
    found: dict[str, str] = {}
    for one in (" ".join(given.split()) for given in tags):
        if not one:
            continue
        if "," in one or not one.isprintable():
            raise TagsRefused(f"“{one[:LONGEST]}” cannot be a tag: no commas or control characters.")
        if len(one) > LONGEST:
            raise TagsRefused(f"“{one[:LONGEST]}…” is longer than {LONGEST} characters.")
        found.setdefault(one.casefold(), one)
    if len(found) > MOST_TAGS:
        raise TagsRefused(f"A study has at most {MOST_TAGS} tags; you entered {len(found):,}.")
    return [found[name] for name in sorted(found)]


def open_study(study: Study) -> None:
    """Let annotators in; an archived study is in the list again. Open already: nothing changes."""
    with transaction.atomic():
        # As `back_to_draft` locks it.
        now = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        first: dict[str, Any] = {} if now.has_opened else {"opened_at": timezone.now(), "policy_hash": fixed_hash(now)}
        if now.state != Study.State.OPEN:
            Study.objects.filter(pk=now.pk).update(state=Study.State.OPEN, archived_at=None, **first)
            record(now, Deed.OPENED)
    study.refresh_from_db()


def close_study(study: Study) -> None:
    """Accept no more answers. Answers given so far stay.

    An active sitting goes on if the study opens again before its annotator's next request, which would end it
    (`end_shut`).
    """
    with transaction.atomic():
        if Study.objects.filter(pk=study.pk, state=Study.State.OPEN).update(state=Study.State.CLOSED):
            record(study, Deed.CLOSED)
    study.refresh_from_db()


class HasBegun(ValueError):
    """Why a study stays open. str() is a sentence."""


def back_to_draft(study: Study) -> None:
    """Unlock what opening has locked. HasBegun once anybody has a batch: what they were asked must stay as it is."""
    with transaction.atomic():
        # As the start of a batch locks it.
        now = Study.objects.select_for_update(no_key=True).get(pk=study.pk)
        if now.sittings.exists():
            raise HasBegun("The study stays locked: it has batches already. Duplicate it to change more.")
        if now.has_opened:
            Study.objects.filter(pk=now.pk).update(state=Study.State.DRAFT, opened_at=None, policy_hash="")
            record(now, Deed.UNLOCKED)
    study.refresh_from_db()


def end_shut(sitting: Sitting) -> bool:
    """End a sitting that the study has closed on, as its annotator is told so: too late, unless a rule was broken.

    Not when the study closes: then a researcher who opens it again would have ended it for all who were at it. False
    where it is open again by now.
    """
    with transaction.atomic():
        study = Study.objects.select_for_update(no_key=True).get(pk=sitting.study_id)
        if study.state == Study.State.OPEN:
            return False
        # Before any item is: an answer of theirs may hold it, and wait for one.
        Sitting.objects.select_for_update(no_key=True).get(pk=sitting.pk)
        exclusion.apply_policy(study, sitting.annotator)
        finish(sitting, Outcome.TOO_LATE)
    return True
