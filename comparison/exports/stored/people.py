"""What is stored of people: sittings, payments (the only file with platforms' ids), adjudications, problem reports."""

from collections.abc import Iterator
from operator import attrgetter

from annotation.models import ItemReport, Study
from annotation.paying.lines import PayLine, all_lines
from annotation.paying.money import pay_of
from annotation.paying.queue import queue
from comparison.figures.file import ORIGIN, Row, StoredOfPeople, Written, origin
from comparison.frame.filters.selection import Selection

CHUNK = 1_000
SITTINGS_HEAD = [
    *ORIGIN, "annotator", "profile", "sitting", "stage", "outcome", "started_at", "finished_at", "device",
    "consent_version", "agreed", "decided_at", "comprehension_tries", "comprehension_passed",
]  # fmt: skip


def participants(study: Study, selection: Selection) -> Iterator[Row | Written]:
    """All sittings that were held here, also those without a label. Annotators are numbers, as among the judgments.

    A column for each field of the questionnaire as the study has it now, and for each that was answered before;
    anonymous only answers that were there to be chosen, since who writes may say who they are.
    """
    answered = study.sittings.exclude(questionnaire=None).values_list("questionnaire__answers", flat=True)
    offered = {field.name: field.choices for field in study.path.questionnaire}
    fields = dict.fromkeys(offered)
    for answers in answered.iterator(chunk_size=CHUNK):
        fields |= dict.fromkeys(answers)
    if selection.anonymous:
        fields = dict.fromkeys(name for name, choices in offered.items() if choices)
    yield [*SITTINGS_HEAD, *(f"answer_{name}" for name in fields)]
    rows = (
        study.sittings.filter(source=None)
        .select_related("annotator", "consent__version", "questionnaire")
        .prefetch_related("comprehension")
    )
    read = rows.order_by("pk").iterator(chunk_size=CHUNK)
    for name, one in study.annotator_numbers.beside(read, attrgetter("annotator_id")):
        consent, questionnaire = getattr(one, "consent", None), getattr(one, "questionnaire", None)
        answers = questionnaire.answers if questionnaire else {}
        tries = list(one.comprehension.all())
        yield [
            *origin(study),
            name,
            one.annotator.profile,
            one.pk,
            one.stage,
            one.outcome,
            one.started_at.isoformat(),
            one.finished_at.isoformat() if one.finished_at else None,
            one.device,
            consent.version.version if consent else None,
            consent.agreed if consent else None,
            consent.decided_at.isoformat() if consent else None,
            len(tries),
            any(each.passed for each in tries) if tries else None,
            *(
                answers.get(name) if not selection.anonymous or answers.get(name) in offered[name] else None
                for name in fields
            ),
        ]


PARTICIPANTS = StoredOfPeople(
    key="participants",
    title="Participants",
    says="one row per batch: outcome, consent, comprehension and questionnaire",
    line="a batch here, with or without labels",
    says_anonymous="one row per batch: outcome, consent, comprehension and questionnaire, without free text",
    rows=participants,
)


PAYMENTS_HEAD = [
    *ORIGIN, "sitting", "annotator", "platform_id", "platform_study", "platform_session", "device", "outcome", "code",
    "started_at", "finished_at", "answered", "cannot_judge", "offered", "minutes", "minutes_at_items", "timed_answers",
    "pay", "currency", "hourly", "verdict", "evidence",
    "payment", "reason", "message", "bonus", "bonus_reason", "decided_by", "decided_at",
    "bonus_handed_in",
]  # fmt: skip


def payments(study: Study, selection: Selection) -> Iterator[Row]:
    """Every sitting that was held here, the newest first, with what its payment rests on and what was decided."""
    yield PAYMENTS_HEAD
    pay = pay_of(study)
    read = all_lines(study, queue(study), pay=pay)
    for name, line in study.annotator_numbers.beside(read, attrgetter("sitting.annotator_id")):
        yield [
            *origin(study),
            *_of_sitting(line, name),
            pay,
            study.currency,
            line.hourly,
            *_decided(line),
            line.handed_in and line.handed_in.amount,
        ]


def _of_sitting(line: PayLine, name: str) -> Row:
    one = line.sitting
    return [
        one.pk, name, line.given_id, one.platform_study, one.platform_session, one.device,
        one.outcome, line.code, one.started_at.isoformat(), one.finished_at and one.finished_at.isoformat(),
        line.answered, line.declined, line.offered, line.minutes, line.active_minutes, line.measured,
    ]  # fmt: skip


def _decided(line: PayLine) -> Row:
    decision = line.decision
    row: Row = [line.verdict, line.evidence, line.sitting.payment]
    if decision is None:
        return [*row, "", "", None, "", "", None]
    by = decision.by.get_username() if decision.by is not None else "command"
    return [*row, decision.reason, decision.message, decision.bonus, decision.bonus_reason, by, decision.at.isoformat()]


PAYMENTS = StoredOfPeople(
    key="payments",
    title="Payments",
    says="one row per submission, with decision and platform IDs: not for publication",
    line="a submission of a person here",
    rows=payments,
    names_people=True,
)


def adjudications(study: Study, selection: Selection) -> Iterator[Row]:
    """One line a decision of a researcher, in the order of time, with the labels of then; those undone later too."""
    values = study.task.scale.values
    yield [
        *ORIGIN, "item", "text", "decision", "undecidable", "note", "stands", "by", "at", "reference",
        *(f"labels:{value}" for value in values),
    ]  # fmt: skip
    head, text = origin(study), study.task.text
    for one in study.adjudications.select_related("item", "by").iterator(chunk_size=CHUNK):
        yield [
            *head, one.item.external_id, text(one.item.content), one.decision or None, not one.decision, one.note,
            one.stands, one.by.get_username(), one.at.isoformat(), one.item.reference,
            *(one.tally.get(value, 0) for value in values),
        ]  # fmt: skip


ADJUDICATIONS = StoredOfPeople(
    key="adjudications",
    title="Adjudications",
    says="researchers’ decisions on items without a majority",
    line="a researcher's decision on an item without a majority",
    rows=adjudications,
)


def reports(study: Study, selection: Selection) -> Iterator[Row]:
    """One line a report of a problem, in the order in which they were first written; anonymous without their words."""
    yield [*ORIGIN, "item", "kind", "text", "annotator", "sitting", "report", "at"]
    item_reports = ItemReport.objects.filter(item__study=study).select_related("item", "sitting").order_by("pk")
    head, text, read = origin(study), study.task.text, item_reports.iterator(chunk_size=CHUNK)
    for name, one in study.annotator_numbers.beside(read, attrgetter("sitting.annotator_id")):
        yield [
            *head, one.item.external_id, one.item.kind, text(one.item.content),
            name, one.sitting_id, None if selection.anonymous else one.text, one.at.isoformat(),
        ]  # fmt: skip


REPORTS = StoredOfPeople(
    key="reports",
    title="Reported problems",
    says="problems in annotators’ own words: read before sharing",
    line="a reported problem with an item",
    says_anonymous="items that annotators reported",
    rows=reports,
)
