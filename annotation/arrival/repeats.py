"""Who has been here before: in a study that this one excludes, or on a list of ids that was imported."""

from collections.abc import Iterable
from pathlib import Path

from django.db.models import QuerySet
from django.utils.crypto import salted_hmac

from annotation.arrival.refusals import TakenPartBefore
from annotation.models import Annotator, Sitting, Study
from annotation.platforms.outcome import Outcome
from annotation.studyfile import NAME, StudyFileError
from corpus.errors import Fault


def refuse_repeat(study: Study, platform: str, known_as: str) -> None:
    """For somebody who would begin, by the keyed hash of what they came with. Raises TakenPartBefore.

    Who declined to take part elsewhere has seen no item of it.
    """
    if study.excludes:
        elsewhere = Sitting.objects.filter(
            study__slug__in=study.excludes, annotator__platform=platform, annotator__external_id=known_as
        )
        if elsewhere.exclude(outcome=Outcome.NO_CONSENT).exists():
            raise TakenPartBefore
    if study.barred_ids.filter(key=key_of(study, known_as)).exists():
        raise TakenPartBefore


def refuse_foreign(asked: Iterable[str], before: Iterable[str], among: QuerySet[Study]) -> None:
    """Studies to be excluded that are not `among` those of whoever asks: who begins would tell who took part there.

    StudyFileError in the same words whether or not there is such a study. What was declared before stays.
    """
    new = {*asked} - {*before}
    known = set(among.filter(slug__in=[slug for slug in new if slug.isprintable()]).values_list("slug", flat=True))
    if strange := sorted(new - known):
        said = f"names {', '.join(strange)}, and you collect labels in no such study"
        raise StudyFileError(Path(NAME), [Fault("collection.excludes", said)])


def one_start_at_once(study: Study, annotator: Annotator) -> None:
    """Until the transaction ends, the annotator begins in no other study that excludes some.

    Two studies that exclude each other have a lock each: without this one, two starts at once would both find nothing
    elsewhere. The caller holds the study's lock. (SQLite has one writer at a time, and its starts are writers.)
    """
    if study.excludes:
        Annotator.objects.select_for_update(no_key=True).get(pk=annotator.pk)


def key_of(study: Study, known_as: str) -> str:
    """What a list keeps of an id's keyed hash (annotation/arrival/known_by.py): of each study another."""
    return salted_hmac("annotation.barred_id", f"{study.slug}/{known_as}", algorithm="sha256").hexdigest()
