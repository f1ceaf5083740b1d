"""Every sitting with what its payment rests on and what was decided: the only file with platforms' ids."""

from collections.abc import Iterator

from annotation.models import Study
from annotation.paying.lines import PayLine, all_lines
from annotation.paying.money import pay_of
from annotation.paying.queue import queue
from comparison.figures.file import ORIGIN, File, Row, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.names import annotator_name

HEADER = [
    *ORIGIN, "sitting", "annotator", "platform_id", "platform_study", "platform_session", "device", "outcome", "code",
    "started_at", "finished_at", "answered", "cannot_judge", "offered", "minutes", "minutes_at_items", "timed_answers",
    "pay", "currency", "hourly", "verdict", "evidence",
    "payment", "reason", "message", "bonus", "bonus_reason", "decided_by", "decided_at",
    "bonus_handed_in",
]  # fmt: skip


def payments(study: Study, selection: Selection) -> Iterator[Row]:
    """Sittings that were held here, the newest first, some at a time."""
    yield HEADER
    pay = pay_of(study)
    for line in all_lines(study, queue(study), pay=pay):
        yield [
            *origin(study),
            *_of_sitting(line),
            pay,
            study.currency,
            line.hourly,
            *_decided(line),
            line.handed_in and line.handed_in.amount,
        ]


def _of_sitting(line: PayLine) -> Row:
    one = line.sitting
    return [
        one.pk, annotator_name(one.annotator_id), line.given_id, one.platform_study, one.platform_session, one.device,
        one.outcome, line.code, one.started_at.isoformat(), one.finished_at and one.finished_at.isoformat(),
        line.answered, line.declined, line.offered, line.minutes, line.active_minutes, line.measured,
    ]  # fmt: skip


def _decided(line: PayLine) -> Row:
    made = line.decision
    found: Row = [line.verdict, line.evidence, line.sitting.payment]
    if made is None:
        return [*found, "", "", None, "", "", None]
    by = made.by.get_username() if made.by is not None else "command"
    return [*found, made.reason, made.message, made.bonus, made.bonus_reason, by, made.at.isoformat()]


PAYMENTS = File(
    key="payments",
    title="Payments",
    says="every sitting with what was decided, and the platform’s ids: not for publication",
    rows=payments,
    is_whole=True,
    is_streamed=True,
    is_of_people=True,
    names_people=True,
)
