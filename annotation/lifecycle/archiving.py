"""How the list of studies is kept in order: studies put aside, or taken up again, and tags."""

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Study

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
        raise CannotArchive(f"{study.title} is open, so that people can come to it. Close it first.")


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
            raise TagsRefused(f"“{one[:LONGEST]}” cannot be a tag: it has a comma or a control character.")
        if len(one) > LONGEST:
            raise TagsRefused(f"“{one[:LONGEST]}…” is longer than {LONGEST} characters.")
        found.setdefault(one.casefold(), one)
    if len(found) > MOST_TAGS:
        raise TagsRefused(f"A study has {MOST_TAGS} tags at most, and these are {len(found):,}.")
    return [found[name] for name in sorted(found)]
