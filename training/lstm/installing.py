"""From text files to a model that runs can name: prepare, train, put in place, write the row.

Everything that decides the result is in a request, kept in the model's card. The same request under the same key
returns the model that is there; another is refused, so that scores keep their meaning.
"""

import shutil
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import transaction

from corpus.errors import BuildError
from corpus.provenance import digest
from scoring.library.location import Location
from scoring.library.locks import exclusive_folder
from scoring.library.model_store import offer
from scoring.library.registering import CannotRegister, require_free, require_valid
from scoring.models import LanguageModel
from scoring.scorers.lstm_model.folder import FolderError, copy_model, read_card, read_model
from training.lstm.finishing import train
from training.lstm.preparing import Prepared, PreparedError, Reading, prepare, read_prepared, source_list
from training.lstm.settings import Settings
from training.lstm.training import Training
from training.shared.checkpoint import CHECKPOINT
from training.shared.schedule import stopped_by_signal
from training.shared.settings import differing

METHOD = "lstm"
PREPARED = "prepared"


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A model as the command asks for it. An empty `name` is made from the key."""

    key: str
    sources: Sequence[Path]
    reading: Reading
    settings: Settings
    name: str = ""
    license: str = ""


def work_folder(key: str) -> Path:
    """Where a training keeps its prepared text and its state until it is finished."""
    return Path(settings.VAR_DIR) / "builds" / METHOD / key


def prepare_text(params: Wanted, *, afresh: bool, say: Callable[[str], None]) -> Path:
    """The folder of prepared text, made unless it is there from these sources, read in this way.

    SourceError, BuildError: as `training.lstm.preparing.prepare`. FolderInUse if another process is at it.
    """
    work = work_folder(params.key)
    with exclusive_folder(work):
        if afresh:
            _forget(work)
        _prepared(params, work, say)
    return work / PREPARED


def train_model(
    params: Wanted,
    *,
    afresh: bool,
    say: Callable[[str], None],
    on_step: Callable[[Training], None],
) -> tuple[LanguageModel, bool]:
    """The model's row, and whether it is new. Killed, the same call goes on from the last checkpoint.

    While it trains, an interrupt or a polite kill stops it in good order.

    CannotRegister if the key stands for something else; SourceError and BuildError for the text; TrainingError,
    CheckpointError and Interrupted for the training; FolderInUse if another process is at it.
    """
    require_free(params.key)
    folder, work = Path(settings.MODELS_DIR) / params.key, work_folder(params.key)
    request = _request(params)
    if not folder.exists():
        _require_new(params)
        with exclusive_folder(work):
            # Not if another process has finished it just now.
            if not folder.exists():
                _train(params, work, folder, afresh=afresh, say=say, on_step=on_step)
    _require_same(folder, request)
    return _row(params.key, params.name, params.license)


def _train(
    params: Wanted,
    work: Path,
    folder: Path,
    *,
    afresh: bool,
    say: Callable[[str], None],
    on_step: Callable[[Training], None],
) -> None:
    if afresh:
        _forget(work)
    prepared = _prepared(params, work, say)
    with stopped_by_signal() as is_stopped:
        train(prepared, params.settings, work=work, out=folder, on_step=on_step, must_stop=is_stopped)
    _forget(work)


def take_trained(source: Path, *, key: str, name: str, license: str) -> tuple[LanguageModel, bool]:
    """The row of a model that `python -m training.lstm` trained elsewhere, and whether it is new.

    CannotRegister if the key stands for something else; FolderError if the folder holds no sound model.
    """
    require_free(key)
    folder = Path(settings.MODELS_DIR) / key
    if folder.exists():
        if read_model(folder).files != read_model(source).files:
            raise CannotRegister(f"The key {key!r} belongs to another model; choose another key.")
    else:
        require_valid(_unsaved(key, name, license, {}))
        copy_model(source, folder)
    return _row(key, name, license)


def _request(params: Wanted) -> dict[str, Any]:
    """What decides the result, but for the machine."""
    sources = [facts for _, _, facts in source_list(params.sources, params.reading.form)]
    made_of = {"sources": sources, "reading": params.reading.as_json(), "settings": params.settings.as_json()}
    return _identity(made_of)


def _identity(card: Mapping[str, Any]) -> dict[str, Any]:
    """What of a card, or of what is said of prepared text, decides the result."""
    deciding = {name: card[name] for name in ("reading", "settings") if name in card}
    return {"sources": [facts["sha256"] for facts in card["sources"]], **deciding}


def _require_same(folder: Path, request: dict[str, Any]) -> None:
    try:
        card = read_card(folder)
    except FolderError as error:
        raise CannotRegister(f"{folder} exists and is not an LSTM; choose another key. ({error})") from error
    if difference := differing(_identity(card), request):
        raise CannotRegister(
            f"The key {folder.name!r} belongs to another model: {difference}. Choose another key, because scores are "
            f"stored under it."
        )


def _require_new(params: Wanted) -> None:
    """Before the work, which may take long: the row that will be written must fit."""
    unsaved = _unsaved(params.key, params.name, params.license, {})
    existing = LanguageModel.objects.filter(key=params.key).first()
    if existing is not None and _answers_from(existing) == _answers_from(unsaved):
        raise CannotRegister(
            f"The model {params.key!r} is registered, but its folder {Path(settings.MODELS_DIR) / params.key} is "
            f"missing. Restore it, or train under another key."
        )
    if existing is not None:
        raise CannotRegister(f"The key {params.key!r} belongs to another model; choose another key.")
    require_valid(unsaved)


def _unsaved(key: str, name: str, license: str, files: dict[str, str]) -> LanguageModel:
    return LanguageModel(
        key=key,
        name=name or f"LSTM ({key})",
        family=LanguageModel.Family.BASELINE,
        method=METHOD,
        location=Location.MODELS,
        source=key,
        files=files,
        file_hash=digest(files) if files else "",
        license=license,
    )


def _answers_from(row: LanguageModel) -> tuple[str, str, str]:
    return row.method, row.location, row.source


def _row(key: str, name: str, license: str) -> tuple[LanguageModel, bool]:
    """The row of the model whose folder is in place, written if it is not there."""
    folder = Path(settings.MODELS_DIR) / key
    files = read_model(folder).files
    offer(folder, files)
    row = _unsaved(key, name, license, files)
    with transaction.atomic():
        existing = LanguageModel.objects.filter(key=key).first()
        if existing is None:
            require_valid(row)
            row.save(force_insert=True)
            return row, True
    if (*_answers_from(existing), existing.files) != (*_answers_from(row), row.files):
        raise CannotRegister(f"The key {key!r} belongs to another model; choose another key.")
    return existing, False


def _prepared(params: Wanted, work: Path, say: Callable[[str], None]) -> Prepared:
    """What is there, if it is whole and of the same sources and reading; else made anew."""
    folder = work / PREPARED
    request = _request(params)
    try:
        prepared = read_prepared(folder)
    except PreparedError:
        return prepare(params.sources, params.reading, folder, say=say)
    if not differing(request, _identity(prepared.about)):
        return prepared
    if (work / CHECKPOINT).exists():
        raise BuildError(
            f"A training of {params.key} on other text was interrupted. Restart it with the same arguments, or "
            f"discard it with --afresh."
        )
    return prepare(params.sources, params.reading, folder, say=say)


def _forget(work: Path) -> None:
    """Remove prepared text and state; the lock stays, it may be held."""
    (work / CHECKPOINT).unlink(missing_ok=True)
    shutil.rmtree(work / PREPARED, ignore_errors=True)
