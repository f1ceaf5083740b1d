"""The second page of a new study: what each column is, and what is asked, by table and task type; and a free name."""

from collections.abc import Collection, Iterator
from itertools import chain, count
from pathlib import Path
from typing import Any

from django import forms
from django.http import QueryDict

from annotation.languages import guessed
from annotation.models import Study
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import Scale, TaskType
from corpus.arguments import LONGEST, LONGEST_TITLE, slug_of
from researcher.forms import SlugField
from researcher.imports.sheet import PLACE, Role, SheetForm
from stimuli.datasets.table.columns import ATTRIBUTE, ColumnMap, item_row, keyed
from stimuli.datasets.table.guessing import (
    as_attribute,
    attributes_left,
    choices_of,
    guess,
    guess_labels,
    guess_slot,
    right_option,
    values_of,
    why_no_id,
)
from stimuli.datasets.table.making import LISTENED_TO, TableOptions
from stimuli.datasets.table.rows import Table

# Room for the number of a name that another has already.
SPARE = 6

OPTIONS = "options."
OPTION = "option"
# The one that is the right answer in every row, as in minimal pairs.
RIGHT = "right"
# More values than that are no labels, whatever the column is called.
MOST_LABELS = 20
ROW_ROLES = (
    ("reference", "Correct answer"),
    ("id", "Item ID"),
    ("group", "Group"),
    (ATTRIBUTE, "Attribute"),
    ("kind", "Kind of item"),
    ("strength", "Published rating"),
    ("explanation", "Explanation"),
)
# Of one sentence that is rated, where the task's own example asks of two.
ALONE = {
    "question": "How acceptable is this sentence?",
    "low": "Completely unacceptable",
    "high": "Completely acceptable",
}
# Of whole sentences to choose from, where the task's own example asks of words in a slot.
WHOLE = {"question": "Which sentence sounds better?"}
# What is proposed for items in German; anything else stays English.
GERMAN = {
    "Which sentence sounds better?": "Welcher Satz klingt besser?",
    "Which word fits best?": "Welches Wort passt am besten?",
    "What is the answer to the question?": "Wie lautet die Antwort auf die Frage?",
    "How acceptable is this sentence?": "Wie akzeptabel ist dieser Satz?",
    "Completely unacceptable": "Völlig inakzeptabel",
    "Completely acceptable": "Völlig akzeptabel",
}
NO_ANSWER = "none"
NO_CORRECT = "No column is the correct answer. If one is, in every row, set it to “Answer option, correct”."
TOO_FEW_OPTIONS = "Choose two to nine columns as answer options."
SETTINGS = {
    "question": "Question",
    "points": "Scale points",
    "low": "Lowest point",
    "high": "Highest point",
}
# What holds for one task type alone, and is guessed anew for another.
OF_TASK = (PLACE, "set-", "name-", "label-", "labels_of", "slot")


class ColumnsForm(SheetForm):
    """`asked` is what the valid form says; without `data` it holds a guess. `beside`: ids of items that are there."""

    beside: Collection[str] | None = None
    title = forms.CharField(label="Title", max_length=LONGEST_TITLE, help_text="Annotators see this.")
    slug = SlugField("URL name")
    # The URL name that followed from the title; it goes on following until another is typed.
    follows = forms.CharField(required=False, widget=forms.HiddenInput)
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
    skip_repeated = forms.BooleanField(label="Leave out repeated rows", required=False)

    def __init__(self, data: QueryDict | None = None, *, table: Table, task: str, name: str) -> None:
        self.table, self.task = table, task_type(task)
        self.columns = choices_of(table)
        self.guessed = guess(table, self.task)
        self.sent = None if data is None else data.copy()
        super().__init__(self.sent, label_suffix="", auto_id="new-%s", initial=self._initial(name))
        self._follow_title()
        self.ask_roles({column: column for column in self.columns}, self._roles_there(), self._guessed_roles())
        self._ask_of_one()
        self._add_settings()
        if self.task.options_from == "item":
            self._add_options()
        self._add_labels()

    # --- Fields -------------------------------------------------------------------------------------

    def _initial(self, name: str) -> dict[str, Any]:
        stem, slug = Path(name).stem, free_slug(slug_of(Path(name)) or "study")
        title = stem.replace("_", " ").replace("-", " ")
        return {"title": title[:1].upper() + title[1:], "slug": slug, "follows": slug}

    def _follow_title(self) -> None:
        """A URL name that nobody has typed is made of the title, once that is another."""
        title, slug = self._chosen("title").strip(), self._chosen("slug")
        if self.sent is None or title == self.initial["title"] or slug not in (self._chosen("follows"), ""):
            return
        if found := slug_of(Path(title.replace(".", " ").replace("/", " "))):
            self.sent["slug"] = self.sent["follows"] = slug if slug == found else free_slug(found)

    def _roles_there(self) -> list[Role]:
        texts = [Role(name=one.name, label=one.words) for one in self.task.content_fields]
        rows = [Role(name=name, label=label, is_many=name == ATTRIBUTE) for name, label in ROW_ROLES]
        return [*texts, *self._option_roles(), *rows]

    def _option_roles(self) -> list[Role]:
        if self.task.options_from != "item":
            return []
        several = Role(name=OPTION, label="Answer option", is_many=True)
        return [several, Role(name=RIGHT, label="Answer option, correct")]

    def _guessed_roles(self) -> dict[str, str]:
        """Column → role."""
        found = dict.fromkeys(attributes_left(self.table, self.guessed), ATTRIBUTE)
        found |= {column: OPTION if _is_option(field) else field for field, column in self.guessed.items()}
        right = right_option(self.guessed)
        return found | ({right: RIGHT} if right else {})

    def _add_settings(self) -> None:
        for name, value in self._proposed().items():
            if name in SETTINGS:
                self.fields[f"set-{name}"] = _setting(SETTINGS[name], value)

    def _proposed(self) -> dict[str, Any]:
        """The task's settings to begin with: what is asked of one sentence is not what is asked of a second."""
        own = {**self.task.example_settings}
        if self.task.options_from == "item" and not self.column_that_is("sentence"):
            own |= WHOLE
        elif self._rates_one():
            own |= ALONE
        return {name: GERMAN.get(str(value), value) for name, value in own.items()} if self._is_german() else own

    def _is_german(self) -> bool:
        texts = (str(cell) for row in self.table.rows[:LISTENED_TO] for cell in row.values.values())
        return guessed(text for text in texts if " " in text) == "de"

    def _rates_one(self) -> bool:
        names = {one.name for one in self.task.content_fields}
        if not {"sentence", "first", "second"} <= names or "question" not in self.task.example_settings:
            return False
        said = set(self.role_of.values())
        return "sentence" in said or not {"first", "second"} <= said

    def _ask_of_one(self) -> None:
        """What was proposed for other columns, and left as it was, becomes what is proposed for these."""
        if self.sent is None:
            return
        for name, value in self._proposed().items():
            proposals = {str(one[name]) for one in (self.task.example_settings, ALONE, WHOLE) if name in one}
            proposals |= {GERMAN[one] for one in proposals & GERMAN.keys()}
            if name in SETTINGS and self.sent.get(f"set-{name}") in {None, *proposals}:
                self.sent[f"set-{name}"] = str(value)

    def _add_options(self) -> None:
        if self.column_that_is("sentence"):
            self.fields["slot"] = forms.CharField(
                label="Slot marker", required=False, max_length=40, help_text="Empty: ____ (four underscores)."
            )
        self._begin("slot", guess_slot(self.table, self.guessed["sentence"]) if "sentence" in self.guessed else "")
        names = {column: field.removeprefix(OPTIONS) for field, column in self.guessed.items() if _is_option(field)}
        for column in self._option_columns:
            name = f"name-{self._places[column]}"
            self.fields[name] = forms.CharField(label=column, required=False, max_length=60)
            self._begin(name, names.get(column, column))

    def _begin(self, name: str, value: str) -> None:
        """What a field holds until it was sent."""
        self.initial[name] = value
        if self.sent is not None and name not in self.sent:
            self.sent[name] = value

    def _add_labels(self) -> None:
        """A choice for every value of the reference column that is no label by itself."""
        self.labels_of = self.column_that_is("reference")
        scale = self._scale()
        if scale is None or not self.labels_of:
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

    # --- What it shows and says ----------------------------------------------------------------------

    @property
    def settings_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("set-") and name != "set-question"]

    @property
    def question_field(self) -> forms.BoundField | None:
        return self["set-question"] if "set-question" in self.fields else None

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith("name-")]

    @property
    def missing(self) -> str:
        """What is to be chosen first, where no text of an item is; else empty."""
        names = [one.name for one in self.task.content_fields]
        if {*names} & {*self.role_of.values()} or any(self._options()):
            return ""
        if self.task.options_from == "item":
            return "Choose the columns with the options."
        return f"Choose the column with the {'questions' if names[0] == 'question' else 'sentences'}."

    @property
    def no_correct_option(self) -> str:
        """That no answer will be correct, where options are, and how to say which; else empty."""
        is_known = self.column_that_is(RIGHT) or self.column_that_is("reference")
        return "" if is_known or len(self._option_columns) < 2 or self.task.options_from != "item" else NO_CORRECT

    @property
    def no_id(self) -> str:
        """Why a column that is called as ids are is none."""
        return "" if self.column_that_is("id") else why_no_id(self.table, self.guessed)

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
            skip_repeated=bool(self._chosen("skip_repeated")),
            **texts,
        )

    def _columns(self) -> ColumnMap:
        named = [role.name for role in self.roles if role.name not in (ATTRIBUTE, OPTION, RIGHT)]
        texts = [name for name in named if not _is_option(name)]
        fields = {role: column for role in texts if (column := self.column_that_is(role))}
        fields |= {f"{OPTIONS}{role}": column for role, column in self._options()}
        fields |= {as_attribute(column): column for column in self.columns_that_are(ATTRIBUTE)}
        chosen = {value: self._chosen(f"label-{place}") for place, value in enumerate(self.words)}
        labels = {value: "" if label == NO_ANSWER else label for value, label in chosen.items()}
        slot = self._chosen("slot") if "slot" in self.fields else ""
        return ColumnMap(fields, labels, slot, right=self._right())

    def _settings(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        for name in self.task.example_settings:
            if name in SETTINGS:
                text = self._chosen(f"set-{name}").strip()
                found[name] = int(text) if text.isdecimal() and len(text) < 4 else text
        if self.task.options_from == "item":
            found["options"] = [role for role, _ in self._options()]
        return found

    def _options(self) -> Iterator[tuple[str, str]]:
        """Each option's name, and its column: as in the file, or in the order in which they were guessed."""
        order = [column for field, column in self.guessed.items() if _is_option(field)]
        options = self._option_columns
        if {*order} == {*options}:
            options = order
        for column in options:
            yield self._named(column), column

    @property
    def _option_columns(self) -> list[str]:
        return [column for column, role in self.role_of.items() if role in (OPTION, RIGHT)]

    def _named(self, column: str) -> str:
        return self._chosen(f"name-{self._places[column]}").strip() or column

    def _right(self) -> str:
        """The option that is right in every row; empty where none is, or a column says which."""
        column = self.column_that_is(RIGHT)
        return self._named(column) if column and not self.column_that_is("reference") else ""

    def _chosen(self, name: str) -> str:
        """What stands in a field: sent, or put there at first."""
        if self.sent is not None:
            return str(self.sent.get(name) or "")
        value = self.get_initial_for_field(self.fields[name], name) if name in self.fields else self.initial.get(name)
        return str(value or "")

    # --- What is wrong -------------------------------------------------------------------------------

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        self.refuse_repeated_roles()
        for fault in self.task.faults_in_settings(self._settings()):
            name = f"set-{fault.field}"
            if name in self.fields:
                self.add_error(name, f"{fault.field}: {fault.message}.")
            else:
                self.add_error(None, TOO_FEW_OPTIONS)
        if self.column_that_is(RIGHT) and self.column_that_is("reference"):
            self.add_role_error("reference", "One option is already correct in every row.")
        if self.missing:
            self.add_error(None, self.missing)
        for one in self.task.content_fields if not self.missing else ():
            if one.required and not self.column_that_is(one.name):
                self.add_error(None, f"Choose the column that is “{one.words}”.")
        return cleaned


def _is_option(field: str) -> bool:
    return field.startswith(OPTIONS)


def without_task(sent: QueryDict) -> QueryDict:
    """What was sent, less what holds for its task type alone."""
    kept = sent.copy()
    for name in [name for name in kept if name.startswith(OF_TASK)]:
        del kept[name]
    return kept


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
