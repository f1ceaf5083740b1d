"""A study from what the two files of its folder would hold, without a folder; and more items while it is a draft."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db.models import QuerySet

from accounts.models import User
from annotation.drafting import items as drafting
from annotation.drafting.rows import ids_there
from annotation.itemfile import NAME, ItemFileError, items_of
from annotation.loading import LoadRefused, StudyFolder, store_folder
from annotation.models import Study
from annotation.studyfile import StudyFile

Objects = Sequence[Mapping[str, Any]]


def make_study(file: StudyFile, *, owner: User, among: QuerySet[Study]) -> Study:
    """A draft of what `study_holding` has read and checked. LoadRefused where the name is taken.

    `among` are the studies whose participants it may exclude.
    """
    return store_folder(StudyFolder(file, None), owner=owner, among=among.exclude(slug=file.slug)).study


def add_items(study: Study, items: Objects) -> int:
    """Behind those that a draft has, all of them or none; how many. ItemFileError with every fault by line,
    StudyFileError where the settings do not fit them, LoadRefused for a study that has opened.
    """
    there = ids_there(study, (str(one.get("id")) for one in items))
    rows = items_of(items, study.task, beside=there)
    try:
        drafting.add_items(study, rows)
    except drafting.DraftRefused as refused:
        if refused.faults:
            raise ItemFileError(Path(NAME), refused.faults) from None
        raise LoadRefused(str(refused)) from None
    return len(rows)
