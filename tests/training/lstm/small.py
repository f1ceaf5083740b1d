"""Small text and small models: a grammar of a few words, and a network that has learned some of it in a second."""

import random
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from scoring.scorers.lstm_model.folder import read_model
from tests.settings import SHARED_FOLDER
from training.lstm.finishing import train
from training.lstm.preparing import Prepared, Reading, prepare
from training.lstm.settings import Settings

NOUNS = ("dog", "cat", "horse", "farmer", "baker", "child", "lamp", "door", "river", "song")
VERBS = ("chased", "fed", "saw", "opened", "heard", "found")
# So that the contract's sentences are known: the task types' examples and the contract's own.
KNOWN = (
    "The soup was very cold.",
    "The soup was not cold.",
    "A key opens doors.",
    "A false key opens doors.",
    "The chef tasted the soup.",
    "The chef tasted the stone.",
    "The lighthouse was built in 1871 and still guides ships into the bay. Is the lighthouse still in use? Yes.",
    "The lighthouse was built in 1871 and still guides ships into the bay. Is the lighthouse still in use? No.",
    "A long sentence about nothing in particular.",
    "Short one.",
)
# Parts of the vocabulary at 8 and 20, so that a small one has three.
SMALL = Settings(
    layers=2, size=12, dropout=0.2, cutoffs=(8, 20), batch=64, rate=0.01, warmup=5, steps=40, every=10, threads=1
)


def text(*, lines: int = 200, seed: int = 1) -> str:
    """Lines of the grammar, some of two sentences, and those of KNOWN twice."""
    rng = random.Random(seed)

    def sentence() -> str:
        return f"The {rng.choice(NOUNS)} {rng.choice(VERBS)} the {rng.choice(NOUNS)}."

    made = [" ".join(sentence() for _ in range(rng.choice((1, 1, 2)))) for _ in range(lines)]
    return "\n".join([*KNOWN, *made, *KNOWN]) + "\n"


def prepared(folder: Path, *, heldout: float = 0.1, written: str | None = None, **reading: Any) -> Prepared:
    """Prepared text in `folder`/prepared, from a file beside it."""
    folder.mkdir(parents=True, exist_ok=True)
    source = folder / "corpus.txt"
    source.write_text(text() if written is None else written, encoding="utf-8")
    return prepare([source], Reading(heldout=heldout, **reading), folder / "prepared", say=lambda line: None)


def trained(made: Prepared, settings: Settings, *, work: Path, out: Path) -> dict[str, Any]:
    """Train without a word; the card."""
    work.mkdir(parents=True, exist_ok=True)
    return train(made, settings, work=work, out=out, on_step=lambda training: None, must_stop=lambda: False)


@cache
def small_model() -> tuple[Path, str]:
    """A finished folder that knows all words of KNOWN, made once a process; and the hash of its weights."""
    folder = Path(tempfile.mkdtemp(prefix="lstm-", dir=SHARED_FOLDER))
    # Next to nothing held out, so that none of the contract's words is.
    trained(prepared(folder, heldout=0.03), SMALL, work=folder / "work", out=folder / "model")
    return folder / "model", read_model(folder / "model").weights_hash
