"""One item as a form: a field for each text that its task type asks for, and what is known of it."""

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any

from django import forms

from annotation.drafting.items import state_of
from annotation.itemfile import LONGEST_ID, ItemRow
from annotation.models import Item, Study
from corpus.bounds import LONGEST_TEXT
from corpus.errors import Fault
from researcher.drafting.item_list import KINDS
from researcher.new_study.start_form import Picture, picture_of

CONTENT, OPTION = "content.", "content.options."


class ItemForm(forms.Form):
    """`row` is the item that it says, once it is valid. `before` is the item as it stands, of one that is there."""

    seen = forms.CharField(max_length=16, required=False, widget=forms.HiddenInput)
    kind = forms.ChoiceField(label="Kind", widget=forms.RadioSelect)
    id = forms.CharField(label="ID", required=False, max_length=LONGEST_ID, help_text="Empty: numbered automatically.")
    reference = forms.ChoiceField(
        label="Correct answer", required=False, help_text="Required for gold items and attention checks."
    )
    explanation = forms.CharField(
        label="Explanation",
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text="Only for practice: feedback after the answer.",
    )
    group = forms.CharField(
        label="Group", required=False, max_length=LONGEST_ID, help_text="Same for all variants of one source."
    )
    strength = forms.FloatField(
        label="Published rating",
        required=False,
        help_text="A mean rating known already, of a paper or a pilot.",
    )
    attributes = forms.CharField(
        label="Attributes",
        required=False,
        widget=forms.Textarea(attrs={"rows": 3, "placeholder": "source: novel"}),
        help_text="One per line, as name: value. Results can be broken down by them.",
    )

    def __init__(self, data: Any = None, *, study: Study, before: ItemRow | None = None, kind: str = "") -> None:
        self.study, self.task, self.before = study, study.task, before
        self.form_of_items = _form_of(study, before)
        super().__init__(data, label_suffix="", auto_id="item-%s", initial=_initial(before, kind))
        self.fields["kind"].choices = [(kind.value, words) for kind, (words, _) in KINDS.items()]  # type: ignore[attr-defined]
        labels = [(label.value, label.text) for label in self.task.scale.labels]
        self.fields["reference"].choices = [("", "none"), *labels]  # type: ignore[attr-defined]
        for name, label, required in self._texts():
            text = str(self.initial.get(name, ""))
            self.fields[name] = forms.CharField(
                label=label,
                required=required,
                max_length=LONGEST_TEXT,
                widget=forms.Textarea(attrs={"rows": 2 + len(text) // 60, "class": "stimulus", "dir": "auto"}),
            )
        if before is not None:
            self.fields["id"].disabled = True
            self.fields["id"].help_text = "The ID of an item cannot change."

    def _texts(self) -> Iterator[tuple[str, str, bool]]:
        for one in self.task.content_fields:
            if not one.form or not self.form_of_items:
                yield f"{CONTENT}{one.name}", one.words, one.required
            elif one.form == self.form_of_items:
                yield f"{CONTENT}{one.name}", one.short, True
        if self.task.options_from == "item":
            for role in self.task.scale.values:
                yield f"{OPTION}{role}", f"Option: {role}", True

    # --- What it shows -------------------------------------------------------------------------------

    @property
    def content_fields(self) -> list[forms.BoundField]:
        """Those that an item needs or items of the study have."""
        return [self[name] for name, _, _ in self._texts() if name not in self._unused]

    @property
    def unused_fields(self) -> list[forms.BoundField]:
        return [self[name] for name, _, _ in self._texts() if name in self._unused]

    @cached_property
    def _unused(self) -> set[str]:
        """Texts that an item may have and none of the study has."""
        optional = [name for name, _, required in self._texts() if not name.startswith(OPTION) and not required]
        return {name for name in optional if not self[name].errors and not self._is_there(name)}

    def _is_there(self, name: str) -> bool:
        return self.study.items.filter(content__has_key=name.removeprefix(CONTENT)).exists()

    @property
    def known_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("reference", "explanation")]

    @property
    def other_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in ("id", "group", "strength", "attributes")]

    @property
    def kinds(self) -> list[tuple[str, str, str]]:
        """Value, name, and what it is for."""
        return [(kind.value, words, says) for kind, (words, says) in KINDS.items()]

    @property
    def picture(self) -> Picture | None:
        """The item as annotators see it, of what has been typed; None while that is no item."""
        content = self._content(lambda name: str(self[name].value() or ""))
        return None if self.task.validate(content) else picture_of(self.task, content)

    # --- What it says --------------------------------------------------------------------------------

    def row(self, *, named: str) -> ItemRow:
        """`named` is its id where none was typed."""
        said = self.cleaned_data
        return ItemRow(
            id=self.before.id if self.before else said["id"] or named,
            content=self._content(lambda name: said.get(name, "")),
            kind=said["kind"],
            reference=said["reference"] or None,
            attributes=said["attributes"],
            group=said["group"],
            strength=said["strength"],
            revise=self.before.revise if self.before else "",
            explanation=_lines(said["explanation"]),
        )

    def clean_attributes(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for line in filter(None, map(str.strip, self.cleaned_data["attributes"].splitlines())):
            name, colon, value = (part.strip() for part in line.partition(":"))
            if not colon or not name or not value:
                raise forms.ValidationError(f"“{line}” must have the form name: value.")
            if name in found:
                raise forms.ValidationError(f"{name} is given twice.")
            found[name] = value
        return found

    def add_faults(self, message: str, faults: list[Fault]) -> None:
        """Each beside its field."""
        self.add_error(None, message)
        for fault in faults:
            field = fault.field.partition(".")[2] if fault.field.startswith("line ") else fault.field
            name = field if field in self.fields else next((one for one in self.fields if one.startswith(field)), None)
            called = self.fields[name].label if field and name else field
            self.add_error(name if field else None, f"{called}: {fault.message}." if called else f"{fault.message}.")

    def _content(self, typed: Any) -> dict[str, Any]:
        """What is typed, in the order of the task's fields; what an item has beside is kept as it was."""
        before: Mapping[str, Any] = self.before.content if self.before else {}
        content: dict[str, Any] = dict(before)
        for name, _, _ in self._texts():
            text = reworded(typed(name), str(self.initial.get(name, "")))
            if name.startswith(OPTION):
                content["options"] = content.get("options", {}) | {name.removeprefix(OPTION): text}
            elif text:
                content[name.removeprefix(CONTENT)] = text
            else:
                content.pop(name.removeprefix(CONTENT), None)
        return content


def _form_of(study: Study, before: ItemRow | None) -> str:
    """Of which form the item is or, of a new one, all others are; empty where there are none, or several forms."""
    fields = [one for one in study.task.content_fields if one.form]
    if before is not None:
        return next((one.form for one in fields if one.name in before.content), "")
    forms = {one.form for one in fields if study.items.filter(content__has_key=one.name).exists()}
    return forms.pop() if len(forms) == 1 else ""


def _initial(row: ItemRow | None, kind: str) -> dict[str, Any]:
    if row is None:
        return {"kind": kind or Item.Kind.TARGET.value}
    found: dict[str, Any] = {
        "seen": state_of(row),
        "kind": row.kind,
        "id": row.id,
        "reference": row.reference or "",
        "explanation": row.explanation,
        "group": row.group,
        "strength": row.strength,
        "attributes": "\n".join(f"{name}: {value}" for name, value in row.attributes.items()),
    }
    for name, value in row.content.items():
        if isinstance(value, dict):
            found |= {f"{CONTENT}{name}.{inner}": text for inner, text in value.items()}
        else:
            found[f"{CONTENT}{name}"] = value
    return found


def reworded(typed: str, was: str) -> str:
    """The text of an item as it was typed; as it was, where only its line ends, or space around it, are others: a
    browser writes line ends its own way, and space around a text is dropped.
    """
    text = _lines(typed)
    return was if text == _lines(was) else text


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").strip()
