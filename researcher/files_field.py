"""Fields of files. A browser keeps no file for a form that comes back; so its field says which to choose again, and a
form is not sent on without a file that was chosen before, unless its researcher says so.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms
from django.core.files.uploadedfile import UploadedFile
from django.template.loader import render_to_string
from django.utils.datastructures import MultiValueDict
from django.utils.safestring import SafeString

# So many are called by their names; of more it is said how many they are.
NAMED = 4
LONGEST = 200


@dataclass(frozen=True, slots=True)
class Gone:
    """Files that were chosen once, and are not here now. str() asks for them."""

    names: tuple[str, ...]

    @classmethod
    def of(cls, names: Iterable[str]) -> "Gone | None":
        found = [name[:LONGEST] for name in names if name]
        more = [f"{len(found) - NAMED:,} more"] if len(found) > NAMED + 1 else []
        return cls((*found[:NAMED], *more) if more else tuple(found)) if found else None

    def __str__(self) -> str:
        return f"Choose the file{'' if len(self.names) == 1 else 's'} again: {', '.join(self.names)}."


class ChosenFiles(forms.FileInput):
    """What was chosen stands beside its field in hidden ones. A field of `instead` that is filled stands for the file;
    a file that `is_needed` can only be chosen again.
    """

    def __init__(self, *, several: bool = False, is_needed: bool = False, instead: str = "") -> None:
        self.allow_multiple_selected = several
        super().__init__({"multiple": True} if several else None)
        self.is_needed, self.instead = is_needed, instead

    def value_from_datadict(self, data: Any, files: MultiValueDict[str, Any], name: str) -> Any:
        sent = super().value_from_datadict(data, files, name)
        if sent or f"without-{name}" in data or (self.instead and data.get(self.instead, "").strip()):
            return sent
        before = data.getlist(f"again-{name}") if hasattr(data, "getlist") else []
        return Gone.of(before) or sent

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        gone = value if isinstance(value, Gone) else Gone.of(_names(value))
        if gone is None:
            return super().render(name, value, attrs, renderer)
        attrs = dict(attrs or {})
        said = f"{attrs.get('id', name)}_again"
        # Beside an error of the field, which says what to do, it would be said twice.
        is_said = "aria-invalid" not in attrs
        if is_said:
            attrs["aria-describedby"] = f"{said} {attrs.get('aria-describedby', '')}".strip()
        field = super().render(name, None, attrs, renderer)
        context = {"name": name, "gone": gone, "said": said, "is_said": is_said, "may_lack": not self.is_needed}
        return field + render_to_string("researcher/_choose_again.html", context)


def _names(value: Any) -> Sequence[str]:
    sent = value if isinstance(value, list | tuple) else [value]
    return [str(file.name) for file in sent if getattr(file, "name", "")]


class FileField(forms.FileField):
    """One file; None where there is none."""

    def __init__(self, *, several: bool = False, is_needed: bool | None = None, instead: str = "", **said: Any) -> None:
        needed = said.get("required", True) if is_needed is None else is_needed
        widget = ChosenFiles(several=several, is_needed=needed, instead=instead)
        super().__init__(widget=widget, **said)

    def clean(self, data: Any, initial: Any = None) -> Any:
        if isinstance(data, Gone):
            raise forms.ValidationError(str(data))
        return super().clean(data)

    def bound_data(self, data: Any, initial: Any) -> Any:
        """What is not sent is not there, whatever the form began with."""
        return data


class FilesField(FileField):
    """One file or several, as a list."""

    def clean(self, data: Any, initial: Any = None) -> list["UploadedFile[Any]"]:
        sent = data if isinstance(data, list | tuple) else [data]
        files = [super(FilesField, self).clean(one) for one in sent or [None]]
        return [file for file in files if file]


def comes_again(field: forms.BoundField) -> bool:
    """Whether it asks for files that were chosen before."""
    value = field.value()
    return isinstance(field.field, FileField) and (isinstance(value, Gone) or bool(_names(value)))
