"""The form that brings a score file: what it is, where it is from, and how it is to be read."""

import re
from typing import Any

from django import forms
from django.core.files import File

from corpus.tables.cells import DELIMITERS, delimiter_of, header_of
from corpus.tables.columns import MapError, read_pairs
from scoring.imported.reading import Reading, reading
from scoring.imported.storing import LONGEST_METRIC, LONGEST_NAME, LONGEST_NOTE, Stated
from scoring.models import LanguageModel

MOST_BYTES = 20 * 1024 * 1024
# A column's name may hold spaces, so pairs are parted by commas and lines.
BETWEEN_PAIRS = re.compile(r"[,\n]+")


class ScoreForm(forms.Form):
    """Its cleaned data has `reading` and `stated` for `import_scores`."""

    file = forms.FileField(label="Score file", help_text="CSV, TSV or JSON lines, 20 MB at most.")
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
        "Empty: the file’s own columns item (or text) and score.",
    )
    delimiter = forms.ChoiceField(
        label="Cells are parted by",
        choices=[("", "what the file shows"), *((name, name) for name in DELIMITERS)],
        required=False,
    )
    ranks_from = forms.TypedChoiceField(label="The best rank is", choices=[(1, "1"), (0, "0")], coerce=int)
    header = forms.BooleanField(label="The first line names the columns", required=False, initial=True)
    lower_is_better = forms.BooleanField(label="Lower scores are better", required=False)
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
            try:
                cleaned["reading"] = _reading(cleaned)
            except MapError as error:
                self.add_error("columns", str(error))
        return cleaned

    @property
    def faulty(self) -> list[forms.BoundField]:
        return [field for field in self if field.errors]

    def stated(self, *, imported_by: str) -> Stated:
        """What the researcher says of the file."""
        said = self.cleaned_data
        return Stated(said["name"], said["metric"], said["source"], said["family"], imported_by)


def _reading(cleaned: dict[str, Any]) -> Reading:
    pairs = read_pairs(pair for pair in BETWEEN_PAIRS.split(cleaned["columns"]) if pair.strip())
    file: File[bytes] = cleaned["file"]
    data = file.read()
    file.seek(0)
    delimiter = DELIMITERS.get(cleaned["delimiter"]) or delimiter_of(data, file.name or "")
    return reading(
        pairs,
        by=cleaned["by"],
        delimiter=delimiter,
        header=cleaned["header"],
        lower_is_better=cleaned["lower_is_better"],
        ranks_from=cleaned["ranks_from"],
        skip_unknown=cleaned["skip_unknown"],
        names=header_of(data, delimiter=delimiter),
    )
