"""A file's first rows as a sheet: what each column is, chosen in its head, and what is wrong with which cell.

Files of items, of labels and of scores have the same sheet (templates/researcher/imports/_sheet.html): a form says what
its columns can be (`ask_roles`), and reads what they are (`role_of`, `columns_that_are`).
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from django import forms

from researcher.imports.written_by import LabelsForm

PLACE = "as-"
IGNORED = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Role:
    """What a column can be, as a form calls it and as a drop-down says it; `is_many` columns can be it, or one."""

    name: str
    label: str
    group: str = ""
    is_many: bool = False


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell, and what is wrong with it, if anything is."""

    text: object
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class SheetRow:
    """A row by its place in the file; `wrong` is what is wrong with no cell of it alone."""

    where: str
    cells: Sequence[Cell]
    wrong: str = ""


@dataclass(frozen=True, slots=True)
class Wrong:
    """What is wrong with a row: by column, and with all of it."""

    cells: Mapping[str, str] = field(default_factory=dict)
    row: str = ""


class SheetForm(LabelsForm):
    """A drop-down for each column. Its fields go by the column's place, as a column may be called anything."""

    roles: Sequence[Role] = ()
    # What was guessed, column → role; it holds until something is sent.
    roles_guessed: Mapping[str, str] = {}
    # Columns by the name under which a map speaks of them.
    sheet_columns: Sequence[str] = ()

    def ask_roles(self, columns: Mapping[str, str], roles: Sequence[Role], guessed: Mapping[str, str]) -> None:
        """`columns` by the name in a map what they are called on the page."""
        self.sheet_columns, self.roles, self.roles_guessed = [*columns], roles, guessed
        choices = _in_groups(roles)
        is_new = self.sent is not None and not any(name.startswith(PLACE) for name in self.sent)
        for place, (column, called) in enumerate(columns.items(), start=1):
            self.fields[f"{PLACE}{place}"] = forms.ChoiceField(
                label=called, choices=choices, required=False, initial=guessed.get(column, IGNORED)
            )
            if self.sent is not None and is_new:
                # What was sent speaks of other columns, or of another task: the drop-downs say the guess as well.
                self.sent[f"{PLACE}{place}"] = guessed.get(column, IGNORED)

    @property
    def role_of(self) -> dict[str, str]:
        """Column → role, without the columns that are ignored; of what was sent, or of the guess."""
        if self.sent is None:
            return {column: role for column in self.sheet_columns if (role := self.roles_guessed.get(column, IGNORED))}
        said = {column: str(self.sent.get(f"{PLACE}{place}") or "") for column, place in self._places.items()}
        known = {role.name for role in self.roles}
        return {column: role for column, role in said.items() if role in known}

    def columns_that_are(self, role: str) -> list[str]:
        return [column for column, one in self.role_of.items() if one == role]

    def column_that_is(self, role: str) -> str:
        """The first; empty where no column is it."""
        return next(iter(self.columns_that_are(role)), "")

    @property
    def _places(self) -> dict[str, int]:
        return {column: place for place, column in enumerate(self.sheet_columns, start=1)}

    @property
    def heads(self) -> list[forms.BoundField]:
        """The drop-downs, in the order of the columns."""
        return [self[f"{PLACE}{place}"] for place in self._places.values()]

    def add_role_error(self, role: str, message: str) -> None:
        """Beside the column that is it; above the sheet where none is."""
        place = self._places.get(self.column_that_is(role))
        self.add_error(f"{PLACE}{place}" if place else None, message)

    def refuse_repeated_roles(self) -> None:
        for role in self.roles:
            for column in [] if role.is_many else self.columns_that_are(role.name)[1:]:
                self.add_error(f"{PLACE}{self._places[column]}", f"Another column is “{role.label}” already.")


def _in_groups(roles: Sequence[Role]) -> list[tuple[str, object]]:
    """Choices of a drop-down: what belongs to no group first, then a heading for each group."""
    choices: list[tuple[str, object]] = [(IGNORED, "Ignore")]
    for group, found in groupby(roles, key=lambda role: role.group):
        listed = [(role.name, role.label) for role in found]
        choices += [(group, listed)] if group else listed
    return choices


def sheet_rows(
    rows: Iterable[tuple[str, Sequence[object]]], columns: Sequence[str], wrong: Mapping[str, Wrong]
) -> list[SheetRow]:
    """Rows by their place, with what is `wrong` with them, also by place."""
    found = []
    for where, cells in rows:
        said = wrong.get(where, Wrong())
        marked = [Cell(text, said.cells.get(column, "")) for column, text in zip(columns, cells, strict=True)]
        found.append(SheetRow(where, marked, said.row))
    return found
