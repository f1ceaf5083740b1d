"""What is known of every sitting beside its labels: how it ended, consent, comprehension, the questionnaire."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.figures.file import ORIGIN, File, Row, Written, origin
from comparison.frame.filters.selection import Selection
from comparison.frame.names import annotator_name

HEADER = [
    *ORIGIN, "annotator", "profile", "sitting", "stage", "outcome", "started_at", "finished_at", "device",
    "consent_version", "agreed", "decided_at", "comprehension_tries", "comprehension_passed",
]  # fmt: skip
CHUNK = 1_000


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
    yield [*HEADER, *(f"answer_{name}" for name in fields)]
    rows = (
        study.sittings.filter(source=None)
        .select_related("annotator", "consent__version", "questionnaire")
        .prefetch_related("comprehension")
    )
    for one in rows.order_by("pk").iterator(chunk_size=CHUNK):
        consent, questionnaire = getattr(one, "consent", None), getattr(one, "questionnaire", None)
        answers = questionnaire.answers if questionnaire else {}
        tries = list(one.comprehension.all())
        yield [
            *origin(study),
            annotator_name(one.annotator_id),
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


PARTICIPANTS = File(
    key="participants",
    title="Participants",
    says="how every sitting ended, its consent, its comprehension questions and its questionnaire",
    says_anonymous="how every sitting ended, its consent, its comprehension questions and its questionnaire, "
    "but for what people wrote",
    rows=participants,
    is_whole=True,
    is_streamed=True,
    is_of_people=True,
)
