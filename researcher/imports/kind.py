"""What one kind of file declares once: its columns, how they are guessed, what is asked beside them, and its words."""

from abc import ABC, abstractmethod
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django import forms

from annotation.access.matrix import Right
from annotation.audit.deeds import Deed
from annotation.models import Item, Study
from corpus.formats.contract import Use
from corpus.tables.columns import Column
from researcher.imports.head import SEEN, Head, look
from researcher.jobs.watched import JobProgress
from researcher.models import Job


@dataclass(frozen=True, slots=True)
class Notice:
    """What a study takes, and what to do where that is too little: a step and its place in the study's setup."""

    words: str
    step: str
    place: str


class FileKind(ABC):
    """`key` is the kind of job that imports it, and names its files in one; `address` begins the names of its pages.
    `command` imports the same files, `deed` is what it leaves as an act.
    """

    key: str
    use: Use
    right: Right
    address: str
    command: str
    deed: Deed
    # Whether what is wrong with a file may name people, and so is erased with it.
    names_people: bool = False
    # On pages: what it is, which part of the study it belongs to, and what is said of it.
    noun: str
    part: str
    says: str
    # The page of the study that has what was imported.
    page: str = "study"
    files_help: str
    source_help: str = "Stored as a note."
    source_required: bool = False
    only_help: str
    format_label: str = "Exported from"
    format_help: str = ""
    # Further choices of who wrote the files, and what their names say then, so that nothing is asked.
    more_formats: Sequence[tuple[str, str]] = ()
    # Whether another tool's file must be looked at, and so may not be larger than a page reads.
    needs_look: bool = False
    # Whether a table may come without a line of names, and it can be chosen what parts its cells.
    may_lack_header: bool = False
    no_label: str

    @property
    def files(self) -> str:
        """The name of the page that takes its files in."""
        return f"{self.address}_files"

    @property
    def suffixes(self) -> tuple[str, ...]:
        """What a file of nobody's may end in; empty: whatever it is called."""
        return ()

    @property
    def named(self) -> Collection[str]:
        return [key for key, _ in self.more_formats]

    @abstractmethod
    def columns(self, study: Study) -> Sequence[Column]:
        """What can be mapped."""

    def further_columns(self, study: Study) -> Sequence[Column]:
        """What is mapped less often, and folded away."""
        return ()

    # What several columns may be at once, and as what they are given to a job; None where no kind of column is.
    each: Column | None = None

    def guess_each(self, head: Head, study: Study, guessed: Mapping[str, str]) -> list[str]:
        """The columns that are `each`."""
        return []

    @abstractmethod
    def guess(self, head: Head, study: Study) -> dict[str, str]:
        """Which column is what."""

    @abstractmethod
    def asks(self, head: Head, study: Study, guessed: Mapping[str, str]) -> dict[str, forms.Field]:
        """What is asked beside the columns."""

    def notice(self, study: Study) -> Notice | None:
        """What its pages say of the study before anything is imported, if anything."""
        return None

    @abstractmethod
    def labeled(self, chosen: Mapping[str, str], each: Sequence[str]) -> list[str]:
        """The columns that hold labels."""

    @abstractmethod
    def words(self, found: Sequence[str], study: Study) -> list[str]:
        """Those of the values found there that have to be said what they mean."""

    @abstractmethod
    def faults(self, given: Mapping[str, Any], head: Head, study: Study) -> list[tuple[str, str]]:
        """What is wrong with what was chosen: a field, or empty for all of it, and a sentence."""

    def given(self, given: dict[str, Any], head: Head, study: Study) -> dict[str, Any]:
        """What a job is given: columns, meanings and what else was asked, as its reader takes it."""
        return given

    def read(self, job: Job) -> None:
        """Look at a job's first file, whose tool is what it shows where nobody said. SourceError."""
        found = look(job, self.use)
        if self.needs_look and job.key == SEEN:
            job.key = found

    @abstractmethod
    def bring(self, job: Job, watched: JobProgress) -> None:
        """A worker's part. JobRefused."""


def are_items(values: Sequence[str], study: Study) -> bool:
    """Whether these are ids of items that take labels."""
    items = study.items.exclude(kind=Item.Kind.PRACTICE).filter(external_id__in=values)
    return bool(values) and items.count() == len(values)
