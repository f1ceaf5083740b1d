"""From a file of items and what was said of its columns to a study, or to what is wrong with it, row by row.

The file lies with a job, which a page does at once: whoever sent the file sees its faults beside its rows.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field

from accounts.models import User
from annotation.loading import Loaded
from annotation.models import Study
from annotation.tasktypes.contract import TaskType
from corpus.errors import FAULTS_SHOWN, Fault, Remark, SourceError
from corpus.formats.registry import TABLE
from corpus.tables.opening import How
from researcher.jobs.folder import drop, folder_of, paths_of
from researcher.jobs.starting import finish_at_once, forget, prepare_job
from researcher.making import put_in_place
from researcher.models import Job
from researcher.new_study.columns_form import ColumnsForm, configured
from researcher.new_study.start_form import Picture, StartForm, picture_of
from stimuli.datasets.table.columns import item_row, keyed, missing_columns
from stimuli.datasets.table.kept import read_apart, read_stored_table
from stimuli.datasets.table.making import TableOptions, study_of_table
from stimuli.datasets.table.remarking import known_answers, remarks_on
from stimuli.datasets.table.rows import Table

KEPT = "table.json"


@dataclass(frozen=True, slots=True)
class FirstItem:
    """The first row as annotators would see it, or what keeps it from being an item."""

    picture: Picture | None
    faults: list[Fault]


def take_in(form: StartForm, *, owner: User, study: Study | None = None) -> Job:
    """A job with the form's file and the table in it. SourceError with every fault; nothing is kept then."""
    said = form.cleaned_data
    given = {"task": study.task_type if study is not None else said["task"], "format": said["format"]}
    files = {Job.Kind.ITEMS.value: [form.source]}
    job = prepare_job(Job.Kind.ITEMS, said["format"] or TABLE, owner=owner, given=given, files=files, study=study)
    try:
        read_as(job, How(encoding=said["encoding"] if said["file"] else ""))
        if not (table := table_of(job)).rows:
            none = Fault("file", "has no rows below the header")
            raise SourceError(table.files[0], [none])
    except BaseException:
        forget(job)
        raise
    return job


def read_as(job: Job, how: How) -> None:
    """Read its file so, without it being sent again. SourceError; then it is read as before."""
    [file] = paths_of(job, Job.Kind.ITEMS)
    read_apart(file, folder_of(job) / KEPT, format=job.given["format"], how=how)
    job.given |= asdict(how)
    job.save(update_fields=["given"])


def table_of(job: Job) -> Table:
    [file] = paths_of(job, Job.Kind.ITEMS)
    return read_stored_table(folder_of(job) / KEPT, source=file)


def make_study(job: Job, table: Table, asked: TableOptions) -> Study:
    """The study, stored and owned. SourceError with every fault, FolderRefused, LoadRefused; nothing is stored then."""
    study = study_of_table(table.files[0], table, asked)

    def within(loaded: Sequence[Loaded]) -> None:
        finish_at_once(job, made=[one.study for one in loaded], summary=study.summary)

    put_in_place([study], out=None, load=True, owner=job.owner, among=Study.objects.none(), within=within)
    drop(job)
    return job.made.get()


@dataclass(frozen=True, slots=True)
class FaultyRow:
    """A row that is no item: its cells as the file has them, and what is wrong."""

    where: str
    cells: list[object]
    wrong: str


@dataclass(frozen=True, slots=True)
class Refused:
    """What keeps a file from becoming items: all faults, the rows that have them, and how many others there are."""

    faults: list[Fault] = field(default_factory=list)
    faulty: list[FaultyRow] = field(default_factory=list)
    sound: int = 0

    def context(self) -> dict[str, object]:
        return {
            "faults": self.faults[:FAULTS_SHOWN],
            "faults_count": len(self.faults),
            "faulty": self.faulty[:FAULTS_SHOWN],
            "faulty_count": len(self.faulty),
            "sound": self.sound,
        }


def refused_rows(table: Table, form: ColumnsForm, error: SourceError) -> Refused:
    """What SourceError says, in the words of the page."""
    faults = [in_words(fault, form.task) for fault in error.faults]
    return Refused(faults, _faulty_rows(table, form.columns, error), error.sound)


def _faulty_rows(table: Table, columns: Sequence[str], error: SourceError) -> list[FaultyRow]:
    cells = {row.where: [row.values.get(column) for column in columns] for row in table.rows}
    found = []
    for where in error.faulty:
        said = [fault for fault in error.faults if re.match(rf"{re.escape(where)}(\W|$)", fault.field)]
        wrong = [f"{fault.field.removeprefix(where).lstrip(', .')} {fault.message}".strip() for fault in said]
        found.append(FaultyRow(where, cells.get(where, [""] * len(columns)), "; ".join(wrong)))
    return found


def noticed(table: Table, asked: TableOptions) -> list[Remark]:
    """What is odd about the items that these columns make, and how many of them have a right answer."""
    task = configured(asked)
    if task is None or not table.rows or missing_columns(table, asked.columns):
        return []
    columns = keyed(table, asked.columns)
    made_of = (
        item_row(row, number, columns, table.columns, scale=task.scale)
        for number, row in enumerate(table.rows, start=1)
    )
    rows = [item for item, faults in made_of if not faults and not task.validate(item.content)]
    said = [known_answers(rows)] if "reference" in asked.columns.fields and rows else []
    return [*said, *remarks_on(rows, columns, table)]


def first_item(table: Table, asked: TableOptions) -> FirstItem | None:
    """None where there is no row, or the task is not said in full yet."""
    task = configured(asked)
    if task is None or not table.rows:
        return None
    item, faults = item_row(table.rows[0], 1, keyed(table, asked.columns), table.columns)
    faults = faults or [in_words(fault.under(table.rows[0].where), task) for fault in task.validate(item.content)]
    return FirstItem(None if faults else picture_of(task, item.content), faults)


def in_words(fault: Fault, task: TaskType | type[TaskType]) -> Fault:
    """A fault of a field that no column is mapped to, under what the page calls that field."""
    words = {one.name: one.words for one in task.content_fields}
    where, _, field = fault.field.replace(", ", ".").rpartition(".")
    return Fault(f"{where}, {words[field]}", fault.message) if where and field in words else fault
