"""Items from a file into a draft: which columns are what, by the form of a new study, less what is settled there.

Also a worker's part, where a file takes longer than a page waits: read, and made or added as its columns' page said.
"""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from django import forms
from django.db import transaction
from django.http import QueryDict

from annotation.drafting.items import DraftRefused, add_items
from annotation.loading import LoadRefused
from annotation.models import Item, Study
from annotation.tasktypes.words import bare_name
from corpus.errors import SourceError, counted
from researcher.drafting.item_list import KINDS
from researcher.imports.head import how_of
from researcher.imports.sheet import Role
from researcher.jobs.folder import drop
from researcher.jobs.starting import UNREAD, finish
from researcher.jobs.watched import JobProgress, JobRefused, refused_for
from researcher.models import Job
from researcher.new_study.columns_form import OPTION, OPTIONS, RIGHT, ColumnsForm
from researcher.new_study.making import in_words, keep_faulty, make_study, read_as, require_rows, table_of
from stimuli.datasets.table.columns import ColumnMap
from stimuli.datasets.table.making import items_of
from stimuli.datasets.table.rows import Table
from stimuli.making.study_folder import FolderRefused


class MoreColumnsForm(ColumnsForm):
    """The columns of a file of items for a study that is there."""

    # The study has them.
    title = slug = follows = instructions = license = paper = None  # type: ignore[assignment]
    kind = forms.ChoiceField(
        label="Kind of rows without one",
        choices=[(kind.value, words) for kind, (words, _) in KINDS.items()],
        initial=Item.Kind.TARGET.value,
    )

    def __init__(self, data: QueryDict | None = None, *, table: Table, study: Study, name: str) -> None:
        self.settled: dict[str, Any] = study.task_settings
        self.study = study
        self.beside = set(study.items.values_list("external_id", flat=True))
        # The option that is right in every target so far, as in minimal pairs.
        right = [*study.items.targets().order_by().values_list("reference", flat=True).distinct()[:2]]
        self.always = (right[0] or "") if len(right) == 1 and self.settled.get("options") else ""
        super().__init__(data, table=table, task=study.task_type, name=name)

    def _columns(self) -> ColumnMap:
        return replace(super()._columns(), kind=self._chosen("kind"))

    def _settings(self) -> dict[str, Any]:
        return self.settled

    def _add_settings(self) -> None:
        """Settled."""

    def _follow_title(self) -> None:
        """Settled."""

    def _ask_of_one(self) -> None:
        """Settled."""

    def _option_roles(self) -> list[Role]:
        said = {role: ", correct" if role == self.always else "" for role in self._roles_settled}
        return [Role(name=f"{OPTIONS}{role}", label=f"Option: {role}{correct}") for role, correct in said.items()]

    def _guessed_roles(self) -> dict[str, str]:
        """Each of the study's options is the column of its name, or else one of those that look like options."""
        looks = [column for field, column in self.guessed.items() if field.startswith(OPTIONS)]
        named = {bare_name(column): column for column in self.columns}
        left = iter([column for column in looks if bare_name(column) not in map(bare_name, self._roles_settled)])
        found = {role: named.get(bare_name(role)) or next(left, "") for role in self._roles_settled}
        plain = {column: role for column, role in super()._guessed_roles().items() if role not in (OPTION, RIGHT)}
        return plain | {column: f"{OPTIONS}{role}" for role, column in found.items() if column}

    def _options(self) -> Iterator[tuple[str, str]]:
        for role in self._roles_settled:
            if column := self.column_that_is(f"{OPTIONS}{role}"):
                yield role, column

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        for role in self._roles_settled:
            if not self.column_that_is(f"{OPTIONS}{role}"):
                self.add_error(None, f"Choose the column that is “Option: {role}”.")
        return cleaned

    def _right(self) -> str:
        return "" if self.column_that_is("reference") else self.always

    @property
    def _roles_settled(self) -> list[str]:
        return [*self.settled.get("options", [])] if self.task.options_from == "item" else []


def add_rows(job: Job, table: Table, form: MoreColumnsForm) -> int:
    """How many items were added. SourceError with every fault by row and column, DraftRefused, StudyFileError."""
    asked, study = form.asked, form.study
    rows, _ = items_of(
        table.files[0],
        table,
        asked.columns,
        study.task,
        skip=asked.skip,
        existing=form.beside,
    )
    with transaction.atomic():
        add_items(study, rows)
        finish(job, summary=[f"{len(rows):,} item{'' if len(rows) == 1 else 's'} added"])
    drop(job)
    return len(rows)


def form_of(job: Job, table: Table) -> ColumnsForm:
    """What was said of its columns, else a guess."""
    chosen, name = job.given.get("chosen", ""), job.files[0]["name"]
    sent = QueryDict(chosen) if chosen else None
    if job.study is not None:
        return MoreColumnsForm(sent, table=table, study=job.study, name=name)
    return ColumnsForm(sent, table=table, task=job.given["task"], name=name)


def store(job: Job, table: Table, form: ColumnsForm) -> Study | int:
    """The study that is made of all its rows, or how many items are added to the one that is there.

    SourceError with every fault by row and column, StudyFileError, DraftRefused, LoadRefused, FolderRefused.
    """
    if isinstance(form, MoreColumnsForm):
        return add_rows(job, table, form)
    return make_study(job, table, form.asked)


def read_items(job: Job) -> None:
    """SourceError; then it is read as before."""
    read_as(job, how_of(job.given))
    if not job.given[UNREAD]:
        require_rows(job)


def bring_items(job: Job, watched: JobProgress) -> None:
    """JobRefused; nothing is stored then."""
    watched.report("reading the rows")
    table = table_of(job, whole=True)
    form = form_of(job, table_of(job))
    if not form.is_valid():
        raise JobRefused("Something has changed since. Choose the columns again.")
    watched.report(f"checking and storing {counted(table.count, 'row')}")
    try:
        store(job, table, form)
    except SourceError as error:
        keep_faulty(job, form, faulty=error.faulty, sound=error.sound)
        raise refused_for(job.files[0]["name"], [in_words(fault, form.task) for fault in error.faults]) from None
    except DraftRefused as refused:
        keep_faulty(job, form)
        raise JobRefused(str(refused), faults=refused.faults) from None
    except (LoadRefused, FolderRefused) as error:
        raise JobRefused(str(error)) from None
