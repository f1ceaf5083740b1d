"""The first page of a new study: the items as a file or as text. And each task type, with a picture of an item."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.files import File
from django.core.files.base import ContentFile
from django.template.loader import render_to_string
from django.utils.safestring import SafeString

from annotation.tasktypes import TASK_TYPES, task_type
from annotation.tasktypes.contract import Label, TaskType
from annotation.templatetags.spoken import spoken
from corpus.formats.registry import suffixes_for
from corpus.source_text import NotText
from corpus.tables.encodings import encoding_of, text_in
from corpus.tables.registry import form_named, names, way_on
from researcher.files_field import FileField
from researcher.imports.written_by import EncodingField, WrittenBy

LONGEST_PASTED = 1_000_000
MOST_BYTES = 20 * 1024 * 1024
ASKS = {
    "plausibility": "How plausible is B, compared with A?",
    "forced_choice": "Which one fits better?",
    "yes_no": "A question with two answers",
    "rating": "A point on a scale",
}


class StartForm(forms.Form):
    """Its cleaned data has either a file or what was pasted."""

    file = FileField(
        label="File",
        required=False,
        is_needed=True,
        instead="pasted",
        help_text=f"{names()}, Parquet or another tool’s export · up to 20 MB",
    )
    format = WrittenBy("items", help_text="Choose the tool if it is not detected.")
    encoding = EncodingField()
    pasted = forms.CharField(
        label="Paste from a spreadsheet",
        required=False,
        strip=False,
        max_length=LONGEST_PASTED,
        help_text="Include the header row.",
        widget=forms.Textarea(attrs={"rows": 4, "spellcheck": "false"}),
    )

    def __init__(self, data: Any = None, files: Any = None) -> None:
        super().__init__(data, files, label_suffix="", auto_id="new-%s")
        self.suffixes = suffixes_for("items")
        self.fields["file"].widget.attrs["accept"] = ",".join(self.suffixes)

    def clean_file(self) -> "File[bytes] | None":
        file: File[bytes] | None = self.cleaned_data["file"]
        name = (file.name or "").lower() if file else ""
        if file and not name.endswith(self.suffixes):
            said = f"Choose a file of one of these types: {', '.join(self.suffixes)}. {way_on(name)}"
            raise forms.ValidationError(said.strip())
        if file and (file.size or 0) > MOST_BYTES:
            raise forms.ValidationError("The file is larger than 20 MB. Use “Any table” under “A published data set”.")
        return file

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        has_file, has_text = bool(cleaned.get("file")), bool((cleaned.get("pasted") or "").strip())
        if has_file and has_text:
            self.add_error("pasted", "Send either a file or pasted items.")
        elif not has_file and not has_text and not self.errors:
            self.add_error("file", "Choose a file or paste items below.")
        return cleaned

    def ask_encoding(self) -> None:
        """Where a file of text is none in the encoding that was chosen or seen, ask for it."""
        file = self.source
        form = form_named(file.name or "")
        if self.cleaned_data["file"] and form and not form.member:
            data = b"".join(file.chunks())
            try:
                text_in(data, self.cleaned_data["encoding"] or encoding_of(data))
            except NotText:
                self.add_error("encoding", "Choose the encoding and send the file again.")

    @property
    def source(self) -> "File[bytes]":
        """What was sent, as a file."""
        if file := self.cleaned_data["file"]:
            sent: File[bytes] = file
            return sent
        text = self.cleaned_data["pasted"].replace("\r\n", "\n")
        first = text.lstrip().split("\n", 1)[0]
        suffix = ".jsonl" if first.startswith("{") else ".tsv" if "\t" in first else ".csv"
        return ContentFile(text.encode(errors="surrogatepass"), name=f"pasted{suffix}")


@dataclass(frozen=True, slots=True)
class Picture:
    """What stands on the page of an item: what is read, what is asked, and what can be answered."""

    stimulus: SafeString
    question: str
    options: Sequence[Label]


@dataclass(frozen=True, slots=True)
class Kind:
    """A task type to choose, and what is asked in few words."""

    key: str
    name: str
    asks: str


def picture_of(task: TaskType, content: Mapping[str, Any]) -> Picture:
    """Of a valid item. Options stand in one of their orders, always the same."""
    shown = task.page_context(content, task.present(content, random.Random(0)))
    stimulus = render_to_string(task.template, {**shown, "lang": spoken(""), "page_lang": SafeString(' dir="ltr"')})
    return Picture(stimulus, task.question, shown["options"])


def kinds() -> list[Kind]:
    """Every task type there is."""
    types = [(key, task_type(key)) for key in TASK_TYPES]
    return [Kind(key, kind.name, ASKS.get(key, "")) for key, kind in types]
