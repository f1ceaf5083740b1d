"""What an importer is: it turns files that others published into the rows and settings of one study."""

from argparse import ArgumentParser
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from annotation.itemfile import ItemRow, listing
from annotation.tasktypes.contract import Fault, TaskType


class SourceError(ValueError):
    """A published file that was refused whole. `faults` has every reason; str() lists them by entry and field."""

    def __init__(self, path: Path, faults: list[Fault]) -> None:
        self.path = path
        self.faults = faults
        super().__init__(listing(path, faults))


@dataclass(frozen=True, slots=True)
class Imported:
    """One study, ready to be written.

    `settings` is study.toml as nested tables; `manifest` is JSON that says where the items come from, how
    many there were at each stage, and what was dropped or adjusted and why. `summary` is for the terminal.
    """

    slug: str
    settings: dict[str, Any]
    task: TaskType
    rows: list[ItemRow]
    manifest: dict[str, Any]
    summary: list[str] = field(default_factory=list)


class Importer(Protocol):
    """What the module that the registry names must offer."""

    help: str

    def add_arguments(self, parser: ArgumentParser) -> None:
        """The options that only this importer has."""
        ...

    def load(self, source: Path, *, slug: str, title: str, limit: int | None, options: dict[str, Any]) -> Imported:
        """Read and check the source; SourceError with every fault if there is one.

        Empty `slug` and `title` leave the choice to the importer; `limit` keeps the first entries only.
        """
        ...
