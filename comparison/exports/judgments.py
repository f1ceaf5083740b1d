"""Every answer that was given, counted or not, one line each."""

from collections.abc import Iterator
from itertools import islice

from annotation.models import Assignment, Revision, Study
from comparison.exports.columns import moment, order_shown, text_of
from comparison.exports.rows import ORIGIN, Row, origin
from comparison.frame.names import annotator_name
from comparison.frame.selection import Selection

HEADER = [
    *ORIGIN, "item", "kind", "annotator", "profile", "sitting", "position", "answer", "reference", "state",
    "counts", "response_ms", "shown_at", "answered_at", "earlier_answers", "order_shown", "instructions_version",
]  # fmt: skip
CHUNK = 2000
COLUMNS = (
    "judgment__pk", "item__external_id", "item__kind", "annotator_id", "annotator__profile", "sitting_id", "position",
    "judgment__answer", "item__reference", "state", "judgment__response_ms", text_of("shown_at"),
    text_of("judgment__answered_at"), text_of("presentation"), "sitting__instructions_version",
)  # fmt: skip


def judgments(study: Study, selection: Selection) -> Iterator[Row]:
    """All kinds of items, all states. Annotators are numbers; the platform's ids stay in the house."""
    yield HEADER
    answered = Assignment.objects.filter(item__study=study, state__in=Assignment.ANSWERED)
    rows = answered.order_by("item__position", "pk").values_list(*COLUMNS).iterator(chunk_size=CHUNK)
    head, counted = origin(study), Assignment.State.COUNTED.value
    has_earlier = Revision.objects.filter(judgment__assignment__item__study=study).exists()
    while chunk := list(islice(rows, CHUNK)):
        earlier = _earlier([row[0] for row in chunk]) if has_earlier else {}
        for (
            pk,
            item,
            kind,
            who,
            profile,
            sitting,
            position,
            answer,
            reference,
            state,
            ms,
            shown,
            at,
            how,
            told,
        ) in chunk:
            yield [
                *head, item, kind, annotator_name(who), profile, sitting, position, answer, reference, state,
                state == counted, ms, moment(shown), moment(at), earlier.get(pk, ""), order_shown(how), told,
            ]  # fmt: skip


def _earlier(judgments: list[int]) -> dict[int, str]:
    """The answers that were changed, of each judgment that has any, in the order in which they were given."""
    found: dict[int, list[str]] = {}
    for one in Revision.objects.filter(judgment__in=judgments):
        found.setdefault(one.judgment_id, []).append(f"{one.answer} {one.answered_at.isoformat()}")
    return {pk: "; ".join(answers) for pk, answers in found.items()}
