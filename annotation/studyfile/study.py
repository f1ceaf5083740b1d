"""A study folder as it was read, free of Django."""

from dataclasses import dataclass
from typing import Any

from annotation.itemfile import ItemRow
from annotation.tasktypes import task_type
from annotation.tasktypes.contract import TaskType
from corpus.errors import SourceError
from corpus.provenance import digest


class StudyFileError(SourceError):
    """A study file that was refused."""


@dataclass(frozen=True, slots=True)
class StudyFile:
    """A study folder, read: what study.toml declares and the items beside it."""

    slug: str
    title: str
    instructions: str
    language: str
    task_type: str
    task_settings: dict[str, Any]
    collection: dict[str, Any]
    quality: dict[str, Any]
    scoring: dict[str, Any]
    # In which words models are asked.
    prompt: dict[str, Any]
    results: dict[str, Any]
    codes: dict[str, str]
    addresses: dict[str, str]
    redirects: bool
    page: dict[str, Any]
    # The tables of the stages that the study has, by name.
    stages: dict[str, dict[str, Any]]
    items: list[ItemRow]

    @property
    def task(self) -> TaskType:
        return task_type(self.task_type).configured(self.task_settings)

    @property
    def labeled_items(self) -> list[str]:
        """The ids of those that take labels."""
        return [row.id for row in self.items if row.kind != "practice"]

    @property
    def instructions_version(self) -> str:
        """Of the text as it is stored: space around it makes no other version."""
        return digest(self.instructions.strip())[:12]
