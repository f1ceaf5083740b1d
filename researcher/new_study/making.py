"""From an upload and what was said of its columns to a study, or to what is wrong with it, row by row."""

from dataclasses import dataclass

from accounts.models import User
from annotation.models import Study
from annotation.tasktypes.contract import TaskType
from corpus.errors import Fault
from researcher.making import put_in_place
from researcher.new_study.columns_form import configured
from researcher.new_study.pictures import Picture, picture_of
from researcher.new_study.uploads import Upload
from stimuli.datasets.table.columns import item_row
from stimuli.datasets.table.making import Asked, made
from stimuli.datasets.table.rows import Table


@dataclass(frozen=True, slots=True)
class FirstItem:
    """The first row as annotators would see it, or what keeps it from being an item."""

    picture: Picture | None
    faults: list[Fault]


def make_study(upload: Upload, asked: Asked, *, owner: User) -> Study:
    """The study, stored and owned. SourceError with every fault, FolderRefused, LoadRefused; nothing is stored then."""
    table = upload.table()
    study = made(table.files[0], table, asked)
    [placed] = put_in_place([study], out=None, load=True, owner=owner, among=Study.objects.none())
    assert placed.loaded is not None, "it was asked to be loaded"
    return placed.loaded.study


def first_item(table: Table, asked: Asked) -> FirstItem | None:
    """None where there is no row, or the task is not said in full yet."""
    task = configured(asked)
    if task is None or not table.rows:
        return None
    item, faults = item_row(table.rows[0], 1, asked.columns, table.columns)
    faults = faults or [in_words(fault.under(table.rows[0].where), task) for fault in task.validate(item.content)]
    return FirstItem(None if faults else picture_of(task, item.content), faults)


def in_words(fault: Fault, task: TaskType | type[TaskType]) -> Fault:
    """A fault of a field that no column is mapped to, under what the page calls that field."""
    words = {one.name: one.words for one in task.content_fields}
    where, _, field = fault.field.replace(", ", ".").rpartition(".")
    return Fault(f"{where}, {words[field]}", fault.message) if where and field in words else fault
