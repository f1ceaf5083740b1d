"""Label files brought into a study: what is asked of them, and what a worker does with them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Any

from django import forms
from django.db import transaction

from annotation.access.matrix import Right
from annotation.audit.deeds import Deed
from annotation.elsewhere.label_import import ImportRefused, import_labels
from annotation.elsewhere.lines import COLUMNS, NEEDED, TURK, ReadOptions, people_in, turk_columns
from annotation.elsewhere.outcome import Imported
from annotation.models import Study
from annotation.tasktypes.contract import Scale
from corpus.errors import Fault, SourceError, counted
from corpus.formats.contract import Use
from corpus.formats.registry import suffixes_for
from corpus.tables.columns import Column, MapError, guess_by_name
from corpus.tables.registry import names
from researcher.imports.head import MOST_VALUES, Head, records_for
from researcher.imports.kind import FileKind, Notice, are_items
from researcher.jobs.folder import drop, paths_of
from researcher.jobs.watched import JobProgress, JobRefused
from researcher.models import Job


class LabelFiles(FileKind):
    """Every file is imported whole or not at all; a column of words, or one an annotator, holds the labels."""

    key, address = Job.Kind.LABELS.value, "label"
    use: Use = "labels"
    right, part = Right.COLLECT, "collect"
    command, deed = "import_labels", Deed.LABELS_IMPORTED
    names_people = True
    noun = "label"
    says = "Labels collected elsewhere. All or nothing; importing a file twice changes nothing."
    files_help = f"{names()} or a tool’s export: one row per label, or one column per annotator."
    only_help = "For example AssignmentStatus=Approved or result.sure=5."
    needs_look = True
    no_label = "no label"
    each = Column(name="people", label="One annotator’s labels")

    @property
    def suffixes(self) -> tuple[str, ...]:
        return suffixes_for(self.use)

    def columns(self, study: Study) -> Sequence[Column]:
        return COLUMNS

    def guess(self, head: Head, study: Study) -> dict[str, str]:
        """Which column is what, by name; the item's also by its values, which are ids of items: its own first."""
        found = guess_by_name(head.columns, COLUMNS)
        if not found.keys() & {"annotator", "label"} and set(head.columns) >= TURK:
            found |= turk_columns(head.columns)
        for column in (found.get("item", ""), *head.columns):
            if column and are_items(head.values(column), study):
                found = {field: other for field, other in found.items() if other != column}
                found = {"item": column, **{field: other for field, other in found.items() if field != "item"}}
                break
        return found | _label_by_values(head, found, study.task.scale)

    def asks(self, head: Head, study: Study, guessed: Mapping[str, str]) -> dict[str, forms.Field]:
        asked: dict[str, forms.Field] = {
            "skip_incomplete": forms.BooleanField(label="Leave out incomplete rows", required=False),
            "skip_unknown": forms.BooleanField(label="Leave out rows of unknown items", required=False),
        }
        if _is_fixed(study):
            return asked
        as_imported = forms.BooleanField(
            label="Collect no labels beyond imported ones",
            required=False,
            # Where there are no labels yet, the file says how many there are to be.
            initial=not study.sittings.exists(),
        )
        return asked | {"as_imported": as_imported}

    def guess_each(self, head: Head, study: Study, guessed: Mapping[str, str]) -> list[str]:
        return guess_people(head, guessed, study.task.scale)

    def notice(self, study: Study) -> Notice | None:
        if not _is_fixed(study):
            return None
        fixed = counted(study.labels_per_item, "label")
        wants = f"{fixed} per item, locked since the study opened. Files with more are refused."
        if study.sittings.exists():
            return Notice(wants, "Duplicate the study to import more", "#duplicate")
        return Notice(wants, "Make it a draft again to import more", "#locked")

    def labeled(self, chosen: Mapping[str, str], each: Sequence[str]) -> list[str]:
        return [*each] or [chosen.get("label", "")]

    def words(self, found: Sequence[str], study: Study) -> list[str]:
        words = [*found][:MOST_VALUES]
        return [] if set(words) <= set(study.task.scale.values) else words

    def faults(self, given: Mapping[str, Any], head: Head, study: Study) -> list[tuple[str, str]]:
        needed = NEEDED[:1] if given["people"] else NEEDED
        labels = {column.name: column.label for column in COLUMNS}
        return [
            ("", f"Choose the column that is “{labels[name]}”.") for name in needed if not given["columns"].get(name)
        ]

    def bring(self, job: Job, watched: JobProgress) -> None:
        """Every file, all of it or nothing. JobRefused with the faults of the first that cannot be taken; what was
        imported of the files before it stays, and is unchanged when they come again.
        """
        assert job.study is not None, "labels go into a study"
        lines: list[str] = []
        for path in paths_of(job, self.key):
            watched.report(f"reading {path.name}")
            done = _brought(job, job.study, path, watched, before=lines)
            lines += [f"{path.name}: {done}", *(f"{path.name}: {remark}" for remark in done.remarks)]
        with transaction.atomic():
            watched.finish(lines)
        drop(job)


def _is_fixed(study: Study) -> bool:
    """Whether it is fixed by now how many labels are wanted."""
    return study.has_opened and not study.as_imported


def _label_by_values(head: Head, found: Mapping[str, str], scale: Scale) -> dict[str, str]:
    """Beside a column of annotators, the one other column that says nothing but labels, whatever it is called."""
    if "annotator" not in found or "label" in found:
        return {}
    left = [column for column in head.columns if column not in found.values()]
    says = {column: [scale.meant(value) for value in head.values(column)] for column in left}
    fits = [column for column, meant in says.items() if len({*meant}) > 1 and None not in meant]
    return {"label": fits[0]} if len(fits) == 1 else {}


def guess_people(head: Head, columns: Mapping[str, str], scale: Scale) -> list[str]:
    """The columns that each hold one annotator's labels, where none is said to hold annotators or labels."""

    def read(asked: Mapping[str, str]) -> Iterator[tuple[int, dict[str, str] | Fault]]:
        for number, line in enumerate(head.lines, start=1):
            yield number, {name: line.get(column, "") for name, column in asked.items()}

    return people_in(read, head.columns, ReadOptions(columns=columns), scale)


def _brought(job: Job, study: Study, path: Path, watched: JobProgress, *, before: Sequence[str]) -> Imported:
    done = f"Before it: {'; '.join(before)}." if before else ""
    given = job.given
    how = {field.name: given[field.name] for field in fields(ReadOptions) if field.name in given}
    try:
        return import_labels(
            study,
            path,
            ReadOptions(**how, foreign=records_for(given, path, "labels", key=job.key)),
            note=given.get("source", ""),
            as_imported=given.get("as_imported", False),
            told=watched.report,
        )
    except SourceError as error:
        count = len(error.faults)
        remedy = error.remedy("“Leave out incomplete rows” beside the columns")
        strangers = any(fault.message.startswith("there is no item") for fault in error.faults)
        others = "Rows of other items can be left out beside the columns." if strangers else ""
        said = f"{path.name}: {count} {'problem' if count == 1 else 'problems'}; nothing was imported."
        said = " ".join(filter(None, (said, remedy, others, done)))
        raise JobRefused(said, file=path.name, faults=error.faults) from None
    except (ImportRefused, MapError) as error:
        raise JobRefused(" ".join(filter(None, (f"{path.name}: {error}", done)))) from None
