"""The model store: one folder, on a shared disk or in an object store, from which any machine fetches a model's files.

A model stands there under the hash of its files, so that nothing in it is ever replaced, and a machine takes a file
only if it has the hash in the model's row. The last thing written is WHOLE: a model without it is still on its way.
"""

import json
import logging
import socket
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import fsspec
from django.conf import settings

from corpus.provenance import digest, sha256
from corpus.whole import whole_folder
from scoring.library.composed import composed_models, place
from scoring.library.location import Location
from scoring.library.locks import in_turn
from scoring.library.packaged import PACKAGED, FetchError, fetch
from scoring.scorers.contract import ModelError, ModelSpec, in_short

WHOLE = "whole.json"
# What a model that was made here says of itself. It decides no answer, so its row has no hash of it.
CARD = "card.json"
# Under PARALLAX_VAR, by the hash of the files.
FETCHED = "fetched-models"

log = logging.getLogger(__name__)


class StoreError(ModelError):
    """The store cannot be reached, or does not hold what it should. str() says which, and what to do."""


class Registered(Protocol):
    """What has files of its own: a model's row, or what a training begins with."""

    @property
    def key(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def location(self) -> str: ...
    @property
    def source(self) -> str: ...
    @property
    def files(self) -> dict[str, str]: ...
    @property
    def spec(self) -> ModelSpec: ...


def upload(folder: Path, files: Mapping[str, str]) -> bool:
    """Put a model's files into the store, and whether that was needed; nothing where no store is set.

    `files` are the sha256 by name, as in its row. StoreError where a file has another, or the store takes none.
    """
    if not settings.MODEL_STORE:
        return False
    system, place = _at(digest(dict(files)))
    try:
        if system.exists(f"{place}/{WHOLE}"):
            return False
        for name, expected in files.items():
            if sha256(folder / name) != expected:
                raise StoreError(f"{folder / name} is not the file that was registered; it was not put into the store")
            _put(system, folder / name, f"{place}/{name}")
        if (folder / CARD).is_file():
            _put(system, folder / CARD, f"{place}/{CARD}")
        system.pipe_file(f"{place}/{WHOLE}", json.dumps(dict(files), indent=2).encode())
    except OSError as error:
        raise StoreError(f"the model store {settings.MODEL_STORE} cannot be written ({in_short(error)})") from error
    return True


def remove(file_hash: str) -> None:
    """Take out a model that nothing is scored with. Where that fails it stays, and the log says so."""
    if not settings.MODEL_STORE or not file_hash:
        return
    system, place = _at(file_hash)
    try:
        if system.exists(place):
            system.rm(place, recursive=True)
    except OSError as error:
        log.warning("%s stays in the model store: %s", file_hash, in_short(error))


def read_fault() -> str:
    """Why the store cannot be used, in a sentence; empty where it can, or where none is set."""
    if not settings.MODEL_STORE:
        return ""
    try:
        system, place = _at(WHOLE)
        system.makedirs(place.rpartition("/")[0], exist_ok=True)
        system.pipe_file(f"{place}.try", b"")
        system.rm_file(f"{place}.try")
    except StoreError as error:
        return f"{error}."
    except OSError as error:
        return f"The model store {settings.MODEL_STORE} cannot be written ({in_short(error)})."
    return ""


def on_this_machine(model: Registered) -> ModelSpec:
    """What a scorer must know, with a folder that is here: the model's own, or one that is brought first.

    A packaged model comes from its package, any other from the store. StoreError where neither has it.
    """
    spec = model.spec
    if not model.files or model.location == Location.STORE or Path(spec.source).is_dir():
        return spec
    if model.location == Location.MODELS and _from_package(model.source):
        return spec
    return replace(spec, source=str(_fetched(model)))


def _from_package(key: str) -> bool:
    """Whether the model is one that arrives by package; then it is in place."""
    try:
        if packaged := next((one for one in PACKAGED if one.key == key), None):
            fetch(packaged, settings.MODELS_DIR, say=log.info)
        elif composed := next((one for one in composed_models() if one.key == key), None):
            place(composed, settings.MODELS_DIR, say=log.info)
        else:
            return False
    except FetchError as error:
        raise StoreError(str(error)) from error
    return True


def _fetched(model: Registered) -> Path:
    """The folder of the model's files, fetched once by whichever process of this machine needs it first."""
    file_hash = digest(model.files)
    folder = Path(settings.VAR_DIR) / FETCHED / file_hash
    folder.parent.mkdir(parents=True, exist_ok=True)
    with in_turn(folder.parent / f".{file_hash}.lock", waiting=lambda: log.info("waiting for %s", model.key)):
        if not folder.is_dir():
            with whole_folder(folder, is_locked=True) as scratch:
                _fetch(model, file_hash, scratch)
            log.info("%s was fetched from the model store", model.key)
    return folder


def _fetch(model: Registered, file_hash: str, folder: Path) -> None:
    missing = f"{model.name} is not on this machine ({socket.gethostname()})"
    if not settings.MODEL_STORE:
        raise StoreError(f"{missing}, and no MODEL_STORE is set to fetch it from")
    system, place = _at(file_hash)
    upload_again = f"run manage.py store_models {model.key} on the machine that has it, then resume"
    try:
        if not system.exists(f"{place}/{WHOLE}"):
            raise StoreError(f"{missing}, nor in the model store {settings.MODEL_STORE}: {upload_again}")
        for name, expected in model.files.items():
            path = _inside(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            system.get_file(f"{place}/{name}", str(path))
            if sha256(path) != expected:
                raise StoreError(
                    f"{name} of {model.name} in the model store is not the file that was registered: remove the folder "
                    f"{file_hash} from {settings.MODEL_STORE}, {upload_again}"
                )
        if system.exists(f"{place}/{CARD}"):
            system.get_file(f"{place}/{CARD}", str(folder / CARD))
    except OSError as error:
        raise StoreError(f"{model.name} cannot be fetched from the model store ({in_short(error)})") from error


def _inside(folder: Path, name: str) -> Path:
    """The place of a file in the folder. StoreError for a name that leads out of it."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise StoreError(f"{name} is no name of a file of a model")
    return path


def _put(system: Any, source: Path, target: str) -> None:
    system.makedirs(target.rpartition("/")[0], exist_ok=True)
    system.put_file(str(source), target)


def _at(file_hash: str) -> tuple[Any, str]:
    """The file system of the store, and the place in it of the model whose files have that hash."""
    try:
        system, root = fsspec.core.url_to_fs(settings.MODEL_STORE)
    except (ImportError, ValueError) as error:
        raise StoreError(f"the model store {settings.MODEL_STORE} cannot be used ({in_short(error)})") from error
    return system, f"{root.rstrip('/')}/{file_hash}"
