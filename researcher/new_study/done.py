"""What the last page of a new study shows: what became of the file, and what the study still needs."""

from collections.abc import Sequence
from dataclasses import dataclass

from annotation.languages import DEFAULT
from annotation.models import Study
from researcher.models import Job
from researcher.setup.overview import ToDo, read_overview
from scoring.library.language import language_name

LEFT_OUT = "left out, "
OPTIONAL_SHOWN = 3


@dataclass(frozen=True, slots=True)
class Made:
    """`left_out` are rows of the file that are no items, each with why; `known` items have a right answer.

    `pages`: the language of its pages, where it was guessed from the texts.
    """

    items: int
    known: int
    left_out: Sequence[str]
    needed: Sequence[ToDo]
    optional: Sequence[ToDo]
    pages: str = ""


def read_made(study: Study) -> Made:
    overview = read_overview(study)
    job = Job.objects.filter(kind=Job.Kind.ITEMS, made=study).order_by("pk").last()
    return Made(
        items=study.items.count(),
        known=study.items.exclude(reference=None).count(),
        left_out=[line.removeprefix(LEFT_OUT) for line in job.summary if line.startswith(LEFT_OUT)] if job else [],
        needed=overview.needed,
        optional=overview.optional[:OPTIONAL_SHOWN],
        pages="" if study.language == DEFAULT else f"pages in {language_name(study.language)}",
    )
