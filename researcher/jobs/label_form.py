"""The forms of label files: the files, then which column is what and which of their words is which label."""

from collections.abc import Mapping, Sequence
from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict

from annotation.elsewhere.lines import FIELDS, NEEDED
from annotation.labelfile import LabelFileError
from annotation.models import Study
from corpus.errors import SourceError
from corpus.formats.apart import records_apart
from corpus.formats.reading import Records
from corpus.formats.recognizing import TABLES
from corpus.formats.registry import TABLE
from corpus.tables.columns import MapError
from corpus.tables.opening import How
from researcher.jobs.form import FilesField, too_large
from researcher.jobs.labels import MOST_VALUES, Head, guess_columns, guess_people
from researcher.score_form import pairs_of
from researcher.written_by import EncodingField, WrittenBy
from stimuli.datasets.table.guessing import guess_labels

# Where nobody says which tool wrote them.
SUFFIXES = (*TABLES, ".xlsx", ".json", ".zip", ".parquet")
# Other tools' files are read by a process that a page waits for.
MOST_BYTES = 20 * 1024 * 1024
LARGER = "A file of another tool is larger than 20 MB. Use manage.py import_labels for it."
COLUMNS = {
    "item": ("Item", "The id of the item."),
    "annotator": ("Annotator", "Any name that stands for the same person in all of these files."),
    "label": ("Label", ""),
    "seconds": ("Seconds", "How long the answer took, where that is known."),
    "repeat": ("Repetition", "Which of an annotator’s labels on an item it is, from 1, where there are several."),
}


class LabelFilesForm(forms.Form):
    """`key` is the format of its files, `records` what the first says where another tool wrote it."""

    uploads = FilesField(
        label="Label files",
        several=True,
        help_text="CSV, TSV, Excel, JSON or JSON lines, with a line for each label or a column for each annotator, or "
        "what an annotation tool wrote. "
        "Several files have the same columns.",
        error_messages={"required": "Choose a file."},
    )
    format = WrittenBy("labels")
    encoding = EncodingField()
    only = forms.CharField(
        label="Only records with",
        required=False,
        max_length=500,
        help_text="Such as AssignmentStatus=Approved, or result.sure=5 of another tool’s files.",
    )
    source = forms.CharField(
        label="Where the labels are from", required=False, max_length=500, help_text="Kept with them, in your words."
    )

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, auto_id="labels-%s", label_suffix="")
        self.records: Records | None = None

    @property
    def key(self) -> str:
        return TABLE if self.records is None else self.records.format

    @property
    def given(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("source", "only", "encoding")}

    def clean_only(self) -> dict[str, str]:
        pairs = self.cleaned_data["only"]
        try:
            return dict(pairs_of(pairs))
        except MapError as error:
            raise forms.ValidationError(str(error)) from None

    def clean(self) -> dict[str, Any]:
        """The first file says which tool wrote them, if one did."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors:
            return cleaned
        first = cleaned["uploads"][0]
        may_be_table = cleaned["format"] in ("", TABLE) and first.name.lower().endswith(TABLES)
        if not (may_be_table and first.size > MOST_BYTES):
            self._look_at(first, cleaned)
        if self.records is not None and any(file.size > MOST_BYTES for file in cleaned["uploads"]):
            self.add_error("uploads", LARGER)
        return cleaned

    def _look_at(self, file: Any, cleaned: dict[str, Any]) -> None:
        if file.size > MOST_BYTES:
            self.add_error("uploads", LARGER)
            return
        data = file.read()
        file.seek(0)
        try:
            how = How(encoding=cleaned["encoding"])
            self.records = records_apart(
                data, file.name, "labels", asked=cleaned["format"], only=cleaned["only"], how=how
            )
        except SourceError as error:
            self.add_error("uploads", str(LabelFileError(error.path, error.faults)))

    def clean_uploads(self) -> list[Any]:
        files: list[Any] = self.cleaned_data["uploads"]
        for file in files:
            if not self.data.get("format") and not (file.name or "").lower().endswith(SUFFIXES):
                raise forms.ValidationError(f"{file.name} is none of {', '.join(SUFFIXES)}.")
        if sum(file.size or 0 for file in files) > settings.UPLOAD_MOST_BYTES:
            raise forms.ValidationError(too_large())
        return files


class LabelColumnsForm(forms.Form):
    """`given` is what the job takes. Without `data` it holds a guess."""

    skip_incomplete = forms.BooleanField(
        label="Leave out, and list, lines without an item, an annotator or a label", required=False
    )
    as_imported = forms.BooleanField(
        label="Want no more labels than are then there, so that the study is complete", required=False
    )

    def __init__(
        self, data: QueryDict | None = None, *, head: Head, study: Study, given: Mapping[str, Any] | None = None
    ) -> None:
        """`given` is what was said of these files before; without it there is a guess."""
        self.head, self.scale = head, study.task.scale
        self.before = given if given and "columns" in given else {}
        self.guessed = dict(self.before.get("columns") or guess_columns(head, study))
        people = self.before.get("people") or guess_people(head, self.guessed, self.scale)
        self.sent = None if data is None else data.copy()
        super().__init__(self.sent, auto_id="labels-%s", label_suffix="")
        for name in FIELDS:
            label, help_text = COLUMNS[name]
            self.fields[name] = forms.ChoiceField(
                label=label,
                choices=[("", "none"), *((column, column) for column in head.columns)],
                required=name == "item",
                help_text=help_text,
                initial=self.guessed.get(name, ""),
                error_messages={"required": "Choose the column that has it."},
            )
        self.fields["people"] = forms.MultipleChoiceField(
            label="One column an annotator",
            choices=[(column, column) for column in head.columns],
            required=False,
            initial=people,
            help_text="The columns that each hold one annotator’s labels, in place of Annotator and Label above.",
            widget=forms.SelectMultiple(attrs={"size": min(8, max(3, len(head.columns)))}),
        )
        self.fields["skip_incomplete"].initial = self.before.get("skip_incomplete", False)
        # Where there are no labels yet, the file says how many there are to be.
        self.fields["as_imported"].initial = self.before.get("as_imported", not study.sittings.exists())
        if study.has_opened and not study.as_imported:
            # It is fixed by now how many labels are wanted.
            del self.fields["as_imported"]
        self._add_meanings(people)

    def _add_meanings(self, guessed_people: Sequence[str]) -> None:
        """A choice for every word of the label column, or of those of people, that is no label by itself."""
        people = self.sent.getlist("people") if self.sent is not None else guessed_people
        one = (self.sent.get("label", "") if self.sent is not None else self.guessed.get("label", "")) or ""
        columns = [column for column in (people or [one]) if column in self.head.columns]
        self.of = ", ".join(columns)
        self.words: list[str] = []
        found = sorted({value for column in columns for value in self.head.values(column)})[:MOST_VALUES]
        if set(found) <= set(self.scale.values):
            return
        self.words = found
        guessed = guess_labels(found, self.scale) | dict(self.before.get("meanings", {}))
        # What was chosen for another column's words says nothing of these.
        is_new = self.sent is not None and self.sent.get("meanings_of") != self.of
        for place, word in enumerate(found):
            name = f"meaning-{place}"
            self.fields[name] = forms.ChoiceField(
                label=f"“{word}” means",
                choices=[("", "no label"), *((label.value, label.text) for label in self.scale.labels)],
                required=False,
                initial=guessed[word],
            )
            if self.sent is not None and is_new:
                self.sent[name] = guessed[word]

    @property
    def column_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in FIELDS]

    @property
    def meaning_fields(self) -> list[forms.BoundField]:
        return [self[f"meaning-{place}"] for place in range(len(self.words))]

    @property
    def given(self) -> dict[str, Any]:
        said = self.cleaned_data
        fields = {word: f"meaning-{place}" for place, word in enumerate(self.words)}
        meanings = {word: said[field] for word, field in fields.items() if field in self.data}
        return {
            "columns": {name: said[name] for name in FIELDS if said[name]},
            "people": said["people"],
            "meanings": meanings,
            "skip_incomplete": said["skip_incomplete"],
            "as_imported": said.get("as_imported", False),
        }

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not cleaned.get("people"):
            for name in NEEDED:
                if not cleaned.get(name) and name not in self.errors:
                    self.add_error(name, "Choose the column that has it.")
        chosen = [cleaned[name] for name in FIELDS if cleaned.get(name)]
        for name in FIELDS:
            if cleaned.get(name) and chosen.count(cleaned[name]) > 1:
                self.add_error(name, "Another has this column already.")
        return cleaned
