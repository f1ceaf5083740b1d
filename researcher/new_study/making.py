"""From a file of items and what was said of its columns to a study, or to what is wrong with it, row by row.

The file lies with a job, which a page does at once: whoever sent the file sees its faults beside its rows.
The last page says what became of the file, and what the study still needs.
"""

import hashlib
import json
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from django.http import QueryDict

from accounts.models import User
from annotation.languages import DEFAULT
from annotation.loading import Loaded
from annotation.models import Study
from annotation.tasktypes.contract import TaskType
from corpus.errors import FAULTS_SHOWN, Fault, Remark, SourceError, counted
from corpus.formats.registry import TABLE
from corpus.tables.opening import How
from researcher.imports.head import how_of
from researcher.imports.sheet import SheetRow, Wrong, sheet_rows
from researcher.jobs.folder import drop, folder_of, paths_of
from researcher.jobs.starting import finish, forget, prepare_job, read_or_let_read, reading_as
from researcher.making import put_in_place
from researcher.models import Job
from researcher.new_study.columns_form import ColumnsForm, configured, without_task
from researcher.new_study.start_form import Picture, StartForm, picture_of
from researcher.setup.overview import ToDo, read_overview
from scoring.library.language import language_name
from stimuli.datasets.table.cached import keep_instead, read_apart, read_stored_table
from stimuli.datasets.table.columns import item_row, keyed, missing_columns
from stimuli.datasets.table.guessing_task import guess_task
from stimuli.datasets.table.making import TableOptions, items_of, study_of_table
from stimuli.datasets.table.remarking import known_answers, remarks_on
from stimuli.datasets.table.repeats import repeats_of
from stimuli.datasets.table.rows import Table

KEPT = "table.json"
ROWS_SHOWN = 5
FAULTY_SHOWN = 30
# In `given` of a job whose rows a worker has refused.
FAULTY = "faulty"


@dataclass(frozen=True, slots=True)
class ItemShown:
    """One row of so many as annotators would see it, or what keeps it from being an item."""

    place: int
    of: int
    picture: Picture | None
    faults: list[Fault]

    @property
    def before(self) -> int:
        return self.place - 1

    @property
    def after(self) -> int:
        return self.place + 1 if self.place < self.of else 0


def take_in(form: StartForm, *, owner: User, study: Study | None = None) -> Job:
    """A job with the form's file and the table in it; a worker is to read what takes longer than a page waits.

    SourceError with every fault, TooMany; nothing is kept then.
    """
    said = form.cleaned_data
    given = {"task": "" if study is None else study.task_type, "format": said["format"]}
    files = {Job.Kind.ITEMS.value: [form.source]}
    job = prepare_job(Job.Kind.ITEMS, said["format"] or TABLE, owner=owner, given=given, files=files, study=study)
    try:
        read_or_let_read(job, partial(_read_first, job, How(encoding=said["encoding"] if said["file"] else "")))
    except BaseException:
        forget(job)
        raise
    return job


def _read_first(job: Job, how: How) -> None:
    read_as(job, how)
    require_rows(job)


def require_rows(job: Job) -> None:
    """SourceError where its file has none."""
    if not (table := table_of(job)).rows:
        none = Fault("file", "has no rows below the header")
        raise SourceError(table.files[0], [none])


def read_as(job: Job, how: How) -> None:
    """Read its file so, without it being sent again. SourceError; then it is read as before.

    TakesLonger, where a worker is to read it so.
    """
    [file] = paths_of(job, Job.Kind.ITEMS)
    with reading_as(job, how), TemporaryDirectory(dir=folder_of(job)) as place:
        fresh = Path(place) / KEPT
        read_apart(file, fresh, format=job.given["format"], how=how)
        job.require_wanted()
        keep_instead(fresh, folder_of(job) / KEPT)
    # Its columns may be others now, and with them what can be asked.
    ask_about(job, guess_task(table_of(job)) if job.study is None else job.given["task"])


def ask_about(job: Job, task: str) -> None:
    """Make of it items of that task type. What was chosen for another goes; title and texts stay."""
    job.given["task"] = task
    if chosen := job.given.get("chosen"):
        job.given["chosen"] = without_task(QueryDict(chosen)).urlencode()
    job.keep_given()


def table_of(job: Job, *, whole: bool = False) -> Table:
    """What a page looks through: of a long table the first rows, if not the `whole`."""
    [file] = paths_of(job, Job.Kind.ITEMS)
    return read_stored_table(folder_of(job) / KEPT, source=file, whole=whole)


def make_study(job: Job, table: Table, asked: TableOptions) -> Study:
    """The study, stored and owned. SourceError with every fault, FolderRefused, LoadRefused; nothing is stored then."""
    study = study_of_table(table.files[0], table, asked)

    def within(loaded: Sequence[Loaded]) -> None:
        finish(job, made=[one.study for one in loaded], summary=study.summary)

    put_in_place([study], out=None, load=True, owner=job.owner, among=Study.objects.none(), within=within)
    drop(job)
    return job.made.get()


@dataclass(frozen=True, slots=True)
class Refused:
    """What keeps a file from becoming items, and what is wrong with which row; `sound` rows could be taken alone.

    `faulty` rows are wrong where `rows` does not have them all.
    """

    faults: list[Fault] = field(default_factory=list)
    rows: dict[str, Wrong] = field(default_factory=dict)
    sound: int = 0
    faulty: int = 0

    def context(self) -> dict[str, object]:
        return {
            "faults": self.faults[:FAULTS_SHOWN],
            "faults_count": len(self.faults),
            "faulty_count": self.faulty or len(self.rows),
            "sound": self.sound,
        }


def refused_rows(form: ColumnsForm, error: SourceError) -> Refused:
    """What SourceError says, in the words of the page."""
    found: dict[str, list[Fault]] = {where: [] for where in error.faulty}
    for fault in error.faults:
        where = re.match(r"\w+ \d+", fault.field)
        if where and where[0] in found:
            found[where[0]].append(fault)
    rows = {where: _wrong(where, faults, form.columns) for where, faults in found.items()}
    return Refused([in_words(fault, form.task) for fault in error.faults], rows, error.sound)


def refused_before(job: Job, form: ColumnsForm) -> Refused | None:
    """What a worker found wrong with all rows of a long file; None where that is not known of what is chosen now."""
    told = job.given.get(FAULTY, {})
    if not job.faults or told.get("judged") != _judged(job, form):
        return None
    faults = [Fault(field, message) for _, field, message in job.faults]
    [file] = paths_of(job, Job.Kind.ITEMS)
    error = SourceError(file, faults, faulty=tuple(told["rows"]), sound=told["sound"])
    return replace(refused_rows(form, error), faulty=told["faulty"])


def keep_faulty(job: Job, form: ColumnsForm, *, faulty: Sequence[str] = (), sound: int = 0) -> None:
    """Which rows are wrong, for the page of their columns."""
    told = {"rows": [*faulty[:FAULTY_SHOWN]], "faulty": len(faulty), "sound": sound, "judged": _judged(job, form)}
    job.given[FAULTY] = told
    job.write(given=job.given)


def _judged(job: Job, form: ColumnsForm) -> str:
    """Sums up what makes rows right or wrong: how they were read, and what was said of them beside titles and texts."""
    asked = form.asked
    numbers = {name: value for name, value in asked.settings.items() if not isinstance(value, str)}
    by: list[object] = [asdict(how_of(job.given)), asked.task, asdict(asked.columns), numbers]
    by += [asked.skip_incomplete, asked.skip_repeated]
    return hashlib.sha256(json.dumps(by, default=str, sort_keys=True).encode()).hexdigest()


def _wrong(where: str, faults: Sequence[Fault], columns: Sequence[str]) -> Wrong:
    """Each fault in the cell of its column, as far as it has one."""
    places = {f"{where}, column {column!r}": column for column in columns}
    cells: dict[str, str] = {}
    for fault in faults:
        if fault.field in places:
            cells.setdefault(places[fault.field], fault.message)
    others = [fault for fault in faults if fault.field not in places]
    said = [f"{fault.field.removeprefix(where).lstrip(', .')} {fault.message}".strip() for fault in others]
    return Wrong(cells, "; ".join(said))


def looked_through(table: Table, form: ColumnsForm) -> Refused:
    """What would be refused, before anything is made; of a table that is too large for that, nothing."""
    asked, task = form.asked, configured(form.asked)
    if task is None or form.missing or table.beyond:
        return Refused()
    try:
        items_of(
            table.files[0], table, asked.columns, task, skip=replace(asked.skip, faulty=False), existing=form.beside
        )
    except SourceError as error:
        return refused_rows(form, error)
    return Refused(sound=len(table.rows))


def rows_shown(table: Table, columns: Sequence[str], refused: Refused) -> list[SheetRow]:
    """The first rows, and those with problems, in the order of the file; those that cannot be read are empty."""
    first = {row.where for row in table.rows[:ROWS_SHOWN]}
    marked = [*refused.rows][:FAULTY_SHOWN]
    unread = [(where, [""] * len(columns)) for where in marked if where in {where for where, _ in table.faulty}]
    shown = [
        (row.where, [row.values.get(column) for column in columns])
        for row in table.rows
        if row.where in first or row.where in marked
    ]
    return sheet_rows(sorted([*shown, *unread], key=lambda row: _number(row[0])), columns, refused.rows)


def _number(where: str) -> int:
    found = re.search(r"\d+", where)
    return int(found[0]) if found else 0


@dataclass(frozen=True, slots=True)
class Noticed:
    """What is odd about the items, and how many rows may be left out for another with their texts."""

    remarks: Sequence[Remark] = ()
    repeated: int = 0


def noticed(table: Table, asked: TableOptions) -> Noticed:
    """Of the items that these columns make; also how many of them have a right answer."""
    task = configured(asked)
    if task is None or not table.rows or missing_columns(table, asked.columns):
        return Noticed()
    columns = keyed(table, asked.columns)
    made_of = (
        (row.where, *item_row(row, number, columns, table.columns, scale=task.scale))
        for number, row in enumerate(table.rows, start=1)
    )
    placed = [(where, item) for where, item, faults in made_of if not faults and not task.validate(item.content)]
    rows = [item for _, item in placed]
    said = [known_answers(rows)] if ("reference" in asked.columns.fields or asked.columns.right) and rows else []
    first = (
        f"these notes are about the first {counted(len(table.rows), 'row')}; all rows are checked when they are added"
    )
    of_first = [Remark("", first)] if table.beyond else []
    return Noticed([*of_first, *said, *remarks_on(rows, columns, table)], len(repeats_of(placed).dropped))


def item_at(table: Table, asked: TableOptions, place: int) -> ItemShown | None:
    """The item of the row at that place, from 1. None where there is no row, or the task is not said in full yet."""
    task = configured(asked)
    if task is None or not table.rows:
        return None
    place = min(max(place, 1), len(table.rows))
    row = table.rows[place - 1]
    item, faults = item_row(row, place, keyed(table, asked.columns), table.columns)
    faults = faults or [in_words(fault.under(row.where), task) for fault in task.validate(item.content)]
    return ItemShown(place, len(table.rows), None if faults else picture_of(task, item.content), faults)


def in_words(fault: Fault, task: TaskType | type[TaskType]) -> Fault:
    """A fault of a field that no column is mapped to, under what the page calls that field."""
    words = {one.name: one.words for one in task.content_fields}
    where, _, field = fault.field.replace(", ", ".").rpartition(".")
    return Fault(f"{where}, {words[field]}", fault.message) if where and field in words else fault


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
