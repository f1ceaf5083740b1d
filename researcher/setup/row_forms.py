"""The forms of what a part lists: one comprehension question, one field of the questionnaire."""

from typing import Any, ClassVar

from django import forms

from annotation.editing import state_of, value_of
from annotation.models import Study
from annotation.setting import Text
from annotation.studyfile import FIELD, QUESTION, tables_of
from researcher.setup.part_form import SetupForm, field_for

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
