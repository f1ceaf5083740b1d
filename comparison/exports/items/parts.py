"""What lines are made of, some thousand lines at a time: columns, as values and as they stand in the file."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from comparison.exports.cells import cell, quoted


@dataclass(frozen=True, slots=True)
class Column:
    """A value for each line, and how such values are written: `text_cells`, `number_cells` or `few_cells`."""

    values: Sequence[Any]
    write: Callable[[Sequence[Any]], list[str]]

    @property
    def columns(self) -> list[Sequence[Any]]:
        return [self.values]

    @property
    def cells(self) -> list[str]:
        return self.write(self.values)


@dataclass(frozen=True, slots=True)
class Shared:
    """Columns that depend on few things: of each line a key, and the values that lines of this key have."""

    keys: Sequence[Hashable]
    values: Mapping[Hashable, Sequence[Any]]

    @property
    def columns(self) -> list[Sequence[Any]]:
        return list(zip(*map(self.values.__getitem__, self.keys), strict=True))

    @property
    def cells(self) -> list[str]:
        """Of each line, those of all these columns in one text."""
        found = {key: ",".join(quoted(cell(value)) for value in own) for key, own in self.values.items()}
        return list(map(found.__getitem__, self.keys))


Part = Column | Shared
