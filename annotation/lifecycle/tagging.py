"""Words that researchers sort their studies by. They are this installation's: a study's folder does not have them."""

from collections.abc import Iterable

from django.db import transaction

from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.models import Study

MOST_TAGS = 20
LONGEST = 40


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
