"""What a classifier can be trained from: a packaged encoder, a masked model that is registered here, or a folder."""

from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db.models import QuerySet
from django.utils.text import slugify

from scoring.library.location import Location
from scoring.library.model_store import offer
from scoring.library.packaged import PACKAGED, FetchError, Packaged, in_place
from scoring.models import LanguageModel
from scoring.scorers.contract import ModelSpec
from scoring.scorers.networks.weights import deciding, file_hashes

DEFAULT_BASE = "minilm-l6"
ENCODERS = ("", "masked")


class NoBase(LookupError):
    """There is no encoder of that name; str() lists those there are."""


@dataclass(frozen=True, slots=True)
class Base:
    """The encoder that training begins with. `location`, `source` and `files` are as in a LanguageModel's row.

    `files`, the sha256 of weights, configuration and tokenizer, is empty for a model id, which its revision pins.
    """

    key: str
    name: str
    location: str
    source: str
    revision: str
    files: dict[str, str]
    license: str

    @property
    def deciding(self) -> dict[str, str] | list[str]:
        """What of it decides the result: its files, or where they come from if they are not here."""
        return self.files or [self.source, self.revision]

    @property
    def spec(self) -> ModelSpec:
        return ModelSpec("encoder", Location(self.location).resolve(self.source), self.revision, self.files)


def find_base(key: str) -> Base:
    """The encoder of that name or in that folder, ready to be trained from.

    NoBase says what there is, or what to fetch; ModelError if a folder holds no weights.
    """
    base = (_packaged(key) or _registered(key) or _in_folder(key)) if key.isprintable() else None
    if base is None:
        keys = sorted({model.key for model in _encoders()} | set(_masked().values_list("key", flat=True)))
        raise NoBase(f"There is no encoder {key!r}. Available: {', '.join(keys)}; or give a folder.")
    return base


def bases_here() -> list[tuple[str, str]]:
    """Key and name of every encoder that is in place or registered, in the order of a choice: the default one first."""
    pairs = [(model.key, model.name) for model in _encoders() if _is_in_place(model)]
    packaged = {model.key for model in _encoders()}
    pairs += _masked().filter(dtype="float32").exclude(key__in=packaged).values_list("key", "name")
    return sorted(pairs, key=lambda pair: (pair[0] != DEFAULT_BASE, pair[1]))


def _is_in_place(model: Packaged) -> bool:
    try:
        return in_place(model, settings.MODELS_DIR) is not None
    except FetchError:
        # Its record is damaged. Asked for by name, it is refused with what to do.
        return False


def _encoders() -> list[Packaged]:
    return [model for model in PACKAGED if model.family in ENCODERS]


def _masked() -> QuerySet[LanguageModel]:
    return LanguageModel.objects.filter(family=LanguageModel.Family.MASKED, is_imported=False)


def _packaged(key: str) -> Base | None:
    model = next((model for model in _encoders() if model.key == key), None)
    if model is None:
        return None
    try:
        files = in_place(model, settings.MODELS_DIR)
    except FetchError as error:
        raise NoBase(str(error)) from error
    if files is None:
        raise NoBase(f"{key} is not installed: run manage.py fetch_models --only {key} first.")
    return Base(key, model.name, Location.MODELS, key, model.requirement, deciding(files), model.license)


def _registered(key: str) -> Base | None:
    row = _masked().filter(key=key).first()
    if row is None:
        return None
    if row.dtype != "float32":
        raise NoBase(f"{row.name} is stored as {row.dtype}, but classifiers are trained from float32 weights.")
    return Base(row.key, row.name, row.location, row.source, row.revision, row.files, row.license)


def _in_folder(name: str) -> Base | None:
    try:
        folder = Path(name).expanduser().resolve()
        is_there = folder.is_dir()
    except (RuntimeError, OSError):
        # ~somebody who is not known here, links in a circle, a name that is too long.
        return None
    if not is_there:
        return None
    if not (folder / "config.json").is_file():
        raise NoBase(f"{folder} has no config.json, so it is not a model folder.")
    files = file_hashes(folder)
    # Another machine may train from it.
    offer(folder, files)
    return Base(slugify(folder.name) or "encoder", folder.name, Location.PATH, str(folder), "", files, "")
