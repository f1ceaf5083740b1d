"""The forms that bring score files, one or several: what they are, where they are from, and how they are read."""

import re
from typing import Any

from django import forms
from django.conf import settings
from django.core.files import File

from corpus.formats.recognizing import TABLES
from corpus.formats.registry import TABLE
from corpus.tables.cells import DELIMITERS
from corpus.tables.columns import MapError, read_pairs
from researcher.jobs.form import FilesField, too_large
from researcher.jobs.scores import SEEN, asked_of, opened_scores
from researcher.written_by import EncodingField, WrittenBy
from scoring.imported.asked import reading_of
from scoring.imported.lines import ScoreFileError
from scoring.imported.naming import NAMINGS
from scoring.imported.storing import LONGEST_METRIC, LONGEST_NAME, LONGEST_NOTE, Stated
from scoring.models import LanguageModel

MOST_BYTES = 20 * 1024 * 1024
# A column's name may hold spaces, so pairs are parted by commas and lines.
# What is said of how files are read, as it stands in the form.
KEPT = (
    "by",
    "sheet",
    "encoding",
    "delimiter",
    "header",
    "lower_is_better",
    "length_normalized",
    "ranks_from",
    "skip_unknown",
)
BETWEEN_PAIRS = re.compile(r"[,\n]+")


class ScoreForm(forms.Form):
    """Its cleaned data has what was `read` and the `reading` for `import_scores`; `stated` is the rest."""

    file = forms.FileField(
        label="Score file",
        help_text="CSV, TSV, Excel, JSON or JSON lines, or what another tool wrote, such as samples of lm-eval; "
        "20 MB at most.",
    )
    format = WrittenBy("scores")
    name = forms.CharField(label="Model", max_length=LONGEST_NAME, help_text="Such as BERT-large.")
    metric = forms.CharField(label="Metric", max_length=LONGEST_METRIC, help_text="Such as sentence-PLL.")
    family = forms.ChoiceField(
        label="Kind of model", choices=LanguageModel.Family.choices, initial=LanguageModel.Family.OTHER
    )
    source = forms.CharField(
        label="Where the scores are from", max_length=LONGEST_NOTE, help_text="Kept with them, in your words."
    )
    by = forms.ChoiceField(label="A line is about", choices=[("id", "the item with its id"), ("text", "one sentence")])
    columns = forms.CharField(
        label="Columns",
        required=False,
        max_length=1000,
        help_text="Such as text=2, score=3 or item=id, prob.negation=p_not, rank.negation=rank_not. "
        "Empty: the file’s own columns, such as item (or sentence) and score.",
    )
    only = forms.CharField(
        label="Only records with",
        required=False,
        max_length=500,
        help_text="Of another tool’s file, such as filter=strict-match.",
    )
    labels = forms.CharField(
        label="Words for labels",
        required=False,
        max_length=1000,
        help_text="What the file’s words mean here, where they are not the same: A=yes, B=no.",
    )
    delimiter = forms.ChoiceField(
        label="Cells are parted by",
        choices=[("", "what the file shows"), *((name, name) for name in DELIMITERS)],
        required=False,
    )
    encoding = EncodingField()
    sheet = forms.CharField(
        label="Sheet", required=False, max_length=100, help_text="Of an Excel file. Empty: the first."
    )
    ranks_from = forms.TypedChoiceField(label="The best rank is", choices=[(1, "1"), (0, "0")], coerce=int)
    header = forms.BooleanField(label="The first line names the columns", required=False, initial=True)
    lower_is_better = forms.BooleanField(label="Lower scores are better", required=False)
    length_normalized = forms.BooleanField(
        label="Decide by the log-probability of a character",
        required=False,
        help_text="Of options that are told by their texts, as lm-eval’s acc_norm. Otherwise by the sum, as its acc.",
    )
    skip_unknown = forms.BooleanField(label="Leave out lines that belong to no item", required=False)

    def __init__(self, data: Any = None, files: Any = None) -> None:
        # Other forms on the page have fields of the same names.
        super().__init__(data, files, auto_id="scores-%s", label_suffix="")

    def clean_file(self) -> "File[bytes]":
        file: File[bytes] = self.cleaned_data["file"]
        if (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError("The file is larger than 20 MB. Use manage.py import_scores for it.")
        return file

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if not self.errors:
            file: File[bytes] = cleaned["file"]
            try:
                asked = asked_of(self.given)
                cleaned["read"], cleaned["reading"] = opened_scores(
                    file.read(), file.name or "", asked, format=cleaned["format"]
                )
            except ScoreFileError as error:
                self.add_error("file", str(error))
            except MapError as error:
                self.add_error("columns", str(error))
        return cleaned

    @property
    def given(self) -> dict[str, Any]:
        """What is said of how files are read; MapError."""
        said = self.cleaned_data
        columns = [pair.strip() for pair in BETWEEN_PAIRS.split(said["columns"]) if pair.strip()]
        return {name: said[name] for name in KEPT} | {
            "columns": columns,
            "only": dict(pairs_of(said["only"])),
            "labels": dict(pairs_of(said["labels"])),
        }

    @property
    def faulty(self) -> list[forms.BoundField]:
        return [field for field in self if field.errors]

    def stated(self, *, imported_by: str) -> Stated:
        """What the researcher says of the file."""
        said = self.cleaned_data
        return Stated(said["name"], said["metric"], said["source"], said["family"], imported_by)


def pairs_of(text: str) -> list[tuple[str, str]]:
    """The pairs that a field holds; MapError."""
    return read_pairs(pair for pair in BETWEEN_PAIRS.split(text) if pair.strip())


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
