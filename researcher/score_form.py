"""The form that brings a score file: what it is, where it is from, and how it is to be read."""

import re
from typing import Any

from django import forms
from django.core.files import File

from corpus.errors import SourceError
from corpus.formats.apart import records_apart
from corpus.formats.reading import Records
from corpus.tables.cells import DELIMITERS, delimiter_of, header_of
from corpus.tables.columns import MapError, read_pairs
from researcher.written_by import WrittenBy
from scoring.imported.foreign import reading_of, use_of
from scoring.imported.lines import ScoreFileError
from scoring.imported.reading import Reading, reading
from scoring.imported.storing import LONGEST_METRIC, LONGEST_NAME, LONGEST_NOTE, Stated
from scoring.models import LanguageModel

MOST_BYTES = 20 * 1024 * 1024
# A column's name may hold spaces, so pairs are parted by commas and lines.
BETWEEN_PAIRS = re.compile(r"[,\n]+")


class ScoreForm(forms.Form):
    """Its cleaned data has what was `read` and the `reading` for `import_scores`; `stated` is the rest."""

    file = forms.FileField(
        label="Score file",
        help_text="CSV, TSV or JSON lines, or what another tool wrote, such as samples of lm-eval; 20 MB at most.",
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
        "Empty: the file’s own columns item (or text) and score.",
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
            try:
                cleaned["read"], cleaned["reading"] = _read(cleaned)
            except SourceError as error:
                self.add_error("file", str(ScoreFileError(error.path.name, error.faults)))
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


def pairs_of(text: str) -> list[tuple[str, str]]:
    """The pairs that a field holds; MapError."""
    return read_pairs(pair for pair in BETWEEN_PAIRS.split(text) if pair.strip())


def _read(cleaned: dict[str, Any]) -> tuple[bytes | Records, Reading]:
    """What is read of the file, and how. SourceError with every fault; MapError."""
    file: File[bytes] = cleaned["file"]
    data, name = file.read(), file.name or ""
    pairs, only, meanings = (
        pairs_of(cleaned["columns"]),
        dict(pairs_of(cleaned["only"])),
        dict(pairs_of(cleaned["labels"])),
    )
    by = cleaned["by"]
    records = records_apart(data, name, use_of(by), asked=cleaned["format"], is_mapped=bool(pairs), only=only)
    if records is not None:
        more = {name: cleaned[name] for name in ("lower_is_better", "skip_unknown", "length_normalized")}
        return records, reading_of(records, pairs, by=by, only=only, meanings=meanings, **more)
    if only:
        raise MapError("Records are chosen in files of other tools: say which tool wrote it.")
    return data, _reading(cleaned, pairs, data, name, meanings)


def _reading(
    cleaned: dict[str, Any], pairs: list[tuple[str, str]], data: bytes, name: str, meanings: dict[str, str]
) -> Reading:
    delimiter = DELIMITERS.get(cleaned["delimiter"]) or delimiter_of(data, name)
    return reading(
        pairs,
        by=cleaned["by"],
        delimiter=delimiter,
        header=cleaned["header"],
        lower_is_better=cleaned["lower_is_better"],
        ranks_from=cleaned["ranks_from"],
        skip_unknown=cleaned["skip_unknown"],
        length_normalized=cleaned["length_normalized"],
        meanings=meanings,
        names=header_of(data, delimiter=delimiter),
    )
