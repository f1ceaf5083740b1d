"""Made studies put in place: their folders and, unless told otherwise, their rows; all of them or none."""

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import transaction

from annotation.loading import Loaded, load_study
from stimuli.making.contract import MadeStudy
from stimuli.making.study_folder import FolderRefused, staged


@dataclass(frozen=True, slots=True)
class Placed:
    """A study in its folder, and what loading it has changed."""

    study: MadeStudy
    folder: Path
    loaded: Loaded | None

    def lines(self) -> Iterator[str]:
        """For the terminal."""
        if self.loaded is not None:
            yield str(self.loaded)
        yield from self.study.summary
        yield f"written to {self.folder}"


def put_in_place(studies: Sequence[MadeStudy], *, out: Path | None, load: bool) -> list[Placed]:
    """Write every study's folder and load it from there.

    `out` is the folder of one study, or that of the folders of several. Raises FolderRefused for a folder that cannot
    be written, SourceError for a study that could not be loaded, LoadRefused or ImportRefused for one that the
    database does not take; in every case no folder and no row has changed.
    """
    try:
        # One transaction around it all, so that no study is loaded whose folder could not be put in place.
        with ExitStack() as everything:
            if load:
                everything.enter_context(transaction.atomic())
            placed = []
            for study in studies:
                folder = _folder(study, out, alone=len(studies) == 1)
                staging = everything.enter_context(staged(folder, study))
                placed.append(Placed(study, folder, load_study(staging) if load else None))
            return placed
    except OSError as error:
        raise FolderRefused(f"{error.filename} cannot be written: {error.strerror}") from None


def _folder(study: MadeStudy, out: Path | None, *, alone: bool) -> Path:
    if out is None:
        return settings.VAR_DIR / "studies" / study.slug
    return out if alone else out / study.slug
