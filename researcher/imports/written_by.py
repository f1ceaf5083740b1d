"""What forms ask of files: which tool wrote them, how a table is read, and what the words of its columns mean."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from django import forms
from django.http import QueryDict

from corpus.formats.contract import Use
from corpus.formats.registry import FORMATS, TABLE, Format, formats_for
from corpus.tables.encodings import ENCODINGS
from corpus.tables.opening import How
from corpus.tables.quotes import DELIMITERS


class WrittenBy(forms.ChoiceField):
    """What the file shows, a table, or a tool (`tools` says which file, exported where); `more` choices come last."""

    def __init__(
        self, use: Use, *, label: str = "Exported from", more: Iterable[tuple[str, str]] = (), help_text: str = ""
    ) -> None:
        found = sorted(((name, FORMATS[name]) for name in formats_for(use)), key=lambda one: one[1].tool.casefold())
        self.tools: list[Format] = [one for _, one in found]
        tools = [(name, one.tool) for name, one in found]
        choices = [("", "detect automatically"), (TABLE, "a table"), *tools, *more]
        super().__init__(label=label, required=False, choices=choices, help_text=help_text)


class EncodingField(forms.ChoiceField):
    """What a file of text is in, before anything of it was read."""

    def __init__(self) -> None:
        super().__init__(
            label="Encoding",
            required=False,
            choices=[("", "detect automatically"), *ENCODINGS.items()],
            help_text="For text files. Choose Shift JIS, EUC-KR and GB 18030 yourself.",
        )


class LabelsForm(forms.Form):
    """A choice for each of the `words` that is no label by itself, in the columns `labels_of`. `sent` is what came."""

    sent: QueryDict | None
    words: Sequence[str] = ()
    labels_of = ""

    def ask_labels(
        self, words: Sequence[str], guessed: Mapping[str, str], choices: Sequence[tuple[str, str]], *, required: bool
    ) -> None:
        self.words = words
        # What was chosen for another column's words says nothing of these.
        is_new = self.sent is not None and self.sent.get("labels_of") != self.labels_of
        for place, word in enumerate(words):
            name, label = f"label-{place}", f"“{word}” means"
            said = {"required": f"Choose the meaning of “{word}”."}
            self.fields[name] = forms.ChoiceField(
                label=label, choices=choices, required=required, initial=guessed[word], error_messages=said
            )
            if self.sent is not None and is_new:
                self.sent[name] = guessed[word]

    @property
    def label_fields(self) -> list[forms.BoundField]:
        return [self[f"label-{place}"] for place in range(len(self.words))]


class ReadingForm(forms.Form):
    """How a file was read. A change reads it again; fields that do not apply to such a file are left out."""

    encoding = forms.ChoiceField(label="Encoding", required=False, choices=[*ENCODINGS.items()])
    sheet = forms.ChoiceField(label="Sheet", required=False)
    delimiter = forms.ChoiceField(
        label="Delimiter",
        required=False,
        choices=[("", "detect automatically"), *((sign, name) for name, sign in DELIMITERS.items())],
    )
    header = forms.BooleanField(label="First row is the header", required=False)

    def __init__(
        self, data: Any = None, *, how: How, sheets: Sequence[str], may_lack_header: bool, is_parted: bool = False
    ) -> None:
        initial = asdict(how)
        super().__init__(data, label_suffix="", auto_id="read-%s", initial=initial)
        self.how_before = how
        self.fields["sheet"].choices = [(name, name) for name in sheets]  # type: ignore[attr-defined]
        if not how.encoding:
            del self.fields["encoding"]
        if len(sheets) < 2:
            del self.fields["sheet"]
        if not is_parted:
            del self.fields["delimiter"]
        if not may_lack_header:
            del self.fields["header"]

    @property
    def how(self) -> How:
        said = self.cleaned_data
        return How(
            sheet=said.get("sheet", ""),
            encoding=said.get("encoding", ""),
            delimiter=said.get("delimiter", ""),
            header=said.get("header", self.how_before.header),
        )
