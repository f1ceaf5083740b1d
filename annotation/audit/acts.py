"""Writing an act, in the transaction of its deed; and in short what has become of a study's settings."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from django.db import transaction

from accounts.models import User
from annotation.audit.acting import current
from annotation.audit.deeds import Deed
from annotation.models import Act, Study
from corpus.provenance import digest

LONGEST_VALUE = 60
# What an analyst does not see: codes, addresses of return, and the names of other studies.
KEPT_BACK = ("codes", "return", "collection.excludes", "collection.id_pattern")

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


def taken_out(study: Study, what: str, **facts: Fact) -> None:
    """A file of the study's has been given to somebody: which, and how it was asked for."""
    with transaction.atomic():
        record(study, Deed.EXPORTED, what, facts={name: value for name, value in facts.items() if value != ""})


def changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> dict[str, Fact]:
    """Between two states of `tables_of`, in the order of the alphabet. Longer texts by their length and hash."""
    was, now = dict(_flat(before)), dict(_flat(after))
    return {
        path: _in_short(path, was.get(path), now.get(path))
        for path in sorted(was.keys() | now.keys())
        if was.get(path) != now.get(path)
    }


def _flat(tables: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, value in tables.items():
        if isinstance(value, Mapping):
            yield from ((f"{name}.{inner}", one) for inner, one in value.items())
        else:
            yield name, value


def _in_short(path: str, was: Any, now: Any) -> Fact:
    if path in KEPT_BACK or path.partition(".")[0] in KEPT_BACK:
        return "changed"
    return [_said(was), _said(now)]


def _said(value: Any) -> str | int:
    if value is None:
        return "not set"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return value
    text = value if isinstance(value, str) else ", ".join(map(str, value)) if _is_plain(value) else None
    if text is not None and len(text) <= LONGEST_VALUE and text.isprintable():
        return text or "empty"
    if text is not None:
        return f"text of {len(text):,} characters, sha256 {digest(value)[:8]}"
    return f"{len(value):,} entries, sha256 {digest(value)[:8]}" if hasattr(value, "__len__") else str(value)


def _is_plain(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and all(isinstance(one, (str, int, float)) for one in value)
