"""Where a job's files lie: a folder of its own under PARALLAX_VAR, until the job is over for a day. Uploads are cut off
where they grow larger than the setting allows; files of the server are chosen by name.
"""

import hashlib
import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Protocol

from django.conf import settings
from django.core.files.uploadhandler import FileUploadHandler, StopUpload
from django.http import HttpRequest

from researcher.models import Job


class Sent(Protocol):
    """A file of a form."""

    name: Any

    def chunks(self) -> Iterable[bytes]: ...


def folder_of(job: Job) -> Path:
    return all_jobs() / str(job.pk)


def all_jobs() -> Path:
    place: Path = settings.VAR_DIR / "jobs"
    return place


def receive(job: Job, files: Mapping[str, Iterable[Sent]]) -> None:
    """Keep the files of each option, in pieces, and write into the row what they are. The job's folder begins empty: a
    number comes again where a transaction was rolled back or a database restored.
    """
    if folder_of(job).exists():
        shutil.rmtree(folder_of(job))
    for option, sent in files.items():
        for number, file in enumerate(sent):
            name = plain(file.name or "file")
            # A folder for each, as two may have one name; of several they lie in one folder, which may be the source.
            place = folder_of(job) / "files" / option / name
            if place.exists():
                place = place.with_name(f"{number}-{name}")
            place.parent.mkdir(parents=True, exist_ok=True)
            sha, size = hashlib.sha256(), 0
            with place.open("wb") as written:
                for piece in file.chunks():
                    written.write(piece)
                    sha.update(piece)
                    size += len(piece)
            job.files.append({"option": option, "name": place.name, "bytes": size, "sha256": sha.hexdigest()})
    job.save(update_fields=["files"])


def paths_of(job: Job, option: str) -> list[Path]:
    """The uploaded files of an option, in the order in which they were sent."""
    place = folder_of(job) / "files" / option
    return [place / file["name"] for file in job.files if file["option"] == option]


def drop(job: Job) -> None:
    shutil.rmtree(folder_of(job), ignore_errors=True)


def plain(name: str) -> str:
    """The name of a file as a manifest will have it, without a way out of its folder."""
    path = Path(name.replace("\\", "/"))
    stem = re.sub(r"[^\w .-]+", "_", path.stem).strip(" .")[:80] or "file"
    return (stem + re.sub(r"[^\w.]+", "", path.suffix.lower())[:20]).rstrip(".")


def source_named(name: str) -> Path:
    """Where it lies; LookupError for a name that the setting does not have."""
    found: dict[str, Path] = settings.CORPUS_FOLDERS
    if name not in found:
        raise LookupError(f"The setting CORPUS_FOLDERS does not list {name!r}.")
    return found[name]


def source_names() -> list[str]:
    return sorted(settings.CORPUS_FOLDERS)


class Bounded(FileUploadHandler):
    """Counts what comes in a request; more than UPLOAD_MOST_BYTES, or than `bound_to` says, is not let in."""

    def __init__(self, request: HttpRequest | None = None, *, most: int | None = None) -> None:
        super().__init__(request)
        self._come, self.is_over, self._most = 0, False, most

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes:
        self._come += len(raw_data)
        if self._come > (settings.UPLOAD_MOST_BYTES if self._most is None else self._most):
            self.is_over = True
            # What still comes is read and thrown away, so that the page can say why.
            raise StopUpload(connection_reset=False)
        return raw_data

    def file_complete(self, file_size: int) -> Any:
        """The next handler keeps it."""
        return None


def is_too_large(request: HttpRequest) -> bool:
    """Whether its files were cut off; to be asked once its form has been read."""
    return any(isinstance(one, Bounded) and one.is_over for one in request.upload_handlers)


def bound_to(request: HttpRequest, most: int) -> None:
    """Let so many bytes of files in, before anything has read the request: not even its form."""
    request.upload_handlers = [
        Bounded(request, most=most) if isinstance(one, Bounded) else one for one in request.upload_handlers
    ]
