"""The model store: one folder, on a shared disk or in an object store, from which any machine fetches a model's files.

A model stands there under the hash of its files, so that nothing in it is ever replaced, and a machine takes a file
that decides answers only if it has the hash in the model's row. Each file is written under another name and moved into
place, and WHOLE is the last: a model without it is still on its way.
"""

import json
import logging
import socket
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import fsspec
from django.conf import settings

from corpus.errors import in_short, without_secrets
from corpus.provenance import digest, sha256
from corpus.shared.stores import put_whole
from corpus.whole import whole_folder
from scoring.library.composed import composed_keys, composed_models, place
from scoring.library.location import Location
from scoring.library.locks import in_turn
from scoring.library.packaged import PACKAGED, FetchError, fetch, packaged
from scoring.models import LanguageModel
from scoring.scorers.contract import ModelError, ModelSpec

WHOLE = "whole.json"
# What goes along and decides no answer, so that a row has no hash of it: what a model that was made here says of
# itself, and its terms, which go on to a model that is trained from it.
BESIDE = ("card.json", "LICENSE", "NOTICE")
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
    with opened("written") as (system, root):
        place = f"{root}/{digest(dict(files))}"
        if is_whole := system.exists(f"{place}/{WHOLE}"):
            if all(is_as_long(system, f"{place}/{name}", folder / name) for name in files):
                return False
            # It says so of files that are not all there: nobody is to take them meanwhile.
            system.rm_file(f"{place}/{WHOLE}")
        for name, expected in files.items():
            if sha256(folder / name) != expected:
                raise StoreError(f"{folder / name} is not the file that was registered; it was not put into the store")
        for name in [*files, *(name for name in BESIDE if (folder / name).is_file() and name not in files)]:
            put_whole(system, f"{place}/{name}", folder / name)
        put_whole(system, f"{place}/{WHOLE}", json.dumps(dict(files), indent=2).encode())
        if is_whole:
            log.warning("%s in the model store was damaged and is whole again", place)
    return True


def offer(folder: Path, files: Mapping[str, str]) -> None:
    """Upload what is finished in any case: where the store fails, the log says so, and so does a run that needs it."""
    try:
        upload(folder, files)
    except StoreError as error:
        log.warning("%s is not in the model store, run manage.py store_models later: %s", folder.name, error)


def remove(file_hash: str) -> None:
    """Take out what no model needs any more. Where that fails it stays, and the log says so."""
    if not settings.MODEL_STORE or not file_hash or LanguageModel.objects.filter(file_hash=file_hash).exists():
        return
    try:
        with opened("written") as (system, root):
            place = f"{root}/{file_hash}"
            # First what says that it is there: killed in between, this leaves a model that is on its way.
            if system.exists(f"{place}/{WHOLE}"):
                system.rm_file(f"{place}/{WHOLE}")
            if system.exists(place):
                system.rm(place, recursive=True)
    except StoreError as error:
        log.warning("%s stays in the model store: %s", file_hash, error)


def is_stored(file_hash: str) -> bool:
    """Whether the store has a whole model of that hash. StoreError where it cannot be asked."""
    if not settings.MODEL_STORE:
        return False
    with opened("read") as (system, root):
        return bool(system.exists(f"{root}/{file_hash}/{WHOLE}"))


def read_fault() -> str:
    """Why the store cannot be used, in a sentence; empty where it can, or where none is set."""
    if not settings.MODEL_STORE:
        return ""
    try:
        with opened("written") as (system, root):
            put_whole(system, trial := f"{root}/{uuid.uuid4().hex}.try", b"")
            system.rm_file(trial)
    except StoreError as error:
        message = str(error)
        return f"{message[0].upper()}{message[1:]}."
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


def lack(model: Registered) -> str:
    """Why this machine cannot have a model's files, without its name; empty where they are here or can be fetched."""
    source = Path(model.spec.source)
    if model.location == Location.STORE:
        return "" if source.exists() else "its counts are not here"
    if not model.files or source.is_dir() or (model.location == Location.MODELS and model.source in by_package()):
        return ""
    if not settings.MODEL_STORE:
        return "its files are not here, and no MODEL_STORE is set"
    try:
        return "" if is_stored(digest(model.files)) else "its files are neither here nor in the model store"
    except StoreError as error:
        return str(error)


def by_package() -> set[str]:
    """The keys of the models that arrive by package, or are composed over one that does."""
    return {*(one.key for one in PACKAGED), *composed_keys()}


def _from_package(key: str) -> bool:
    """Whether the model is one that arrives by package; then it is in place."""
    if key not in by_package():
        return False
    try:
        if key in composed_keys():
            place(next(one for one in composed_models() if one.key == key), settings.MODELS_DIR, say=log.info)
        else:
            fetch(packaged(key), settings.MODELS_DIR, say=log.info)
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
    upload_again = f"run manage.py store_models {model.key} on the machine that has it, then resume"
    with opened("read") as (system, root):
        place = f"{root}/{file_hash}"
        if not system.exists(f"{place}/{WHOLE}"):
            raise StoreError(f"{missing}, nor in the model store {_address()}: {upload_again}")
        for name, expected in model.files.items():
            path = _inside(folder, name)
            get_file(system, f"{place}/{name}", path)
            if sha256(path) != expected:
                raise StoreError(
                    f"{name} of {model.name} in the model store is not the file that was registered: remove the folder "
                    f"{file_hash} from {_address()}; then {upload_again}"
                )
        for name in BESIDE:
            if name not in model.files and system.exists(f"{place}/{name}"):
                get_file(system, f"{place}/{name}", folder / name)


def _inside(folder: Path, name: str) -> Path:
    """The place of a file in the folder. StoreError for a name that leads out of it."""
    path = (folder / name).resolve()
    if not path.is_relative_to(folder.resolve()):
        raise StoreError(f"{name} is no name of a file of a model")
    return path


@contextmanager
def opened(action: str) -> Iterator[tuple[Any, str]]:
    """The store's file system, and the store's place in it. StoreError for whatever goes wrong there.

    Each kind of store has exceptions of its own: S3's are no OSError.
    """
    try:
        system, root = fsspec.core.url_to_fs(settings.MODEL_STORE)
        yield system, root.rstrip("/")
    except StoreError:
        raise
    except Exception as error:
        message = f"the model store {settings.MODEL_STORE} cannot be {action} ({in_short(error)})"
        raise StoreError(without_secrets(message, of=settings.MODEL_STORE)) from error


def _address() -> str:
    """As anybody may read it."""
    return without_secrets(settings.MODEL_STORE)


def get_file(system: Any, source: str, target: Path) -> None:
    """A file of the store. A link in a shared folder could lead to any file of this machine."""
    if system.info(source).get("islink"):
        raise StoreError(f"{source} in the model store is a link")
    target.parent.mkdir(parents=True, exist_ok=True)
    system.get_file(source, str(target))


def is_as_long(system: Any, stored: str, file: Path) -> bool:
    return bool(system.exists(stored)) and system.info(stored)["size"] == file.stat().st_size
