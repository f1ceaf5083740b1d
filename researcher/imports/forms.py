"""The two forms of every kind of file: the files, then which column is what and which of their words is which label."""

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.http import QueryDict

from annotation.models import Study
from corpus.errors import SourceError, listing
from corpus.formats.apart import TakesLonger, records_apart
from corpus.formats.reading import Records
from corpus.formats.registry import TABLE
from corpus.tables.columns import MapError, mapped, meanings_of
from corpus.tables.opening import How
from corpus.tables.registry import is_by_line, way_on
from researcher.files_field import FilesField
from researcher.imports.head import MOST_BYTES, RECORDS_SHOWN, SEEN, Head
from researcher.imports.kind import FileKind
from researcher.imports.sheet import Role, SheetForm
from researcher.imports.written_by import EncodingField, WrittenBy
from researcher.jobs.form import too_large
from stimuli.datasets.table.guessing import guess_labels

# A column's name may hold spaces, so pairs are parted by commas and lines.
BETWEEN_PAIRS = re.compile(r"[,\n]+")


def parted(text: str) -> list[str]:
    return [pair.strip() for pair in BETWEEN_PAIRS.split(text) if pair.strip()]


def in_words(error: SourceError) -> str:
    """Why a file cannot be imported."""
    return listing(error.path, error.faults).replace("was loaded", "was imported")


class FilesForm(forms.Form):
    """`given` is what the job takes, `key` the format of its files, `records` what a tool's says."""

    uploads = FilesField(several=True, error_messages={"required": "Choose a file."})
    format = forms.ChoiceField()
    encoding = EncodingField()
    only = forms.CharField(label="Only records where", required=False, max_length=500)
    source = forms.CharField(max_length=500)

    def __init__(self, data: Any = None, files: Any = None, *, kind: FileKind) -> None:
        super().__init__(data, files, auto_id=f"{kind.key}-%s", label_suffix="")
        self.kind = kind
        self.records: Records | None = None
        # Whether a worker is to look at the first file.
        self.takes_longer = False
        self.fields["uploads"].label = f"{kind.noun.capitalize()} files"
        self.fields["uploads"].help_text = kind.files_help
        self.fields["format"] = WrittenBy(
            kind.use, label=kind.format_label, more=kind.more_formats, help_text=kind.format_help
        )
        self.fields["only"].help_text = kind.only_help
        source = self.fields["source"]
        source.label, source.help_text = f"Source of the {kind.noun}s", kind.source_help
        source.required = kind.source_required

    @property
    def key(self) -> str:
        if self.records is not None and self.kind.needs_look:
            return self.records.format
        if self.takes_longer:
            return self.cleaned_data["format"] or SEEN
        return self.cleaned_data["format"] or (TABLE if self.kind.needs_look else SEEN)

    @property
    def says_all(self) -> bool:
        """Whether the names of the files say what else there is to say."""
        return self.key in self.kind.named

    @property
    def given(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("source", "only", "encoding")}

    def clean_only(self) -> dict[str, str]:
        try:
            return mapped(parted(self.cleaned_data["only"]))
        except MapError as error:
            raise forms.ValidationError(str(error)) from None

    def clean_uploads(self) -> list[Any]:
        files: list[Any] = self.cleaned_data["uploads"]
        suffixes = self.kind.suffixes
        for file in files:
            if suffixes and not self.data.get("format") and not (file.name or "").lower().endswith(suffixes):
                said = f"{file.name} is not a supported type: {', '.join(suffixes)}. {way_on(file.name or '')}"
                raise forms.ValidationError(said.strip())
        if sum(file.size or 0 for file in files) > settings.UPLOAD_MOST_BYTES:
            raise forms.ValidationError(too_large())
        return files

    def clean(self) -> dict[str, Any]:
        """The first file says which tool wrote them, if one did."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.errors or cleaned["format"] in self.kind.named:
            return cleaned
        first, needs_look = cleaned["uploads"][0], self.kind.needs_look
        may_be_table = cleaned["format"] in ("", TABLE) and is_by_line(first.name)
        if first.size <= MOST_BYTES:
            self._look_at(first, cleaned)
        elif needs_look and not may_be_table:
            self.add_error("uploads", self._larger)
        if needs_look and self.records is not None and any(file.size > MOST_BYTES for file in cleaned["uploads"]):
            self.add_error("uploads", self._larger)
        return cleaned

    def _look_at(self, file: Any, cleaned: dict[str, Any]) -> None:
        data = file.read()
        file.seek(0)
        said: dict[str, Any] = {"asked": cleaned["format"], "only": cleaned["only"]}
        try:
            how = How(encoding=cleaned["encoding"])
            self.records = records_apart(data, file.name, self.kind.use, how=how, first=RECORDS_SHOWN, **said)
        except TakesLonger:
            self.takes_longer = True
        except SourceError as error:
            self.add_error("uploads", in_words(error))

    @property
    def _larger(self) -> str:
        return f"Exports over 20 MB are imported on the server (manage.py {self.kind.command}). Ask its administrator."


class ColumnsForm(SheetForm):
    """`given` is what the job takes. Without `data` it holds what was said before, else a guess."""

    columns = forms.CharField(
        label="Combined columns",
        required=False,
        max_length=1000,
        help_text="For example item={list}-{n}. Overrides the roles above.",
    )
    labels = forms.CharField(
        label="Other spellings of labels",
        required=False,
        max_length=1000,
        help_text="For example A=yes, B=no. “C=” means no label.",
    )

    def __init__(
        self,
        data: QueryDict | None = None,
        *,
        kind: FileKind,
        head: Head,
        study: Study,
        given: Mapping[str, Any] | None = None,
    ) -> None:
        """`given` is what was said of these files before; without it there is a guess."""
        self.kind, self.head, self.study = kind, head, study
        self.before = given if given and "columns" in given else {}
        self.guessed = dict(self.before.get("chosen") or kind.guess(head, study))
        self.sent = None if data is None else data.copy()
        super().__init__(self.sent, auto_id=f"{kind.key}-%s", label_suffix="", initial=self.before.get("typed"))
        self.ask_roles(self._columns_there(), self._roles_there(), self._guessed_roles())
        self.asks = kind.asks(head, study, self.guessed)
        self.fields |= self.asks
        self.initial.update({name: self.before[name] for name in self.asks if name in self.before})
        self._add_labels()

    def _roles_there(self) -> list[Role]:
        more = self.kind.further_columns(self.study)
        each = [self.kind.each] if self.kind.each else []
        return [
            *(Role(name=one.name, label=one.label) for one in self.kind.columns(self.study)),
            *(Role(name=one.name, label=one.label, is_many=True) for one in each),
            *(Role(name=one.name, label=one.label, group="Options") for one in more),
        ]

    def _columns_there(self) -> dict[str, str]:
        """As they are called; without a line of names, they go by number."""
        names = dict.fromkeys((*self.head.names, *self.head.columns))
        if self.head.how.header:
            return {name: name for name in names}
        return {str(number): name for number, name in enumerate(names, start=1)}

    def _guessed_roles(self) -> dict[str, str]:
        """Column → role: as was said before, else as it looks."""
        found = {column: what for what, column in self.guessed.items()}
        if (each := self.kind.each) is None:
            return found
        several = self.before.get(each.name)
        columns = self.kind.guess_each(self.head, self.study, self.guessed) if several is None else several
        return dict.fromkeys(columns, each.name) | found

    def _add_labels(self) -> None:
        """A choice for every word of the columns with labels that is no label by itself."""
        labeled = [column for column in self.kind.labeled(self._chosen(), self._each) if column in self.head.columns]
        self.labels_of = ", ".join(labeled)
        found = sorted({value for column in labeled for value in self.head.values(column)})
        words, scale = self.kind.words(found, self.study), self.study.task.scale
        guessed = (guess_labels(words, scale) if words else {}) | dict(self.before.get("meanings", {}))
        choices = [("", self.kind.no_label), *((label.value, label.text) for label in scale.labels)]
        self.ask_labels(words, guessed, choices, required=False)

    def _chosen(self) -> dict[str, str]:
        """Which column is what, as it stands in the sheet."""
        return {
            role.name: column for role in self.roles if not role.is_many and (column := self.column_that_is(role.name))
        }

    @property
    def _each(self) -> list[str]:
        return self.columns_that_are(self.kind.each.name) if self.kind.each else []

    # --- What it shows --------------------------------------------------------------------------------

    @property
    def further_fields(self) -> list[forms.BoundField]:
        return [self["columns"], self["labels"]]

    @property
    def ask_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.asks]

    @property
    def is_unfolded(self) -> bool:
        return any(field.errors or field.value() for field in self.further_fields)

    # --- What it says ---------------------------------------------------------------------------------

    @property
    def given(self) -> dict[str, Any]:
        said = self.cleaned_data
        fields = {word: f"label-{place}" for place, word in enumerate(self.words)}
        meanings = {word: said[field] for word, field in fields.items() if field in self.data}
        given = {name: said[name] for name in self.asks}
        if self.kind.each:
            given[self.kind.each.name] = self._each
        given |= {"columns": self._chosen() | self._typed, "meanings": meanings | meanings_of(parted(said["labels"]))}
        kept = {"chosen": self._chosen(), "typed": {name: said[name] for name in ("columns", "labels")}}
        return self.kind.given(given, self.head, self.study) | kept

    @property
    def _typed(self) -> dict[str, str]:
        return mapped(parted(self.cleaned_data["columns"]))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for name, read in (("columns", mapped), ("labels", meanings_of)):
            try:
                read(parted(cleaned.get(name, "")))
            except MapError as error:
                self.add_error(name, str(error))
        self.refuse_repeated_roles()
        if not self.errors.keys() & {"columns", "labels", *self.asks}:
            for field, why in self.kind.faults(self.given, self.head, self.study):
                if field in self.fields:
                    self.add_error(field, why)
                else:
                    self.add_role_error(field, why)
        return cleaned
