"""The form of several score files: what they are, where they are from, and how they are read."""

from typing import Any

from django import forms
from django.conf import settings

from corpus.formats.recognizing import TABLES
from corpus.formats.registry import TABLE
from corpus.tables.columns import MapError
from researcher.jobs.form import FilesField, too_large
from researcher.jobs.scores import SEEN, asked_of
from researcher.score_form import ScoreForm, pairs_of
from researcher.written_by import WrittenBy
from scoring.imported.asked import reading_of
from scoring.imported.naming import NAMINGS


class ScoreFilesForm(ScoreForm):
    """`given` and `key` are what the job takes."""

    uploads = FilesField(
        label="Score files",
        several=True,
        help_text="CSV, TSV, Excel, JSON or JSON lines, or what another tool wrote, such as samples of lm-eval: each "
        "becomes a run. A folder’s files can be chosen together.",
        error_messages={"required": "Choose a file."},
    )
    format = WrittenBy(
        "scores",
        label="Whose files they are",
        more=[(key, one.source) for key, one in NAMINGS.items()],
        help_text="Of a paper’s files, their names say model, metric and columns.",
    )
    field_order = ("uploads", "format", "source", "name", "metric", "family")

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files)
        del self.fields["file"]
        self.fields["name"].required = self.fields["metric"].required = False
        self.fields["name"].help_text = "Empty: each file’s own name."
        self.fields["metric"].help_text = "Such as sentence-PLL. Empty: score."

    def clean_uploads(self) -> list[Any]:
        files: list[Any] = self.cleaned_data["uploads"]
        if sum(file.size or 0 for file in files) > settings.UPLOAD_MOST_BYTES:
            raise forms.ValidationError(too_large())
        return files

    def clean(self) -> dict[str, Any]:
        """What is said of columns is looked at before the files are."""
        cleaned: dict[str, Any] = self.cleaned_data
        if self.errors:
            return cleaned
        for name in ("columns", "only", "labels"):
            try:
                pairs_of(cleaned[name])
            except MapError as error:
                self.add_error(name, str(error))
        if not self.errors and self._are_tables:
            try:
                reading_of(None, "", asked_of(self.given))
            except MapError as error:
                self.add_error("columns", str(error))
        return cleaned

    @property
    def _are_tables(self) -> bool:
        """Whether they are said to be, or have columns said of them and the name of a table."""
        first = self.cleaned_data["uploads"][0].name or ""
        is_seen = self.key == SEEN and bool(self.given["columns"]) and first.lower().endswith(TABLES)
        return self.key == TABLE or is_seen

    @property
    def key(self) -> str:
        return str(self.cleaned_data["format"] or SEEN)

    @property
    def given(self) -> dict[str, Any]:
        said = self.cleaned_data
        return (
            super().given
            | {name: said[name] for name in ("source", "name", "family")}
            | {"metric": said["metric"] or "score"}
        )
