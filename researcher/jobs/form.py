"""Which constructions and data sets there are to choose from, and the form of one, made of what it declares for the
command line.
"""

from argparse import ArgumentTypeError
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict
from django.utils.safestring import SafeString

from annotation.studyfile import read_study
from annotation.views.wording import rendered
from corpus.arguments import slug
from researcher.files_field import FilesField, Gone, comes_again
from researcher.jobs.folder import source_named, source_names
from researcher.new_study.columns_form import free_slug
from researcher.new_study.start_form import Picture, picture_of
from stimuli.making.options import CONSTRUCTION, Kind, Misasked, Option, about, declared, values_of
from stimuli.making.registry import BUILDERS, importers

# The sample study whose items look as those of a construction do.
SAMPLES = {"adjectives": "adjectives", "agreement": "agreement", "intensifiers": "intensifiers", "altboolq": "passages"}

LONGEST = 200_000
# What is said where a reader of an option refuses a word and does not say it for a page.
WANTED: Mapping[Any, str] = {
    int: "Enter a whole number, such as 1.",
    float: "Enter a number, such as 0.5.",
    slug: "Use lower-case letters, digits and single hyphens, such as my-study-2.",
}
# Of so many options of its own none is folded.
FEW = 3
UPLOADED, SERVER = "file", "server"


class JobForm(forms.Form):
    """`given`, `files` and `sources` are what `prepare_job` takes, once the form is valid."""

    def __init__(
        self,
        kind: str,
        key: str,
        data: QueryDict | None = None,
        files: MultiValueDict[str, Any] | None = None,
        *,
        several: bool = False,
        initial: Mapping[str, Any] | None = None,
    ) -> None:
        super().__init__(data, files, label_suffix="", auto_id="job-%s", initial=dict(initial or {}))
        self.kind, self.key = kind, key
        self.parser = declared(kind, key)
        self.options = self.parser.options
        for option in self.options:
            if option.kind is Kind.FILE:
                self._add_files(option, several=option.several or (option.name == "source" and several))
            else:
                self.fields[option.name] = _field(option)

    def _add_files(self, option: Option, *, several: bool) -> None:
        names = source_names() if self.kind == CONSTRUCTION else []
        self.fields[f"{UPLOADED}-{option.name}"] = FilesField(
            label=option.label + ("" if option.required else " (optional)"),
            help_text=option.help,
            required=option.required and not names,
            several=several,
            is_needed=option.required,
            instead=f"{SERVER}-{option.name}" if names else "",
            error_messages={"required": "Choose a file."},
        )
        if names:
            here = [(name, name) for name in names if several or source_named(name).is_file()]
            self.fields[f"{SERVER}-{option.name}"] = forms.MultipleChoiceField(
                label=f"{option.label}, from this server",
                choices=here,
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )

    # --- What it shows --------------------------------------------------------------------------------

    @property
    def source_fields(self) -> list[forms.BoundField]:
        return [
            self[name] for name in self.fields if name.startswith((f"{UPLOADED}-", f"{SERVER}-")) and "join" not in name
        ]

    @property
    def name_fields(self) -> list[forms.BoundField]:
        return [self["title"], self["slug"]]

    @property
    def drawn_fields(self) -> list[forms.BoundField]:
        names = ("limit", "sample", "seed", "without_context")
        return [self[name] for name in names if name in self.fields]

    @property
    def own_fields(self) -> list[forms.BoundField]:
        """What must be said, and the rest where that is little."""
        return [field for field in self._own if field.field.required or len(self._own) <= FEW]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        shown = {field.name for field in self.own_fields}
        return [*(field for field in self._own if field.name not in shown), *self.drawn_fields]

    @property
    def _own(self) -> list[forms.BoundField]:
        shown = {
            field.name for field in (*self.source_fields, *self.name_fields, *self.drawn_fields, *self.join_fields)
        }
        return [self[name] for name in self.fields if name not in shown]

    @property
    def join_fields(self) -> list[forms.BoundField]:
        return [
            self[name]
            for option in self.options
            if option.part == "join"
            for name in (option.name, f"{UPLOADED}-{option.name}", f"{SERVER}-{option.name}")
            if name in self.fields
        ]

    @property
    def shows_more(self) -> bool:
        return any(map(self._is_to_be_seen, self.more_fields))

    @property
    def shows_join(self) -> bool:
        return any(map(self._is_to_be_seen, self.join_fields))

    def _is_to_be_seen(self, field: forms.BoundField) -> bool:
        """Whether a fold may not hide it: it is wrong, asks for a file again, or was said for a job before."""
        return bool(field.errors) or comes_again(field) or field.name in self.initial

    # --- What it says ---------------------------------------------------------------------------------

    @property
    def given(self) -> dict[str, Any]:
        """Option values by name, without what is as it would be anyhow, and without files."""
        found: dict[str, Any] = {}
        for option in self.options:
            if option.kind is Kind.FILE:
                continue
            value = _value(option, self.cleaned_data.get(option.name))
            if option.kind is Kind.FLAG:
                found |= {option.name: True} if value else {}
            elif value not in (None, "", [], False) and values_of(value) != values_of(option.default):
                found[option.name] = value
        return found

    @property
    def uploads(self) -> dict[str, list["UploadedFile[Any]"]]:
        found = {one.name: self.cleaned_data.get(f"{UPLOADED}-{one.name}") or [] for one in self._of_files()}
        return {name: files for name, files in found.items() if files}

    @property
    def sources(self) -> dict[str, list[str]]:
        found = {one.name: self.cleaned_data.get(f"{SERVER}-{one.name}") or [] for one in self._of_files()}
        return {name: names for name, names in found.items() if names}

    def _of_files(self) -> list[Option]:
        return [one for one in self.options if one.kind is Kind.FILE]

    # --- What is wrong --------------------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for option in self.options:
            self._clean_files(option) if option.kind is Kind.FILE else self._clean_words(option)
        if not self.errors:
            self._clean_together()
        self._clean_slug(cleaned.get("slug") or "")
        return cleaned

    def _clean_files(self, option: Option) -> None:
        field, sent = f"{UPLOADED}-{option.name}", self.cleaned_data.get(f"{UPLOADED}-{option.name}") or []
        chosen = self.cleaned_data.get(f"{SERVER}-{option.name}") or []
        if option.required and not sent and not chosen and field not in self.errors:
            self.add_error(field, "Choose a file.")
        if not option.several and len(chosen) + bool(sent) > 1:
            self.add_error(field, "Choose one.")
        if sum(file.size or 0 for file in sent) > settings.UPLOAD_MOST_BYTES:
            self.add_error(field, too_large())

    def _clean_words(self, option: Option) -> None:
        """As the command line reads each value; and that no word is the path of a file of the server."""
        for text in values_of(_value(option, self.cleaned_data.get(option.name))):
            if option.kind is not Kind.TEXT:
                continue
            if option.may_be_path and any(mark in text for mark in "./\\"):
                self.add_error(option.name, f"{text!r} is not a word.")
                continue
            if option.flag and option.several and not option.repeats and text.startswith("-"):
                self.add_error(option.name, f"{text!r} must not begin with a hyphen.")
                continue
            try:
                option.read(text)
            except (ArgumentTypeError, ValueError) as error:
                said = f"{error}." if isinstance(error, ArgumentTypeError) else f"{text!r} is not a valid value."
                self.add_error(option.name, WANTED.get(option.read, said))

    def _clean_together(self) -> None:
        """As the command would read it all, with a name in the place of each file."""
        there = {name: ["file"] for name in (*self.uploads, *self.sources)}
        single = {one.name for one in self._of_files() if not one.several}
        named = {name: "file" if name in single else value for name, value in there.items()}
        try:
            self.parser.read(self.given | named)
        except Misasked as error:
            self.add_error(None, f"{self.parser.in_words(str(error))}.")

    def _clean_slug(self, named: str) -> None:
        if named and "slug" not in self.errors and (free := free_slug(named)) != named:
            self.add_error("slug", f"The URL name {named} is not available. Choose another, such as {free}.")


def too_large() -> str:
    most = settings.UPLOAD_MOST_BYTES // 1024 // 1024
    return f"The files are larger than {most:,} MB together. Ask the administrator to provide a folder."


def as_typed(given: Mapping[str, Any], files: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """What a job was given, as the fields of a form hold it at first: several values with each on a line, or as boxes
    to tick. Its files are to be chosen again.
    """
    typed: dict[str, Any] = {name: Lines(value) if isinstance(value, list) else value for name, value in given.items()}
    for option in dict.fromkeys(file["option"] for file in files):
        typed[f"{UPLOADED}-{option}"] = Gone.of(file["name"] for file in files if file["option"] == option)
    return typed


class Lines(list[str]):
    """Several values: a list for boxes, lines for a text field."""

    def __str__(self) -> str:
        return "\n".join(self)


def _field(option: Option) -> forms.Field:
    said: dict[str, Any] = {"label": option.label, "help_text": option.help, "required": option.required}
    default = values_of(option.default)
    if option.kind is Kind.FLAG:
        return forms.BooleanField(**said | {"required": False})
    if option.kind is Kind.CHOICE:
        return _choice(option, said, default)
    example = {"placeholder": option.example} if option.example else {}
    if option.several:
        rows = min(8, max(3, len(default), len(option.example.splitlines())))
        lines = forms.Textarea(attrs={"rows": rows, "spellcheck": "false", **example})
        return forms.CharField(widget=lines, initial="\n".join(default), max_length=LONGEST, **said)
    short = {"class": "short"} if option.metavar in ("N", "SHARE", "W") or option.read is int else {}
    return forms.CharField(
        initial=default[0] if default else "", max_length=1_000, widget=forms.TextInput(attrs=short | example), **said
    )


def _choice(option: Option, said: Mapping[str, Any], default: Sequence[str]) -> forms.Field:
    choices = [*option.choices.items()]
    if option.several:
        return forms.MultipleChoiceField(choices=choices, initial=default, widget=forms.CheckboxSelectMultiple, **said)
    nothing = [] if default else [("", "choose" if option.required else "detect automatically")]
    return forms.ChoiceField(choices=[*nothing, *choices], initial=default[0] if default else "", **said)


def _value(option: Option, cleaned: Any) -> Any:
    """What a field holds, as an option's value: lines are several."""
    if option.several and isinstance(cleaned, str):
        return [line.strip() for line in cleaned.splitlines() if line.strip()]
    return cleaned.strip() if isinstance(cleaned, str) else cleaned


@dataclass(frozen=True, slots=True)
class Choice:
    """`facts` are the rows of its README: paper, data, license."""

    kind: str
    key: str
    title: str
    makes: SafeString
    facts: list[tuple[str, SafeString]]
    picture: Picture | None


def choices(kind: str) -> list[Choice]:
    return [choice(kind, key) for key in (BUILDERS if kind == CONSTRUCTION else importers())]


def choice(kind: str, key: str) -> Choice:
    """LookupError for a name that is none."""
    said = about(kind, key)
    facts = [(name, rendered(text)) for name, text in said.rows]
    picture = _picture(SAMPLES[key]) if kind == CONSTRUCTION and key in SAMPLES else None
    return Choice(kind, key, said.title, rendered(said.makes), facts, picture)


def _picture(sample: str) -> Picture:
    """Of the shortest target of a sample study, which is read beside the form."""
    folder = settings.BASE_DIR / "stimuli" / "samples" / sample
    study = read_study(folder)
    item = min((row for row in study.items if row.kind == "target"), key=lambda row: len(str(row.content)))
    return picture_of(study.task, item.content)
