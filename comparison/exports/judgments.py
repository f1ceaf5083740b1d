"""Every answer that was given, counted or not, one line each."""

from collections.abc import Collection, Iterator
from itertools import islice
from typing import Any

from annotation.models import Annotator, Assignment, Revision, Sitting, Study
from comparison.exports.cells import written
from comparison.exports.columns import moment, order_shown, text_of
from comparison.exports.rows import ORIGIN, Row, Written, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.names import annotator_name

HEADER = [
    *ORIGIN, "item", "kind", "annotator", "profile", "sitting", "position", "answer", "reference", "state",
    "counts", "response_ms", "shown_at", "answered_at", "earlier_answers", "order_shown", "instructions_version",
]  # fmt: skip
# Items whose labels are read at once: some thousands of lines, however many there are in all.
CHUNK = 500
COLUMNS = (
    "item_id", "judgment__pk", "annotator_id", "sitting_id", "position", "judgment__answer", "state",
    "judgment__response_ms", text_of("shown_at"), text_of("judgment__answered_at"), text_of("presentation"),
)  # fmt: skip
Line = tuple[Any, ...]


def judgments(study: Study, selection: Selection) -> Iterator[Row | Written]:
    """All kinds of items, all states. Annotators are numbers; the platform's ids stay in the house."""
    yield HEADER
    head = tuple(written(text) for text in origin(study))
    profiles: dict[int, str] = {}
    told: dict[int, str] = {}
    items = study.items.order_by("position", "pk").values_list("pk", "external_id", "kind", "reference")
    found = items.iterator(chunk_size=CHUNK)
    has_earlier = Revision.objects.filter(judgment__assignment__item__study=study).exists()
    while chunk := list(islice(found, CHUNK)):
        labels = _labels([pk for pk, *_ in chunk])
        given = [line for of_item in labels.values() for line in of_item]
        _learn(profiles, {line[2] for line in given}, Annotator, "profile")
        _learn(told, {line[3] for line in given}, Sitting, "instructions_version")
        earlier = _earlier([line[1] for line in given]) if has_earlier else {}
        for pk, item, kind, reference in chunk:
            of_item = (*head, written(item), kind), written(reference)
            yield from _lines(*of_item, labels.get(pk, ()), profiles, told, earlier)


def _labels(items: list[int]) -> dict[int, list[Line]]:
    """What was answered of each item, in the order of its assignments."""
    answered = Assignment.objects.filter(item__in=items, state__in=Assignment.ANSWERED)
    found: dict[int, list[Line]] = {}
    for line in answered.order_by("item_id", "pk").values_list(*COLUMNS):
        found.setdefault(line[0], []).append(line)
    return found


def _learn(known: dict[int, str], wanted: set[int], rows: type[Annotator | Sitting], name: str) -> None:
    """Of people and sittings there are few: what is said of them is asked for once, and not joined to every line."""
    if missing := wanted - known.keys():
        found = rows._default_manager.filter(pk__in=missing).values_list("pk", name)
        known.update((pk, written(text)) for pk, text in found)


def _lines(
    head: Written,
    reference: str,
    labels: Collection[Line],
    profiles: dict[int, str],
    told: dict[int, str],
    earlier: dict[int, str],
) -> Iterator[Written]:
    counted = Assignment.State.COUNTED.value
    for _, pk, who, sitting, position, answer, state, ms, shown, at, how in labels:
        yield (
            *head, annotator_name(who), profiles[who], str(sitting), str(position), written(answer), reference, state,
            "true" if state == counted else "false", "" if ms is None else str(ms), moment(shown), moment(at),
            written(earlier.get(pk)), order_shown(how), told[sitting],
        )  # fmt: skip


def _earlier(judgments: list[int]) -> dict[int, str]:
    """The answers that were changed, of each judgment that has any, in the order in which they were given."""
    found: dict[int, list[str]] = {}
    for one in Revision.objects.filter(judgment__in=judgments):
        found.setdefault(one.judgment_id, []).append(f"{one.answer} {one.answered_at.isoformat()}")
    return {pk: "; ".join(answers) for pk, answers in found.items()}
