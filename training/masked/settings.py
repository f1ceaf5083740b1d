"""What one run was asked for, and what of it decides the weights, so that a folder is never gone on with by another."""

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from corpus.arguments import number, whole
from corpus.provenance import sha256
from corpus.texts import corpus_files
from scoring.library.artefact import TOKENIZER, WEIGHTS
from training.shared.settings import differing, faults, setting

# What is trained and carried: all but the word embeddings in 8 bits, or everything in 4. Both fit 12 MB (artefact.py).
BITS = {"body": 8, "all": 4}
NUMBERS = ("float32", "bfloat16")
TOKENS, WORDS = "tokens", "words"


class CannotTrain(ValueError):
    """What was asked for does not fit what is there. str() says what."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """Tokens are counted with start and end. What is judged always has 15 % of its tokens hidden."""

    train: str = setting(
        "body: all but the word embeddings, carried in 8 bits; all: everything, in 4 bits",
        str,
        "body",
        choices=tuple(BITS),
    )
    seed: int = setting("seed for order, masks and new weights", whole(0), 1)
    held_out: float = setting("share of lines held out, chosen by hash", number(above=0, below=0.5), 0.01)
    rows: int = setting("maximum row length in tokens", whole(16), 128)
    alone: float = setting(
        "share of lines that form their own row; others are joined with the following lines",
        number(least=0, most=1),
        0.5,
    )
    masked: float = setting("share of tokens masked in training", number(above=0, below=1), 0.15)
    hides: str = setting(
        "tokens: each separately; words: all tokens of a word together", str, TOKENS, choices=(TOKENS, WORDS)
    )
    batch: int = setting("tokens per forward pass, at least one row", whole(16), 2048)
    step: int = setting("tokens per optimizer step, at least one forward pass", whole(16), 8192)
    rate: float = setting("highest learning rate", number(above=0, below=1), 5e-4)
    weight_decay: float = setting("AdamW weight decay for the matrices of layers and head", number(least=0), 0.01)
    warm_up: int = setting("steps steps over which the rate rises", whole(1), 200)
    cool_down: float = setting(
        "final share of steps or minutes in which the rate falls to 0; 1: throughout", number(above=0, most=1), 0.2
    )
    numbers: str = setting("precision of matrix products; bfloat16 on a GPU", str, "float32", choices=NUMBERS)

    def __post_init__(self) -> None:
        problems = faults(self)
        if not self.rows <= self.batch <= self.step:
            problems.append("batch must be at least rows, and step at least batch.")
        if problems:
            raise ValueError(" ".join(problems))


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """One run: text, encoder (a folder), where to work, and when to end (`steps` or `minutes`, one of them)."""

    sources: tuple[Path, ...]
    encoder: Path
    out: Path
    settings: Settings
    steps: int | None = setting("total optimizer steps, including cool-down", whole(1), None)
    minutes: float | None = setting("total minutes over all sessions, including cool-down", number(above=0), None)
    cools_from: int | None = setting(
        "with --steps: step at which the cool-down starts, to repeat a run that was ended by --minutes (see its "
        "record.json)",
        whole(1),
        None,
    )
    field: str = setting("the JSONL field (text) or the TSV column (1)", str, "")
    device: str = setting("device", str, "cpu", choices=("cpu", "cuda"))
    save_minutes: float = setting("steps between checkpoints", number(above=0), 5.0)
    judge_minutes: float = setting("steps between evaluations", number(above=0), 10.0)

    def faults(self) -> list[str]:
        problems = faults(self)
        if self.cools_from is not None and self.cools_from >= (self.steps or 0):
            problems.append("--cools-from must be below --steps.")
        return problems


def identity(params: Wanted) -> dict[str, Any]:
    """All that decides the weights, but for when the run ends. CannotTrain if there is no encoder."""
    missing = [name for name in (WEIGHTS, TOKENIZER) if not (params.encoder / name).is_file()]
    if missing:
        raise CannotTrain(f"{params.encoder} has no {' and no '.join(missing)}, so it is not an encoder folder")
    files = [path for path, _ in corpus_files(params.sources, form=None)]
    return {
        "settings": asdict(params.settings),
        "sources": [{"folder": path.parent.name, "name": path.name, "sha256": sha256(path)} for path in files],
        "field": params.field,
        "encoder_sha256": sha256(params.encoder / WEIGHTS),
        "tokenizer_sha256": sha256(params.encoder / TOKENIZER),
    }


def require_same(existing: dict[str, Any], requested: dict[str, Any], folder: Path) -> None:
    """CannotTrain if the folder is another run's."""
    if difference := differing(existing, requested):
        raise CannotTrain(f"{folder} contains another run: {difference}. Give another --out.")
