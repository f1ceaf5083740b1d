"""A study folder that appears whole or not at all."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from annotation import labelfile
from annotation.itemfile import read_items, write_items
from annotation.labelfile import read_labels, write_labels
from corpus.provenance import sha256
from corpus.whole import whole_folder
from stimuli.making.contract import MadeStudy
from stimuli.making.toml_text import toml_text

MANIFEST = "manifest.json"


class FolderRefused(ValueError):
    """A folder that an import must not write to. str() says why."""


@contextmanager
def staged(out: Path, study: MadeStudy) -> Iterator[Path]:
    """Write the study beside `out` and yield that folder; it takes the place of `out` when the block ends.

    If anything fails, `out` stays as it was and nothing is left. Replaces only what an import has made
    (FolderRefused). Raises ItemFileError if the rows are not what their task type asks for.
    """
    refuse_what_is_not_ours(out)
    with whole_folder(out) as staging:
        _write(staging, study)
        yield staging


def refuse_what_is_not_ours(out: Path) -> None:
    """FolderRefused if a study must not be put there: a file, or a folder with something else in it."""
    if out.is_dir() and any(out.iterdir()) and not (out / MANIFEST).is_file():
        raise FolderRefused(
            f"{out} is not empty and was not made by an import or a build. Choose another folder with --out."
        )
    if out.exists() and not out.is_dir():
        raise FolderRefused(f"{out} is a file. Choose a folder with --out.")


def _write(folder: Path, study: MadeStudy) -> None:
    items, settings = folder / "items.jsonl", folder / "study.toml"
    write_items(items, study.rows)
    read_items(items, study.task)
    settings.write_text(toml_text(study.settings), encoding="utf-8", newline="\n")
    files = [items, settings]
    if study.labels:
        labels = folder / labelfile.NAME
        write_labels(labels, study.labels)
        read_labels(labels, study.task, [row.id for row in study.rows])
        files.append(labels)
    made = {path.name: sha256(path) for path in files}
    text = json.dumps(study.manifest | {"files": made}, ensure_ascii=False, indent=2)
    (folder / MANIFEST).write_text(text + "\n", encoding="utf-8", newline="\n")
