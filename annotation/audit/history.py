"""A study's acts, the latest first, a page at a time: each page is read from an index, however many there are."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from annotation.audit.deeds import Via
from annotation.models import Act, Study

PER_PAGE = 100
BATCH = 2_000
COLUMNS = ("at", "who", "via", "system user", "deed", "subject", "facts")
# More names than this are no choice to be made from a list.
MOST_NAMES = 200


@dataclass(frozen=True, slots=True)
class Page:
    """`older`: the cursor of the page after it; None for the last."""

    acts: list[Act]
    older: int | None


def acts_of(study: Study, *, who: str = "", deed: str = "") -> "QuerySet[Act]":
    """Empty: of everybody, of every kind."""
    return narrowed(Act.objects.filter(study_pk=study.pk), who=who, deed=deed)


def acts_called(slug: str, *, who: str = "", deed: str = "") -> "QuerySet[Act]":
    """Of every study that was called so when it was done, also of one that is gone."""
    return narrowed(Act.objects.filter(slug=slug), who=who, deed=deed)


def narrowed(acts: "QuerySet[Act]", *, who: str, deed: str) -> "QuerySet[Act]":
    by = {name: value for name, value in (("who", who), ("deed", deed)) if value}
    return acts.filter(**by).order_by("-pk")


def read_page(acts: "QuerySet[Act]", *, before: int | None = None) -> Page:
    """The next that came before this key, or the latest."""
    if before is not None:
        acts = acts.filter(pk__lt=before)
    found = list(acts[: PER_PAGE + 1])
    shown = found[:PER_PAGE]
    return Page(shown, shown[-1].pk if len(found) > PER_PAGE else None)


def names_in(study: Study, column: str) -> list[str]:
    """What stands in the column `who` or `deed`, each once: by a step through the index for each."""
    found: list[str] = []
    acts = Act.objects.filter(study_pk=study.pk)
    while len(found) < MOST_NAMES:
        rest = acts.filter(**{f"{column}__gt": found[-1]}) if found else acts
        name = rest.order_by(column).values_list(column, flat=True).first()
        if name is None:
            break
        found.append(name)
    return [name for name in found if name]


def who_of(act: Act) -> str:
    return act.who or "system"


def how_of(act: Act) -> str:
    """By which way somebody came to it, where it was no page."""
    match Via(act.via):
        case Via.COMMAND:
            return f"by command, as {act.system_user} on the server"
        case Via.API:
            return "by the API"
        case Via.SHARE:
            return "by a shared link"
    return ""


def facts_of(act: Act, *, edits: bool) -> list[str]:
    """What there is to say of it, to whoever may edit the study or to others."""
    told: Mapping[str, Any] = {**act.facts, **(act.for_editors if edits else {})}
    return [f"{name}: {_said(value)}" for name, value in told.items()]


def rows(acts: "QuerySet[Act]", *, edits: bool) -> Iterator[tuple[str, ...]]:
    """For a file, the header first."""
    yield COLUMNS
    for act in acts.iterator(chunk_size=BATCH):
        facts = "; ".join(facts_of(act, edits=edits))
        at = act.at.isoformat(timespec="seconds")
        yield at, who_of(act), act.via, act.system_user, act.deed, act.subject, facts


def _said(value: Any) -> str:
    if isinstance(value, list):
        return " → ".join(map(_said, value))
    return f"{value:,}" if isinstance(value, int) else str(value)
