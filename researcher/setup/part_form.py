"""The form of one part of a study's setup: fields that are values of study.toml, and its faults beside them."""

from collections.abc import Mapping
from typing import Any, ClassVar

from django import forms
from django.utils.safestring import SafeString

from annotation.editing import state_of, value_of
from annotation.models import Study
from annotation.studyfile import tables_of
from annotation.views.markdown import rendered
from corpus.errors import Fault


class Markdown(forms.Textarea):
    """A text that people read as Markdown, and that the page shows as they read it."""


def line(label: str, help_text: str = "") -> forms.CharField:
    return forms.CharField(label=label, help_text=help_text, required=False)


def prose(label: str, help_text: str = "", *, rows: int = 10) -> forms.CharField:
    return forms.CharField(label=label, help_text=help_text, required=False, widget=Markdown(attrs={"rows": rows}))


def whole(label: str, help_text: str = "", *, least: int, most: int) -> forms.IntegerField:
    widget = forms.NumberInput(attrs={"min": least, "max": most, "class": "short"})
    return forms.IntegerField(label=label, help_text=help_text, required=False, widget=widget)


class SetupForm(forms.Form):
    """`seen` names what was there when the page was shown, so that nobody writes over what they have not read."""

    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, initial: Mapping[str, Any], seen: str) -> None:
        super().__init__(data, initial={**initial, "seen": seen}, label_suffix="", auto_id="setup-%s")
        self.now = seen

    @property
    def own(self) -> list[forms.BoundField]:
        return [field for field in self if field.name != "seen"]

    @property
    def has_texts(self) -> bool:
        return any(isinstance(field.widget, Markdown) for field in self.fields.values())

    @property
    def as_read(self) -> list[tuple[str, SafeString]]:
        """Each text as people read it: of what has been typed, saved or not."""
        texts = [field for field in self if isinstance(field.field.widget, Markdown)]
        return [(str(one.label), rendered(text)) for one in texts if (text := _lines(one.value()))]

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for name, value in cleaned.items():
            if isinstance(value, str):
                before = self.initial.get(name)
                text = _lines(value)
                # A browser writes line ends its own way, and a form drops space around a text.
                cleaned[name] = before if isinstance(before, str) and text == _lines(before) else text
        return cleaned

    def again(self) -> None:
        """To be shown once more after a refusal, with what was typed, as of now."""
        self.data = {name: self.data[name] for name in self.data} | {"seen": self.now}

    def add_faults(self, faults: list[Fault]) -> None:
        """Each beside its field, if it has one here."""
        for fault in faults:
            name = self.field_of(fault.field)
            if name in self.fields:
                self.add_error(name, f"{self.fields[name].label}: {fault.message}.")
            else:
                self.add_error(None, f"{fault.field}: {fault.message}.")

    def field_of(self, path: str) -> str:
        return path.replace(".", "__")


class PartForm(SetupForm):
    """One part. `listed` is the path of its list of tables, which has pages of its own."""

    key: ClassVar[str]
    heading: ClassVar[str]
    says: ClassVar[str]
    listed: ClassVar[str] = ""

    def __init__(self, data: Any = None, *, study: Study) -> None:
        self.study = study
        super().__init__(data, initial={}, seen="")
        self.fields |= self.more_fields()
        self.paths = {name: name.replace("__", ".") for name in self.fields if name != "seen"}
        self.now = state_of(study, self.paths.values())
        tables = tables_of(study)
        self.initial = {name: value_of(tables, path) for name, path in self.paths.items()} | {"seen": self.now}

    def more_fields(self) -> dict[str, forms.Field]:
        """Those that come from a list."""
        return {}

    @property
    def changes(self) -> dict[str, Any]:
        """By their paths; what is left empty is left to its default."""
        cleaned = {self.paths[name]: self.cleaned_data[name] for name in self.paths}
        return {path: None if value == "" else value for path, value in cleaned.items()}


def _lines(text: Any) -> str:
    return str(text or "").replace("\r\n", "\n").strip()
