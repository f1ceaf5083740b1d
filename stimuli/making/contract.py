"""What makes studies: an importer reads files that others published, a builder makes items from raw material."""

from argparse import ArgumentParser
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from annotation.itemfile import ItemRow
from annotation.labelfile import LabelRow
from corpus.workplace import Workplace


@dataclass(frozen=True, slots=True)
class MadeStudy:
    """One study, ready to be written.

    `settings` is study.toml as nested tables; `manifest` is JSON that says where the items come from, how
    many there were at each stage, and what was dropped or adjusted and why. `summary` is for the terminal.
    `labels` are those that people gave elsewhere; they become labels.csv.
    """

    settings: dict[str, Any]
    rows: list[ItemRow]
    manifest: dict[str, Any]
    summary: list[str] = field(default_factory=list)
    labels: list[LabelRow] = field(default_factory=list)

    @property
    def slug(self) -> str:
        return str(self.settings["slug"])


class Importer(Protocol):
    """What the module that the registry names must offer."""

    help: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The options that only this importer has."""
        ...

    def load(self, source: Path, *, slug: str, title: str, limit: int | None, options: dict[str, Any]) -> MadeStudy:
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

    def build(self, workplace: Workplace, *, slug: str, title: str, options: dict[str, Any]) -> list[MadeStudy]:
        """Make one or more studies; SourceError with every fault of a source, BuildError if there is nothing to make.

        The same sources, options and seed give the same studies, byte for byte, however often it was interrupted
        and whatever the number of processes.
        """
        ...
