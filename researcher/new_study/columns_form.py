"""The second page of a new study: which columns are what, and what is asked; fields by table and task type.

Beside it, a name that is free.
"""

from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path
from typing import Any

from django import forms
from django.http import QueryDict

from annotation.models import Study
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import Scale, TaskType
from corpus.arguments import LONGEST, LONGEST_TITLE, slug_of
from researcher.forms import SlugField
from researcher.imports.written_by import LabelsForm
from stimuli.datasets.table.columns import ColumnMap, item_row, keyed
from stimuli.datasets.table.guessing import (
    as_attribute,
    attributes_left,
    choices_of,
    guess,
    guess_labels,
    guess_slot,
    values_of,
    why_no_id,
)
from stimuli.datasets.table.making import TableOptions
from stimuli.datasets.table.rows import Table

# Room for the number of a name that another has already.
SPARE = 6

OPTIONS = "options."
FEWEST_ROLES, MOST_ROLES = 4, 9
# More values than that are no labels, whatever the column is called.
MOST_LABELS = 20
ROW_FIELDS = (
    ("reference", "Correct answer", "The correct answer: for gold items, and to compare people and models with."),
    ("id", "ID", "One per item. If none, items are numbered."),
    ("group", "Group", "Variants of one source share a group. With balanced lists, no one sees two."),
    ("kind", "Kind", "Says target, gold, attention or practice."),
    ("strength", "Strength", "A known number, such as a published mean rating."),
    ("explanation", "Explanation", "Feedback after a practice item."),
)
# Of one sentence that is rated, where the task's own example asks of two.
ALONE = {
    "question": "How acceptable is this sentence?",
    "low": "Completely unacceptable",
    "high": "Completely acceptable",
}
NO_ANSWER = "none"
SETTINGS = {
    "question": "Question",
    "points": "Scale points",
    "low": "Label of the lowest point",
    "high": "Label of the highest point",
}


class ColumnsForm(LabelsForm):
    """`asked` is what the form says, once it is valid. Without `data` it holds a guess."""

    title = forms.CharField(label="Title", max_length=LONGEST_TITLE, help_text="Annotators see this.")
    slug = SlugField("URL name")
    instructions = forms.CharField(
        label="Instructions",
        required=False,
        widget=forms.Textarea(attrs={"rows": 6}),
        help_text="Shown before the first item (Markdown). Empty: the question in a plain sentence.",
    )
    license = forms.CharField(label="License of the items", required=False, max_length=200)
    paper = forms.CharField(label="Publication", required=False, max_length=500)
    skip_incomplete = forms.BooleanField(label="Leave out rows with empty cells", required=False)
    skip_faulty = forms.BooleanField(label="Leave out rows with problems", required=False)

    def __init__(self, data: QueryDict | None = None, *, table: Table, task: str, name: str) -> None:
        self.table, self.task = table, task_type(task)
        self.columns = choices_of(table)
        self.guessed = guess(table, self.task)
        self.sent = None if data is None else data.copy()
        self._ask_of_one()
        super().__init__(self.sent, label_suffix="", auto_id="new-%s", initial=self._initial(name))
        self._add_fields()
        self._add_labels()

    # --- Fields -------------------------------------------------------------------------------------

    def _initial(self, name: str) -> dict[str, Any]:
        stem = Path(name).stem
        found: dict[str, Any] = {
            "title": stem.replace("_", " ").replace("-", " ").capitalize(),
            "slug": free_slug(slug_of(Path(name)) or "study"),
        }
        found |= {f"column-{field}": column for field, column in self.guessed.items() if not field.startswith(OPTIONS)}
        for place, (role, column) in enumerate(self._guessed_roles(), start=1):
            found |= {f"role-{place}": "" if role == column else role, f"option-{place}": column}
        found["keep"] = attributes_left(self.table, self.guessed)
        if "sentence" in self.guessed and self.task.options_from == "item":
            found["slot"] = guess_slot(self.table, self.guessed["sentence"])
        return found

    def _guessed_roles(self) -> list[tuple[str, str]]:
        return [
            (field.removeprefix(OPTIONS), column) for field, column in self.guessed.items() if field.startswith(OPTIONS)
        ]

    def _add_fields(self) -> None:
        self._add_settings()
        for one in self.task.content_fields:
            self.fields[f"column-{one.name}"] = self._column(one.words, required=one.required)
        if self.task.options_from == "item":
            self._add_options()
        for name, words, help_text in ROW_FIELDS:
            said = f"{help_text} {why_no_id(self.table, self.guessed)}" if name == "id" else help_text
            self.fields[f"column-{name}"] = self._column(words, help_text=said.strip())
        self.fields["keep"] = forms.MultipleChoiceField(
            label="Attributes to keep",
            choices=[(column, column) for column in self.columns],
            required=False,
            widget=forms.CheckboxSelectMultiple,
            help_text="Results can be broken down by them.",
        )

    def _add_settings(self) -> None:
        for name, value in self._proposed().items():
            if name in SETTINGS:
                self.fields[f"set-{name}"] = _setting(SETTINGS[name], value)

    def _proposed(self) -> dict[str, Any]:
        """The task's settings to begin with: what is asked of one sentence is not what is asked of a second."""
        own = self.task.example_settings
        return {**own, **ALONE} if self._rates_one() else {**own}

    def _rates_one(self) -> bool:
        names = {one.name for one in self.task.content_fields}
        if not {"sentence", "first", "second"} <= names or "question" not in self.task.example_settings:
            return False
        said = {name: self.guessed.get(name, "") for name in names}
        if self.sent is not None:
            said = {name: str(self.sent.get(f"column-{name}") or "") for name in names}
        return bool(said["sentence"]) or not (said["first"] and said["second"])

    def _ask_of_one(self) -> None:
        """What was proposed for other columns, and left as it was, becomes what is proposed for these."""
        if self.sent is None:
            return
        own = self.task.example_settings
        for name, value in self._proposed().items():
            if name in ALONE and self.sent.get(f"set-{name}") in (own[name], ALONE[name]):
                self.sent[f"set-{name}"] = value

    def _add_options(self) -> None:
        self.fields["slot"] = forms.CharField(
            label="Slot marker", required=False, max_length=40, help_text="Empty: ____ (four underscores)."
        )
        rows = min(MOST_ROLES, max(FEWEST_ROLES, len(self._guessed_roles()) + 1))
        for place in range(1, rows + 1):
            label = f"Option name {place}"
            self.fields[f"role-{place}"] = forms.CharField(label=label, required=False, max_length=60)
            self.fields[f"option-{place}"] = self._column(f"Option {place}")

    def _add_labels(self) -> None:
        """A choice for every value of the reference column that is no label by itself."""
        self.labels_of = self._chosen("column-reference")
        scale = self._scale()
        if scale is None or self.labels_of not in self.columns:
            return
        found = self._unread(scale)
        if not found or len(found) > MOST_LABELS:
            return
        labels = [(label.value, label.text) for label in scale.labels]
        choices = [("", "choose its meaning"), *labels, (NO_ANSWER, "no correct answer")]
        self.ask_labels(found, guess_labels(found, scale), choices, required=True)

    def _unread(self, scale: Scale) -> list[str]:
        """The values of the right answer's column that do not say by themselves which answer they are."""
        columns = keyed(self.table, self._columns())
        found: dict[str, None] = {}
        for number, row in enumerate(self.table.rows, start=1):
            item, _ = item_row(row, number, columns, self.table.columns, scale=scale)
            if item.reference not in (None, *scale.values):
                found[str(item.reference)] = None
        # Of values that go together, such as 0 and 1, all are shown.
        return values_of(self.table, self.labels_of) if found and not scale.of_roles else sorted(found)

    def _scale(self) -> Any:
        """The scale, as far as what was typed lets it be known."""
        settings = self._settings()
        return None if self.task.faults_in_settings(settings) else self.task.configured(settings).scale

    def _column(self, label: str, *, required: bool = False, help_text: str = "") -> forms.ChoiceField:
        choices = [("", "none"), *((column, column) for column in self.columns)]
        return forms.ChoiceField(
            label=label,
            choices=choices,
            required=required,
            help_text=help_text,
            error_messages={"required": "Choose its column."},
        )

    # --- What it shows and says ----------------------------------------------------------------------

    @property
    def settings_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("set-")]

    @property
    def content_fields(self) -> list[forms.BoundField]:
        return [self[f"column-{one.name}"] for one in self.task.content_fields]

    @property
    def missing(self) -> str:
        """What is to be chosen first, where no text of an item is; else empty."""
        names = [one.name for one in self.task.content_fields]
        if any(self._chosen(f"column-{name}") for name in names) or any(self._roles()):
            return ""
        if self.task.options_from == "item":
            return "Choose the columns with the options."
        return f"Choose the column with the {'questions' if names[0] == 'question' else 'sentences'}."

    @property
    def option_rows(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        places = [name.removeprefix("role-") for name in self.fields if name.startswith("role-")]
        return [(self[f"role-{place}"], self[f"option-{place}"]) for place in places]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("option-")]

    @property
    def row_fields(self) -> list[forms.BoundField]:
        return [self[f"column-{name}"] for name, _, _ in ROW_FIELDS]

    @property
    def asked(self) -> TableOptions:
        """Also of what was only looked at: then what is missing is missing in it."""
        texts: dict[str, Any] = {
            name: self._chosen(name).replace("\r\n", "\n").strip()
            for name in ("title", "slug", "instructions", "license", "paper")
        }
        return TableOptions(
            task=self.task.key,
            columns=self._columns(),
            settings=self._settings(),
            skip_incomplete=bool(self._chosen("skip_incomplete")),
            skip_faulty=bool(self._chosen("skip_faulty")),
            **texts,
        )

    def _columns(self) -> ColumnMap:
        fields = {
            name.removeprefix("column-"): column
            for name in self.fields
            if name.startswith("column-") and (column := self._chosen(name))
        }
        fields |= {f"{OPTIONS}{role}": column for role, column in self._roles()}
        kept = self._many("keep")
        attributes = [column for column in self.columns if column in kept and column not in fields.values()]
        fields |= {as_attribute(column): column for column in attributes}
        chosen = {value: self._chosen(f"label-{place}") for place, value in enumerate(self.words)}
        labels = {value: "" if label == NO_ANSWER else label for value, label in chosen.items()}
        slot = self._chosen("slot") if "slot" in self.fields else ""
        return ColumnMap(fields, labels, slot)

    def _settings(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name in self.task.example_settings:
            if name in SETTINGS:
                text = self._chosen(f"set-{name}").strip()
                found[name] = int(text) if text.isdecimal() and len(text) < 4 else text
        if self.task.options_from == "item":
            found["options"] = [role for role, _ in self._roles()]
        return found

    def _roles(self) -> Iterator[tuple[str, str]]:
        for place in range(1, MOST_ROLES + 1):
            role, column = self._chosen(f"role-{place}").strip(), self._chosen(f"option-{place}")
            if column:
                yield self._role_of(place, role, column), column

    def _role_of(self, place: int, role: str, column: str) -> str:
        """The role that was typed; the column's name where none was, or where it was guessed for another column."""
        guessed = self._guessed_roles()
        if place <= len(guessed) and role == guessed[place - 1][0] and column != guessed[place - 1][1]:
            return column
        return role or column

    def _chosen(self, name: str) -> str:
        """What stands in a field: sent, or put there at first."""
        if self.sent is not None:
            return str(self.sent.get(name) or "")
        value = self.get_initial_for_field(self.fields[name], name) if name in self.fields else self.initial.get(name)
        return str(value or "")

    def _many(self, name: str) -> list[str]:
        return [*(self.initial[name] if self.sent is None else self.sent.getlist(name))]

    # --- What is wrong -------------------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        for fault in self.task.faults_in_settings(self._settings()):
            name = "option-1" if fault.field == "options" else f"set-{fault.field}"
            self.add_error(name if name in self.fields else None, f"{fault.field}: {fault.message}.")
        first = self.task.content_fields[0]
        if self.missing and self.task.options_from != "item" and not first.required:
            self.add_error(f"column-{first.name}", self.missing)
        return cleaned


def _setting(label: str, example: Any) -> forms.Field:
    if isinstance(example, int):
        widget = forms.NumberInput(attrs={"class": "short"})
        return forms.CharField(label=label, initial=str(example), widget=widget)
    return forms.CharField(label=label, initial=example, max_length=500)


def configured(asked: TableOptions) -> TaskType | None:
    """The task as asked; None where its settings are not as they should be."""
    kind = task_type(asked.task)
    return None if kind.faults_in_settings(asked.settings) else kind.configured(asked.settings)


def free_slug(wanted: str) -> str:
    """A name for addresses that no study has: that one, or the next of `wanted-2`, `wanted-3` and so on."""
    stem = wanted[: LONGEST - SPARE].rstrip("-")
    taken = set(Study.objects.filter(slug__startswith=stem).values_list("slug", flat=True))
    return next(slug for slug in chain([wanted], (f"{stem}-{number}" for number in count(2))) if slug not in taken)
