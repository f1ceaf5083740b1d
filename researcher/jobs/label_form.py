"""The forms of label files: the files, then which column is what and which of their words is which label."""

from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict

from annotation.labelfile import FIELDS, NEEDED
from annotation.models import Study
from researcher.jobs.form import FilesField, too_large
from researcher.jobs.labels import Head, guess_columns
from stimuli.datasets.table.guessing import guess_labels

SUFFIXES = (".csv", ".tsv", ".tab", ".txt", ".jsonl", ".ndjson")
COLUMNS = {
    "item": ("Item", "The id of the item."),
    "annotator": ("Annotator", "Any name that stands for the same person in all of these files."),
    "label": ("Label", ""),
    "seconds": ("Seconds", "How long the answer took, where that is known."),
    "repeat": ("Repetition", "Which of an annotator’s labels on an item it is, from 1, where there are several."),
}


class LabelFilesForm(forms.Form):
    uploads = FilesField(
        label="Label files",
        several=True,
        help_text="CSV, TSV or JSON lines, with a line for each label. Several files have the same columns.",
        error_messages={"required": "Choose a file."},
    )
    source = forms.CharField(
        label="Where the labels are from", required=False, max_length=500, help_text="Kept with them, in your words."
    )

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, auto_id="labels-%s", label_suffix="")

    def clean_uploads(self) -> list[Any]:
        files: list[Any] = self.cleaned_data["uploads"]
        for file in files:
            if not (file.name or "").lower().endswith(SUFFIXES):
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

    def __init__(self, data: QueryDict | None = None, *, head: Head, study: Study) -> None:
        self.head, self.scale = head, study.task.scale
        self.guessed = guess_columns(head, study)
        self.sent = None if data is None else data.copy()
        super().__init__(self.sent, auto_id="labels-%s", label_suffix="")
        for name in FIELDS:
            label, help_text = COLUMNS[name]
            self.fields[name] = forms.ChoiceField(
                label=label,
                choices=[("", "none"), *((column, column) for column in head.columns)],
                required=name in NEEDED,
                help_text=help_text,
                initial=self.guessed.get(name, ""),
                error_messages={"required": "Choose the column that has it."},
            )
        self._add_meanings()

    def _add_meanings(self) -> None:
        """A choice for every word of the label column that is no label by itself."""
        self.of = (self.sent.get("label", "") if self.sent is not None else self.guessed.get("label", "")) or ""
        self.words: list[str] = []
        found = self.head.values(self.of) if self.of in self.head.columns else []
        if set(found) <= set(self.scale.values):
            return
        self.words = found
        guessed = guess_labels(found, self.scale)
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
        meanings = {word: said[f"meaning-{place}"] for place, word in enumerate(self.words)}
        return {
            "columns": {name: said[name] for name in FIELDS if said[name]},
            "meanings": {word: label for word, label in meanings.items() if label},
            "skip_incomplete": said["skip_incomplete"],
            "as_imported": said["as_imported"],
        }

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        chosen = [cleaned[name] for name in FIELDS if cleaned.get(name)]
        for name in FIELDS:
            if cleaned.get(name) and chosen.count(cleaned[name]) > 1:
                self.add_error(name, "Another has this column already.")
        return cleaned
