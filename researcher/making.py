"""Made studies put in place: their folders and, unless told otherwise, their rows; all of them or none."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, nullcontext
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from annotation.loading import Loaded, StudyFolder, place_of, store_folder
from annotation.models import Study
from researcher.construction_figures import keep_figures
from stimuli.making.contract import BuiltStudy
from stimuli.making.study_folder import FolderRefused, Staged, staged


@dataclass(frozen=True, slots=True)
class PlacedStudy:
    """A study in its folder, and what loading it has changed."""

    study: BuiltStudy
    folder: Path
    loaded: Loaded | None

    def lines(self) -> Iterator[str]:
        """For the terminal."""
        if self.loaded is not None:
            yield str(self.loaded)
        yield from self.study.summary
        yield f"written to {self.folder}"


def put_in_place(
    studies: Sequence[BuiltStudy],
    *,
    out: Path | None,
    load: bool,
    owner: User | None = None,
    among: QuerySet[Study] | None = None,
    within: Callable[[Sequence[Loaded]], None] | None = None,
) -> list[PlacedStudy]:
    """Write every study's folder, and store what it holds.

    `out` is the folder of one study, or that of the folders of several; `owner`, whose those are that are new; `among`,
    as `store_folder` takes it, the studies that may be written over: by a command any; `within` is called
    with what was stored, in the same transaction. Raises
    FolderRefused for a folder that cannot be written, SourceError for a study that could not be loaded, LoadRefused or
    ImportRefused for one that the database does not take; in every case no folder and no row has changed.
    """
    if out is None:
        folders = [place_of(study.slug) for study in studies]
    else:
        folders = [out] if len(studies) == 1 else [out / study.slug for study in studies]
    try:
        with ExitStack() as everything:
            written = [
                everything.enter_context(staged(folder, study)) for folder, study in zip(folders, studies, strict=True)
            ]
            loaded = _in_place(studies, written, load=load, owner=owner, among=among, within=within)
    except OSError as error:
        raise FolderRefused(f"{error.filename} cannot be written: {error.strerror}") from None
    return [PlacedStudy(*one) for one in zip(studies, folders, loaded, strict=True)]


def _in_place(
    studies: Sequence[BuiltStudy],
    written: Sequence[Staged],
    *,
    load: bool,
    owner: User | None,
    among: QuerySet[Study] | None,
    within: Callable[[Sequence[Loaded]], None] | None,
) -> list[Loaded | None]:
    """Store what was checked when it was written, and let the folders take their places before that is final."""
    notes = [study.labels_note for study in studies]
    checked = (
        [StudyFolder(one.study, one.labels, note) for one, note in zip(written, notes, strict=True)] if load else []
    )
    with transaction.atomic() if load else nullcontext():
        loaded = [store_folder(one, owner=owner, among=among) for one in checked]
        for stored, study in zip(loaded, studies[: len(loaded)], strict=True):
            keep_figures(stored.study, study.figures)
        if within is not None:
            within(loaded)
        for one in written:
            one.take_place()
    return [*loaded] if load else [None] * len(written)
