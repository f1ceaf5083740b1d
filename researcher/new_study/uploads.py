"""Uploaded tables, each in a folder of its own below its user's, until a study is made of it or a day has passed."""

import json
import re
import secrets
import shutil
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path

from django.conf import settings

from corpus.errors import Fault, SourceError
from corpus.tables.opening import How
from stimuli.datasets.table.kept import read_apart, read_kept
from stimuli.datasets.table.rows import Table

KEPT_SECONDS = 24 * 3600
MOST_BYTES = 20 * 1024 * 1024
TOKEN = re.compile(r"[\w-]{20,40}", re.ASCII)
KEPT, SAID, CHOSEN = "table.json", "said.json", "chosen.txt"


@dataclass(frozen=True, slots=True)
class Upload:
    """A file that was uploaded, and the task type that was chosen for it."""

    folder: Path
    name: str
    task: str

    format: str = ""
    how: How = field(default_factory=How)

    @property
    def token(self) -> str:
        return self.folder.name

    @property
    def file(self) -> Path:
        return self.folder / "file" / self.name

    def read(self, how: How) -> "Upload":
        """The same file read otherwise, without being sent again. SourceError; then it is read as before."""
        read_apart(self.file, self.folder / KEPT, format=self.format, how=how)
        again = replace(self, how=how)
        again.remember()
        return again

    def remember(self) -> None:
        told = {"name": self.name, "task": self.task, "format": self.format, "how": asdict(self.how)}
        (self.folder / SAID).write_text(json.dumps(told), encoding="utf-8")

    @property
    def choices(self) -> str:
        """What was chosen of its columns when the page was last sent, as a query; empty where it was not."""
        kept = self.folder / CHOSEN
        return kept.read_text(encoding="utf-8") if kept.is_file() else ""

    def keep_choices(self, query: str) -> None:
        (self.folder / CHOSEN).write_text(query, encoding="utf-8")

    def table(self) -> Table:
        return read_kept(self.folder / KEPT, source=self.file)

    def drop(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def receive(
    user: int,
    *,
    name: str,
    pieces: Iterable[bytes],
    task: str,
    format: str = "",  # noqa: A002
    encoding: str = "",
) -> Upload:
    """Keep a file and the table in it. SourceError, with every fault, for one that holds none; then nothing is kept."""
    upload = Upload(_place(user) / secrets.token_urlsafe(18), _plain(name), task, format, How(encoding=encoding))
    file = upload.file
    file.parent.mkdir(parents=True)
    try:
        with file.open("wb") as written:
            for piece in pieces:
                written.write(piece)
        read_apart(file, upload.folder / KEPT, format=format, how=upload.how)
        if not upload.table().rows:
            raise SourceError(
                file, [Fault("file", "has no rows below the line that names its columns, and so no items")]
            )
        upload.remember()
    except BaseException:
        upload.drop()
        raise
    return upload


def find_upload(user: int, token: str) -> Upload:
    """That upload of the user's own; LookupError where there is none, or no longer."""
    said = _place(user) / token / SAID
    if not TOKEN.fullmatch(token) or not said.is_file():
        raise LookupError(f"There is no upload {token}.")
    told = json.loads(said.read_text(encoding="utf-8"))
    return Upload(said.parent, told["name"], told["task"], told["format"], How(**told["how"]))


def drop_old_uploads() -> int:
    """Erase what nobody has made a study of within a day. Returns how many uploads that were."""
    old = [
        folder
        for folder in (settings.VAR_DIR / "uploads").glob("*/*")
        if folder.stat().st_mtime < time.time() - KEPT_SECONDS
    ]
    for folder in old:
        shutil.rmtree(folder, ignore_errors=True)
    return len(old)


def _place(user: int) -> Path:
    place: Path = settings.VAR_DIR / "uploads" / str(user)
    return place


def _plain(name: str) -> str:
    """The name of a file as the manifest will have it, without a way out of its folder."""
    path = Path(name.replace("\\", "/"))
    stem = re.sub(r"[^\w .-]+", "_", path.stem).strip(" .")[:80] or "table"
    return stem + re.sub(r"[^\w.]+", "", path.suffix.lower())[:20]
