"""A study from what the two files of its folder would hold, without a folder; and more items while it is a draft."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from annotation.itemfile import NAME, ItemFileError, items_of
from annotation.loading import Loaded, LoadRefused, StudyFolder, store_folder, store_items, store_settings
from annotation.models import Study
from annotation.revised import row_of
from annotation.studyfile import settings_of, study_holding, tables_of
from corpus.errors import Fault
from corpus.provenance import digest

Objects = Sequence[Mapping[str, Any]]


def make_study(tables: Mapping[str, Any], items: Objects, *, owner: User, among: QuerySet[Study]) -> Study:
    """A draft. StudyFileError or ItemFileError with every fault; LoadRefused where the name is taken.

    `among` are the studies whose participants it may exclude.
    """
    file = study_holding(tables, items)
    return store_folder(StudyFolder(file, None), owner=owner, among=among.exclude(slug=file.slug)).study


def add_items(study: Study, items: Objects) -> Loaded:
    """Behind those that a draft has: all of them or none. ItemFileError with every fault by line, StudyFileError where
    the settings do not fit them, LoadRefused for a study that has opened.
    """
    fresh = items_of(items, study.task, some=False)
    with transaction.atomic():
        now = Study.objects.select_for_update().get(pk=study.pk)
        if now.has_opened:
            raise LoadRefused(f"{now.slug} has opened, and its items are what people have begun to label.")
        before = [row_of(item) for item in now.items.order_by("position").iterator(chunk_size=2_000)]
        names = {row.id for row in before}
        faults = [
            Fault(f"line {number}.id", f"{row.id!r} is in the study already")
            for number, row in enumerate(fresh, start=1)
            if row.id in names
        ]
        if faults:
            raise ItemFileError(Path(NAME), faults)
        rows = [*before, *fresh]
        file = settings_of(tables_of(now), rows)
        return store_items(store_settings(file, content_hash=digest([row.as_json() for row in rows])), rows)
