"""A study folder that appears whole or not at all, and its manifest.json: where the items come from, said so that they
can be made again.
"""

import json
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from typing import Any

from annotation import itemfile, studyfile
from annotation.elsewhere import labelfile
from annotation.elsewhere.labelfile import LabelFile, LabelFileError, as_csv, label_faults, labels_in
from annotation.itemfile import write_items
from annotation.studyfile import StudyFile, study_of
from annotation.tasktypes.contract import TaskType
from corpus.provenance import sha256, source_facts, versions
from corpus.toml_text import toml_text
from corpus.whole import put_in_place
from stimuli.making.contract import BuiltStudy

MANIFEST = "manifest.json"


class FolderRefused(ValueError):
    """A folder that an import must not write to. str() says why."""


class Staged:
    """A study folder beside the place that it will take; `study` and `labels` are what reading it would give."""

    def __init__(self, out: Path, holder: Path, study: StudyFile, labels: LabelFile | None) -> None:
        self.study, self.labels = study, labels
        self.folder = holder / out.name
        self._out = out
        self._before = holder / "before"

    def take_place(self) -> None:
        if self._out.exists():
            self._out.rename(self._before)
        put_in_place(self.folder, self._out)

    def give_back(self) -> None:
        """Leave the place as it was."""
        if not self.folder.exists():
            self._out.rename(self.folder)
        if self._before.exists():
            self._before.rename(self._out)


@contextmanager
def staged(out: Path, study: BuiltStudy) -> Iterator[Staged]:
    """Write the study beside `out`, for the block to let it take that place.

    If anything in the block fails, also after that, `out` is as it was and nothing is left. Replaces only what an
    import has made (FolderRefused). Raises StudyFileError, ItemFileError or LabelFileError for what could not be
    loaded, before anything is written: a fault names the folder that was asked for.
    """
    refuse_what_is_not_ours(out)
    called = Path(out.name)
    checked = study_of(study.settings, study.rows, folder=called)
    labels, label_file = _labels(study, checked, called / labelfile.NAME)
    out.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{out.name}-", dir=out.parent) as holder:
        stage = Staged(out, Path(holder), checked, label_file)
        stage.folder.mkdir()
        _write(stage.folder, study, labels)
        try:
            yield stage
        except BaseException:
            stage.give_back()
            raise


def _labels(study: BuiltStudy, checked: StudyFile, path: Path) -> tuple[bytes, LabelFile | None]:
    """The label file and what reading it gives; LabelFileError, also where a file would not say what the rows say."""
    if not study.labels:
        return b"", None
    if faults := label_faults(study.labels, checked.task, checked.labeled_items):
        raise LabelFileError(path, faults)
    data = as_csv(study.labels)
    return data, labels_in(data, path, checked.task, checked.labeled_items)


def refuse_what_is_not_ours(out: Path) -> None:
    """FolderRefused if a study must not be put there: a file, or a folder with something else in it."""
    if out.is_dir() and any(out.iterdir()) and not (out / MANIFEST).is_file():
        raise FolderRefused(
            f"{out} is not empty and was not created by an import or build. Choose another folder with --out."
        )
    if out.exists() and not out.is_dir():
        raise FolderRefused(f"{out} is a file. Choose a folder with --out.")


def _write(folder: Path, study: BuiltStudy, labels: bytes) -> None:
    items, settings = folder / itemfile.NAME, folder / studyfile.NAME
    write_items(items, study.rows)
    settings.write_text(toml_text(study.settings), encoding="utf-8", newline="\n")
    files = [items, settings]
    if labels:
        (folder / labelfile.NAME).write_bytes(labels)
        files.append(folder / labelfile.NAME)
    hashes = {path.name: sha256(path) for path in files}
    figures = {"figures": [asdict(one) for one in study.figures]} if study.figures else {}
    text = json.dumps(study.manifest | figures | {"files": hashes}, ensure_ascii=False, indent=2)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8", newline="\n")


def manifest(
    *,
    maker: str,
    maker_version: str,
    paper: str,
    license: str,
    task: type[TaskType],
    sources: Iterable[Path],
    options: dict[str, Any],
    counts: dict[str, Any],
    dropped: Sequence[Any],
    seed: int | None = None,
    packages: Sequence[str] = (),
    **more: Any,
) -> dict[str, Any]:
    """What every manifest says, in a fixed order. No dates and no absolute paths: the same build gives the same bytes.

    `license` is that of the sources; `packages` names the libraries whose version can change the outcome;
    `counts` has the number of entries at each stage, `dropped` what was left out and why.
    """
    return {
        "made_by": maker,
        "version": maker_version,
        "task": {task.key: task.version},
        "paper": paper,
        "license": license,
        "sources": [source_facts(path) for path in sources],
        "seed": seed,
        "packages": versions(packages),
        "options": options,
        "counts": counts,
        "dropped": list(dropped),
        **more,
    }
