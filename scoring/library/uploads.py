"""Uploaded models: kept under PARALLAX_VAR until a worker has looked at them, then a folder under MODELS_DIR."""

import secrets
import shutil
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.utils import timezone

from corpus.whole import put_in_place
from scoring.library.locks import in_turn
from scoring.library.unpacking import Limits, parts_of, write
from scoring.library.uploaded_files import UploadRefused, require_opens
from scoring.models import LanguageModel
from scoring.scorers.contract import ModelError
from scoring.scorers.networks.weights import differences, file_hashes
from scoring.worker_requests import Addition

NAMED, SCRATCH = "uploaded-", ".uploading-"
# Files whose web process was killed before it had asked for anything are erased after so long.
KEPT = timedelta(days=1)
SECONDS_BETWEEN = 1.0
MEGABYTE = 1024**2


@dataclass(frozen=True, slots=True)
class Kept:
    """A file that was sent, where it waits."""

    path: Path

    @property
    def name(self) -> str:
        return self.path.name

    @property
    def size(self) -> int:
        return self.path.stat().st_size

    def open(self, mode: str = "rb") -> IO[Any]:
        return self.path.open(mode)


def limits() -> Limits:
    return Limits(files=settings.MODEL_UPLOAD_MOST_FILES, size=settings.MODEL_UPLOAD_MOST_BYTES)


def keep(files: Sequence[Any]) -> dict[str, Any]:
    """A request's `upload`: files of a form, with which `parts_of` has found no fault, kept until a worker is through.

    Whatever goes wrong, no file is left behind.
    """
    folder = _all() / secrets.token_hex(16)
    folder.mkdir(parents=True)
    try:
        for file in files:
            with (folder / file.name).open("xb") as target:
                for piece in file.chunks():
                    target.write(piece)
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    return {"folder": folder.name, "files": [{"name": file.name, "bytes": file.size} for file in files]}


def forget(upload: Mapping[str, Any]) -> None:
    """Erase what was kept of it; nothing where there is none."""
    if upload:
        shutil.rmtree(_all() / upload["folder"], ignore_errors=True)


def forget_strays() -> int:
    """Erase the files of no request that still waits, once they are old; how many folders that were."""
    needed = {one.upload["folder"] for one in Addition.objects.live() if one.upload}
    before = (timezone.now() - KEPT).timestamp()
    strays = [one for one in _all().glob("*") if one.name not in needed and one.stat().st_mtime < before]
    for folder in strays:
        shutil.rmtree(folder, ignore_errors=True)
    return len(strays)


@contextmanager
def laid_out(upload: Mapping[str, Any], *, key: str, family: str, say: Callable[[str], None]) -> Iterator[Path]:
    """The folder of an uploaded model while it is registered, under the name that it keeps.

    If that fails, the folder is gone. UploadRefused where the files are not a model's, or the key is another's.
    """
    models = Path(settings.MODELS_DIR).resolve()
    models.mkdir(parents=True, exist_ok=True)
    with in_turn(models / f"{SCRATCH}lock", waiting=lambda: say("waiting for another upload")):
        for leftover in models.glob(f"{SCRATCH}part-*"):
            shutil.rmtree(leftover)
        with tempfile.TemporaryDirectory(prefix=f"{SCRATCH}part-", dir=models) as holder:
            folder, place = Path(holder) / "model", models / f"{NAMED}{key}"
            folder.mkdir()
            write(parts_of(_sent(upload), limits()), folder, say=_now_and_then(say))
            say("opening the model in a process of its own")
            require_opens(folder, family=family)
            if _is_there(key, folder):
                yield place
                return
            shutil.rmtree(place, ignore_errors=True)
            put_in_place(folder, place)
        try:
            yield place
        except BaseException:
            shutil.rmtree(place, ignore_errors=True)
            raise


def _all() -> Path:
    place: Path = settings.VAR_DIR / "model-uploads"
    return place


def _sent(upload: Mapping[str, Any]) -> list[Kept]:
    folder = _all() / upload["folder"]
    if not folder.is_dir():
        raise UploadRefused("the uploaded files are gone; send them again")
    return [Kept(folder / file["name"]) for file in upload["files"]]


def _is_there(key: str, folder: Path) -> bool:
    """Whether this upload was registered already, by a worker that was killed right after."""
    existing = LanguageModel.objects.filter(key=key).first()
    if existing is None:
        return False
    if existing.source != f"{NAMED}{key}" or differences(existing.files, file_hashes(folder)):
        raise ModelError(f"there is another model with the key {key}; choose another")
    return True


def _now_and_then(say: Callable[[str], None]) -> Callable[[int, int], None]:
    """Told of every piece that is written, it says so once a second."""
    last = time.monotonic()

    def written(so_far: int, total: int) -> None:
        nonlocal last
        if time.monotonic() - last >= SECONDS_BETWEEN:
            last = time.monotonic()
            say(f"reading the files: {so_far // MEGABYTE:,} of {total // MEGABYTE:,} MB")

    return written
