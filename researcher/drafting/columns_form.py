"""Items from a file into a draft: which columns are what, by the form of a new study, less what is settled there."""

from collections.abc import Iterator
from typing import Any

from django import forms
from django.db import transaction
from django.http import QueryDict

from annotation.drafting.items import add_items
from annotation.models import Item, Study
from annotation.tasktypes.contract import bare_name
from researcher.drafting.listed import KINDS
from researcher.jobs.folder import drop
from researcher.jobs.starting import finish_at_once
from researcher.models import Job
from researcher.new_study.columns_form import OPTIONS, ColumnsForm
from researcher.new_study.start_form import StartForm
from stimuli.datasets.table.columns import ColumnMap
from stimuli.datasets.table.making import items_of
from stimuli.datasets.table.rows import Table


class FileForm(StartForm):
    """A file or what was pasted; what is asked, the study says."""

    task = None  # type: ignore[assignment]


class MoreColumnsForm(ColumnsForm):
    """The columns of a file of items for a study that is there."""

    # The study has them.
    title = slug = instructions = license = paper = None  # type: ignore[assignment]
    kind = forms.ChoiceField(
        label="Kind of rows without one",
        choices=[(kind.value, words) for kind, (words, _) in KINDS.items()],
        initial=Item.Kind.TARGET.value,
    )

    def __init__(self, data: QueryDict | None = None, *, table: Table, study: Study, name: str) -> None:
        self.settled: dict[str, Any] = study.task_settings
        self.study = study
        super().__init__(data, table=table, task=study.task_type, name=name)

    @property
    def columns_said(self) -> ColumnMap:
        said = self.asked.columns
        return ColumnMap(said.fields, said.labels, said.slot, self._chosen("kind"))

    def _settings(self) -> dict[str, Any]:
        return self.settled

    def _add_settings(self) -> None:
        """Settled."""

    def _guessed_roles(self) -> list[tuple[str, str]]:
        """Each of the study's roles with the column of its name, or else with those that look like options, in turn."""
        looks = [column for field, column in self.guessed.items() if field.startswith(OPTIONS)]
        named = {bare_name(column): column for column in self.columns}
        left = iter([column for column in looks if bare_name(column) not in map(bare_name, self._roles_settled)])
        return [(role, named.get(bare_name(role)) or next(left, "")) for role in self._roles_settled]

    def _add_options(self) -> None:
        super()._add_options()
        for name in [name for name in self.fields if name.startswith(("role-", "option-"))]:
            del self.fields[name]
        for place, role in enumerate(self._roles_settled, start=1):
            self.fields[f"option-{place}"] = self._column(f"Option: {role}", required=True)

    def _roles(self) -> Iterator[tuple[str, str]]:
        for place, role in enumerate(self._roles_settled, start=1):
            if column := self._chosen(f"option-{place}"):
                yield role, column

    @property
    def _roles_settled(self) -> list[str]:
        return [*self.settled.get("options", [])] if self.task.options_from == "item" else []


def add_rows(job: Job, table: Table, form: MoreColumnsForm) -> int:
    """How many items were added. SourceError with every fault by row and column, DraftRefused, StudyFileError."""
    asked, columns, study = form.asked, form.columns_said, form.study
    ids = set(study.items.values_list("external_id", flat=True))
    rows, _ = items_of(
        table.files[0],
        table,
        columns,
        study.task,
        skip_incomplete=asked.skip_incomplete,
        skip_faulty=asked.skip_faulty,
        beside=ids,
    )
    with transaction.atomic():
        add_items(study, rows)
        finish_at_once(job, summary=[f"{len(rows):,} item{'' if len(rows) == 1 else 's'} added"])
    drop(job)
    return len(rows)
