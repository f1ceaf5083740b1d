"""What makes studies: an importer reads files that others published, a builder makes items from raw material."""

from argparse import ArgumentParser
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from typing import Any, Protocol

from annotation.elsewhere.labelfile import LabelRow
from annotation.itemfile import ItemRow
from corpus.workplace import Workplace

Cell = str | int | float | bool | None


class Form(StrEnum):
    """How a figure is drawn: a point for each row, or the rows as one line."""

    POINTS = "points"
    CURVE = "curve"


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """By which columns a figure is drawn. Of points, `kind` tells them apart by color and shape, and the first `named`
    have what stands in `name` beside them; of a curve, `marked` is true of the row that was chosen.
    """

    form: Form
    x: str
    y: str
    kind: str = ""
    name: str = ""
    named: int = 0
    marked: str = ""
    titles: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """What was found out while a study was made, as a table: `said` is a sentence or two on what it is of, with n, and
    on its interval or why it has none. With a `look` it is drawn as well; on pages the first `shown` rows stand.
    """

    name: str
    title: str
    said: str
    columns: list[str]
    rows: list[list[Cell]]
    shown: int = 0
    look: Look | None = None


def figure_of(payload: Mapping[str, Any]) -> Figure:
    """What `asdict` has made of one, as it was."""
    look = payload["look"]
    return Figure(**{**payload, "look": look and Look(**{**look, "form": Form(look["form"])})})


@dataclass(frozen=True, slots=True)
class BuiltStudy:
    """One study, ready to be written.

    `settings` is study.toml as nested tables; `manifest` is JSON that says where the items come from, how
    many there were at each stage, and what was dropped or adjusted and why. `summary` is for the terminal.
    `labels` are those that people gave elsewhere; they become labels.csv, and `labels_note` says where they are from.
    `figures` stand in the manifest, too.
    """

    settings: dict[str, Any]
    rows: list[ItemRow]
    manifest: dict[str, Any]
    summary: list[str] = field(default_factory=list)
    labels: list[LabelRow] = field(default_factory=list)
    labels_note: str = ""
    figures: list[Figure] = field(default_factory=list)

    @property
    def slug(self) -> str:
        return str(self.settings["slug"])


class Importer(Protocol):
    """What the registry has under a name of a data set."""

    @property
    def help(self) -> str: ...

    @property
    def takes_folder(self) -> bool: ...

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The options that only this importer has."""
        ...

    def load(self, source: Path, *, slug: str, title: str, limit: int | None, options: dict[str, Any]) -> BuiltStudy:
        """Read and check the source; SourceError with every fault if there is one.

        Empty `slug` and `title` leave the choice to the importer; `limit` keeps the first entries only.
        """
        ...


class Builder(Protocol):
    """What the module that the registry names must offer."""

    help: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The options that only this builder has, its sources among them."""
        ...

    def build(self, workplace: Workplace, *, slug: str, title: str, options: dict[str, Any]) -> list[BuiltStudy]:
        """Make one or more studies; SourceError with every fault of a source, BuildError if there is nothing to make.

        The same sources, options and seed give the same studies, byte for byte, however often it was interrupted
        and whatever the number of processes.
        """
        ...
