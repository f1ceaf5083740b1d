"""The form of one part of a study's setup: fields that are settings of study.toml, and its faults beside them.

And those of what a part lists: one comprehension question, one field of the questionnaire.
"""

from collections.abc import Mapping
from itertools import chain
from typing import Any, ClassVar

from django import forms
from django.utils.safestring import SafeString

from annotation.editing import state_of, value_of
from annotation.loading import fixed
from annotation.models import Study
from annotation.setting import (
    BEGUN,
    OPENED,
    Choice,
    Fixed,
    Number,
    Setting,
    Several,
    Text,
    Texts,
    Tick,
    Whole,
    in_words,
)
from annotation.studyfile import FIELD, QUESTION, READ_BY_TABLE, SETTINGS, default_of, tables_of
from annotation.views.wording import rendered
from corpus.errors import Fault

# What most parts set up.
PEOPLE_SEE = "What people see"
# Heading, sentence, and paths of settings.
Sections = tuple[tuple[str, str, tuple[str, ...]], ...]


class Markdown(forms.Textarea):
    """A text that people read as Markdown, and that the page shows as they read it."""


class Lines(forms.Field):
    """A list of texts, one on a line."""

    def __init__(self, **options: Any) -> None:
        super().__init__(required=False, widget=forms.Textarea(attrs={"rows": 4}), **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> list[str]:
        given = value if isinstance(value, list) else str(value or "").splitlines()
        return [text for one in given if (text := one.strip())]


class Typed(forms.Field):
    """What is no number goes on as it was typed, for the study file's rules to refuse."""

    def to_python(self, value: Any) -> Any:
        try:
            return super().to_python(value)
        except forms.ValidationError:
            return str(value).strip()

    def validate(self, value: Any) -> None:
        """Those rules do."""


class WholeField(Typed, forms.IntegerField):
    pass


class NumberField(Typed, forms.FloatField):
    pass


class AmountField(forms.CharField):
    def to_python(self, value: Any) -> str:
        return (super().to_python(value) or "").replace(",", ".")


def _alone(message: str) -> str:
    """A fault as it stands under its field, whose name is above it.

    >>> _alone("must be a name"), _alone("is missing")
    ('Must be a name.', 'This field is required.')
    """
    if message == "is missing":
        return "This field is required."
    message = message.removeprefix("is ") if message.startswith("is missing") else message
    return f"{message[:1].upper()}{message[1:]}."


class CodeField(forms.CharField):
    """A code in capitals, for which one of `signs` may be typed."""

    def __init__(self, signs: Mapping[str, str], **said: Any) -> None:
        super().__init__(**said)
        self.signs = signs

    def to_python(self, value: Any) -> str:
        typed = super().to_python(value) or ""
        return self.signs.get(typed, typed.upper())


MARKDOWN = "Markdown: *emphasis*, **strong**, lists, links."


def field_for(setting: Setting) -> forms.Field:
    """The form's field for a setting: with its words, and its bounds for the browser. What it holds is checked by the
    study file's rules, so that a fault is worded once.
    """
    said: dict[str, Any] = {"label": setting.label, "help_text": setting.hint, "required": False}
    match setting:
        case Whole():
            return WholeField(**said, widget=_numbers(setting))
        case Number():
            said["help_text"] = f"From {setting.least:g} to {setting.most:g}. {setting.hint}".strip()
            return NumberField(**said, widget=_numbers(setting, step="any"))
        case Tick():
            return forms.BooleanField(**said)
        case Choice():
            widget = forms.RadioSelect if setting.side_by_side else forms.Select
            return forms.ChoiceField(**said, choices=_choices(setting.choices), widget=widget)
        case Several():
            return forms.MultipleChoiceField(
                **said, choices=_choices(setting.choices), widget=forms.CheckboxSelectMultiple
            )
        case Texts():
            return Lines(label=setting.label, help_text=f"One per line. {setting.hint}".strip())
        case Text(markdown=True):
            said["help_text"] = f"{MARKDOWN} {setting.hint}".strip()
            return forms.CharField(**said, widget=Markdown(attrs={"rows": setting.rows}))
        case Text(rows=1):
            return _one_line(setting, said)
        case Text():
            return forms.CharField(**said, widget=forms.Textarea(attrs={"rows": setting.rows}))
    raise TypeError(f"{type(setting).__name__} has its own page.")


def _one_line(setting: Text, said: Mapping[str, Any]) -> forms.Field:
    if setting.amount:
        return AmountField(**said, widget=forms.TextInput(attrs={"class": "short", "inputmode": "decimal"}))
    if setting.signs:
        return CodeField(setting.signs, **said, widget=forms.TextInput(attrs={"class": "short"}))
    return forms.CharField(**said)


def _numbers(setting: Whole | Number, **more: str) -> forms.NumberInput:
    return forms.NumberInput(attrs={"min": setting.least, "max": setting.most, "class": "short", **more})


def _choices(choices: Mapping[str, str]) -> list[tuple[str, str]]:
    return [(value, words[:1].upper() + words[1:]) for value, words in choices.items()]


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
                self.add_error(name, _alone(fault.message))
            else:
                self.add_error(None, f"{fault.field}: {fault.message}.")

    def field_of(self, path: str) -> str:
        return path.replace(".", "__")


class PartForm(SetupForm):
    """One part. `listed` is the path of its list of tables, which has pages of its own.

    `sections` are headings with what stands below each: a sentence, and the paths of settings. Of the tables that it
    `covers`, it has the first setting where no part names that. `folded` are sections that few studies need, shut until
    one of their fields says something or is wrong. `beside` are paths that decide what is shown and are no field here;
    `group` is the heading that it stands under among the parts.
    """

    key: ClassVar[str]
    heading: ClassVar[str]
    says: ClassVar[str]
    covers: ClassVar[tuple[str, ...]] = ()
    listed: ClassVar[str] = ""
    sections: ClassVar[Sections] = ()
    folded: ClassVar[tuple[str, ...]] = ()
    beside: ClassVar[tuple[str, ...]] = ()
    group: ClassVar[str] = PEOPLE_SEE

    def __init__(self, data: Any = None, *, study: Study) -> None:
        self.study = study
        super().__init__(data, initial={}, seen="")
        paths = chain.from_iterable(paths for _, _, paths in self.sections)
        self.paths = {self.field_of(path): path for path in paths if self.has(path)}
        self.fields |= {name: field_for(SETTINGS[path]) for name, path in self.paths.items()}
        self.now = state_of(study, {*self.paths.values(), *self.beside})
        self.tables = tables_of(study)
        self.initial = {name: self._shown(path) for name, path in self.paths.items()} | {"seen": self.now}
        self.reasons = self._fix(fixed(study))

    def has(self, path: str) -> bool:
        """Whether a study like this has the setting."""
        return True

    @property
    def shows(self) -> bool:
        """Whether it can be shown how people will see what was typed."""
        return self.has_texts

    @property
    def is_shut(self) -> bool:
        """Whether nothing in it can change any more."""
        return bool(self.own) and all(field.field.disabled for field in self.own)

    @property
    def groups(self) -> list[tuple[str, str, list[forms.BoundField], bool]]:
        """Heading, sentence, fields, and whether they are folded away."""
        sections = [
            (heading, says, [self[self.field_of(path)] for path in paths if self.has(path)])
            for heading, says, paths in self.sections
        ]
        return [
            (heading, says, fields, heading in self.folded and not any(map(self._says_more, fields)))
            for heading, says, fields in sections
        ]

    def _says_more(self, field: forms.BoundField) -> bool:
        """Whether it says anything but the default, or is wrong."""
        usual = default_of(self.paths[field.name], platform=self.study.platform)
        return bool(field.errors) or str(field.value() or "") != str(usual or "")

    @property
    def changes(self) -> dict[str, Any]:
        """By their paths. What was left as it stood stays said or unsaid; what was emptied is left to its default."""
        platform = self.cleaned_data.get("collection__platform", self.study.platform)
        kept = {path: value_of(self.tables, path) for path in (*self.beside, *self.paths.values())}
        given = {
            path: _said(value, default_of(path, platform=platform))
            for name, path in self.paths.items()
            if (value := self.cleaned_data[name]) != self.initial[name]
        }
        return kept | given

    def _shown(self, path: str) -> Any:
        """What holds, be it stated or by default; of a stage that there is not, nothing holds."""
        stated = value_of(self.tables, path)
        if stated is not None:
            return stated
        default = default_of(path, platform=self.study.platform)
        return default if path.partition(".")[0] in READ_BY_TABLE else default or None

    def _fix(self, reasons: Mapping[str, Fixed]) -> list[str]:
        """Shut the fields that can no longer change. Returns why, each reason once."""
        shut = {name: reasons[path] for name, path in self.paths.items() if path in reasons}
        since = {OPENED: self.study.opened_at, BEGUN: self.study.begun_at if shut else None}
        for name, why in shut.items():
            self.fields[name].disabled = True
            self.fields[name].locked_since = since[why.when]  # type: ignore[attr-defined]
        return in_words(shut.values())


def _said(value: Any, default: Any) -> Any:
    """None is left to the default; nothing at all is said where the default would be something."""
    return None if value is None or (value in ("", []) and not default) else value


def _lines(text: Any) -> str:
    return str(text or "").replace("\r\n", "\n").strip()


Row = dict[str, Any]
# Room for options: at least so many, and always two more than there are.
OPTIONS, MORE, MOST = 5, 2, 30


def rows_of(study: Study, path: str) -> list[Row]:
    return [dict(row) for row in value_of(tables_of(study), path) or []]


class RowForm(SetupForm):
    """`number` counts from 1, in the order of the page; 0 is a new one, which comes last."""

    path: ClassVar[str]
    word: ClassVar[str]

    def __init__(self, data: Any = None, *, study: Study, number: int) -> None:
        self.rows = rows_of(study, self.path)
        self.number = number
        self.row = self.rows[number - 1] if number else {}
        super().__init__(data, initial=self.shown(), seen=state_of(study, [self.path]))

    def shown(self) -> Row:
        """The row as the fields' values."""
        return self.row

    def given(self) -> Row:
        """The row as filled in; what is empty is left to its default."""
        return {name: value for name, value in self.cleaned_data.items() if value and name != "seen"}

    @property
    def changes(self) -> dict[str, Any]:
        rows = [*self.rows, self.given()]
        if self.number:
            rows[self.number - 1] = rows.pop()
        return {self.path: rows}

    def field_of(self, path: str) -> str:
        here = f"{self.path} {self.number or len(self.rows) + 1}."
        return path.removeprefix(here) if path.startswith(here) else ""


class QuestionForm(RowForm):
    path, word = "comprehension.questions", "question"

    def __init__(self, data: Any = None, *, study: Study, number: int) -> None:
        super().__init__(data, study=study, number=number)
        posted = sum(name.startswith("option_") for name in data or ())
        self.places = min(MOST, max(OPTIONS, len(self.row.get("options", [])) + MORE, posted))
        places = range(1, self.places + 1)
        self.fields |= {
            "question": field_for(QUESTION["question"]),
            "right": forms.ChoiceField(
                label=QUESTION["options"].label, required=False, choices=[(str(place), "") for place in places]
            ),
            "explanation": field_for(QUESTION["explanation"]),
            **{f"option_{place}": field_for(Text(label=f"Answer {place}")) for place in places},
        }

    def shown(self) -> Row:
        options = self.row.get("options", [])
        places = {f"option_{place}": text for place, text in enumerate(options, start=1)}
        right = {"right": str(options.index(self.row["answer"]) + 1)} if options else {}
        return {**self.row, **places, **right}

    def given(self) -> Row:
        said = self.cleaned_data
        texts = [said.get(f"option_{place}", "") for place in range(1, self.places + 1)]
        answer = texts[int(said["right"]) - 1] if said.get("right") else ""
        row = {"question": said["question"], "answer": answer, "explanation": said["explanation"]}
        return {name: text for name, text in row.items() if text} | {"options": [text for text in texts if text]}

    def field_of(self, path: str) -> str:
        name = super().field_of(path)
        return "right" if name in ("options", "answer") else name

    @property
    def answers(self) -> list[tuple[str, bool, forms.BoundField]]:
        """Place, whether it is the right one, and its text."""
        right = str(self["right"].value() or "")
        return [(str(place), right == str(place), self[f"option_{place}"]) for place in range(1, self.places + 1)]


class FieldForm(RowForm):
    path, word = "questionnaire.fields", "question"

    def __init__(self, data: Any = None, *, study: Study, number: int) -> None:
        super().__init__(data, study=study, number=number)
        self.fields |= {name: field_for(setting) for name, setting in FIELD.items()}


ROWS: dict[str, type[RowForm]] = {form.path: form for form in (QuestionForm, FieldForm)}
