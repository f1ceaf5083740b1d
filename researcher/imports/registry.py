"""The kinds of files that are brought into a study, by the job that imports them."""

from django.urls import reverse

from researcher.imports.kind import FileKind
from researcher.imports.labels import LabelFiles
from researcher.imports.scores import ScoreFiles
from researcher.models import Job

LABELS, SCORES = LabelFiles(), ScoreFiles()
KINDS: dict[str, FileKind] = {kind.key: kind for kind in (LABELS, SCORES)}


def columns_address(job: Job) -> str:
    """Where it is chosen which column of its files is what; empty where nothing is to be chosen."""
    if job.kind == Job.Kind.ITEMS:
        return reverse("items_columns" if job.study else "new_study_columns", args=_in_study(job))
    kind = KINDS.get(job.kind)
    return "" if kind is None or job.key in kind.named else reverse(f"{kind.address}_columns", args=_in_study(job))


def _in_study(job: Job) -> list[str | int]:
    return [job.study.slug, job.pk] if job.study else [job.pk]
