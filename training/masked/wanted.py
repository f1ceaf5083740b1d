"""What one run was asked for, and what of it decides the weights, so that a folder is never gone on with by another."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.provenance import sha256
from corpus.texts import corpus_files
from scoring.library.artefact import TOKENIZER, WEIGHTS
from training.masked.settings import Settings


class CannotTrain(ValueError):
    """What was asked for does not fit what is there. str() says what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One run: text, encoder (a folder), where to work, and when to end (`steps` or `minutes`, one of them)."""

    sources: tuple[Path, ...]
    encoder: Path
    out: Path
    settings: Settings
    steps: int | None = None
    # With `steps`: where the cool-down begins, as the record of a run says that the clock ended.
    cools_from: int | None = None
    minutes: float | None = None
    field: str = ""
    device: str = "cpu"
    save_minutes: float = 5.0
    judge_minutes: float = 10.0


def identity(wanted: Wanted) -> dict[str, Any]:
    """All that decides the weights, but for when the run ends. CannotTrain if there is no encoder."""
    missing = [name for name in (WEIGHTS, TOKENIZER) if not (wanted.encoder / name).is_file()]
    if missing:
        raise CannotTrain(f"{wanted.encoder} holds no {' and no '.join(missing)}, so it is no encoder's folder")
    files = [path for path, _ in corpus_files(wanted.sources, form=None)]
    return {
        "settings": wanted.settings.as_json(),
        "sources": [{"folder": path.parent.name, "name": path.name, "sha256": sha256(path)} for path in files],
        "field": wanted.field,
        "encoder_sha256": sha256(wanted.encoder / WEIGHTS),
        "tokenizer_sha256": sha256(wanted.encoder / TOKENIZER),
    }


def require_same(there: dict[str, Any], asked: dict[str, Any], folder: Path) -> None:
    differing = [name for name in asked if there.get(name) != asked[name]]
    if differing:
        raise CannotTrain(f"{folder} holds another run: {', '.join(differing)} differ. Give another --out.")
