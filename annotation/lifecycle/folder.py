"""A study as the folder of two files that makes it again: taken out, told by one hash, brought in, and copied.

Also made without a folder, of what the two files would hold; and given more items while it is a draft.
"""

import hashlib
import json
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from annotation import itemfile, studyfile
from annotation.access.matrix import Right
from annotation.access.visible import studies_for
from annotation.audit.acts import record
from annotation.audit.deeds import Deed
from annotation.drafting import items as drafting
from annotation.drafting.rows import ids_there, read_rows, row_of
from annotation.itemfile import NAME, ItemFileError, items_of
from annotation.lifecycle.unpacked import read_zip
from annotation.loading import Loaded, LoadRefused, StudyFolder, store_folder
from annotation.models import Study
from annotation.studyfile import StudyFile, study_of, tables_of
from corpus.toml_text import toml_text

Objects = Sequence[Mapping[str, Any]]


def settings_text(study: Study) -> str:
    """Its study.toml as it stands."""
    return toml_text(tables_of(study), by_lines=True)


def item_lines(study: Study) -> Iterator[str]:
    """Its items.jsonl as it stands: with gold that was taken here and words that were revised."""
    for item in study.items.order_by("position").iterator(chunk_size=2_000):
        yield row_of(item).as_json() + "\n"


def study_hash(study: Study) -> str:
    """The sha256 of what its two files say: the same wherever a folder makes the same study, in whatever database.

    Keys are sorted, since PostgreSQL keeps them in an order of its own; items are told by the hash of them all.
    """
    settings = json.dumps(tables_of(study), sort_keys=True, ensure_ascii=False, default=str)
    return hashlib.sha256(f"{settings}\0{study.content_hash}".encode()).hexdigest()


def write_folder(study: Study, file: IO[bytes]) -> None:
    """Both files as a zip file, whose bytes depend on nothing else."""
    with zipfile.ZipFile(file, "w") as out:
        with out.open(_entry(study, studyfile.NAME), "w") as written:
            written.write(settings_text(study).encode())
        with out.open(_entry(study, itemfile.NAME), "w") as written:
            for line in item_lines(study):
                written.write(line.encode())


def read_zip_folder(file: IO[bytes], *, name: str) -> StudyFolder:
    """The folder of a study that a zip file holds. FolderFileError for another kind of file, and else what reading a
    folder raises.
    """
    return StudyFolder(*read_zip(file, name=name))


def load_zip(file: IO[bytes], *, name: str, owner: User, among: QuerySet[Study]) -> Loaded:
    """Load the study whose folder a zip file holds, as `load_study` loads a folder.

    Raises what reading and storing a folder raise; then nothing has changed. `owner` and `among` are those of
    `store_folder`.
    """
    return store_folder(read_zip_folder(file, name=name), owner=owner, among=among)


def duplicate(study: Study, *, slug: str, title: str, owner: User) -> Study:
    """A draft of the same settings and items, and of no labels.

    LoadRefused where the name is taken; StudyFileError where it excludes participants of studies in which the owner of
    the new one collects no labels.
    """
    tables: dict[str, Any] = {**tables_of(study), "slug": slug, "title": title}
    copy = StudyFolder(study_of(tables, read_rows(study), folder=Path(slug)), None)
    with transaction.atomic():
        made = store_folder(copy, owner=owner, among=studies_for(owner, Right.COLLECT).exclude(slug=slug)).study
        record(study, Deed.COPIED, for_editors={"to": made.slug})
        record(made, Deed.TAKEN_OVER, for_editors={"from": study.slug})
    return made


def _entry(study: Study, name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(f"{study.slug}/{name}")
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


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
    rows = items_of(items, study.task, existing=there)
    try:
        drafting.add_items(study, rows)
    except drafting.DraftRefused as refused:
        if refused.faults:
            raise ItemFileError(Path(NAME), refused.faults) from None
        raise LoadRefused(str(refused)) from None
    return len(rows)
