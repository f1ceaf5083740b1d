"""What decides a training, beside its text. The standard library only."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any

from corpus.arguments import number, whole
from training.shared.settings import setting


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Gulordava et al. 2018 trained 2 layers of 650 on 80 million words; these are for a tenth of that.

    `cutoffs` part the vocabulary by frequency: words behind the first are computed where one of them is to be predicted
    (Grave et al. 2017). `every` is 0 for once in so many steps as the text has batches, from 50 to 1000. Without
    `steps` or `minutes` it ends where the held-out text says.
    """

    layers: int = setting("LSTM layers", whole(1), 2)
    size: int = setting("size of each layer and of the word vectors", whole(1), 400)
    dropout: float = setting("dropout rate", number(least=0, below=1), 0.3)
    cutoffs: tuple[int, ...] = setting(
        "frequency cutoffs of the adaptive softmax, rising; none: no cutoffs", whole(1), (2000, 10_000)
    )
    batch: int = setting("words per step", whole(1), 2048)
    rate: float = setting("learning rate of AdamW", number(above=0, below=10), 0.002)
    decay: float = setting("weight decay", number(least=0, below=10), 0.01)
    clip: float = setting("gradient clipping", number(above=0, below=1e6), 1.0)
    warmup: int = setting("warm-up steps", whole(0), 100)
    epochs: int = setting("maximum passes over the text", whole(1), 40)
    steps: int = setting("train for exactly this many steps; 0: stop by held-out loss", whole(0), 0)
    minutes: float = setting(
        "stop after this many minutes, cool-down included; 0: no limit", number(least=0, below=1e6), 0.0
    )
    every: int = setting("steps between evaluations on held-out text; 0: by text size", whole(0), 0)
    patience: int = setting("evaluations without improvement before cool-down", whole(1), 4)
    seed: int = setting("seed for initial weights, text order and dropout", whole(0), 1)
    device: str = setting("device", str, "cpu", choices=("cpu", "cuda"))
    threads: int = setting("torch threads on the CPU; 0: torch's default", whole(0), 0)

    def as_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


def settings_of(options: Mapping[str, Any]) -> Settings:
    """Of parsed options. ValueError, with a sentence, where they do not fit each other."""
    settings = Settings(
        **{one.name: options[one.name] for one in fields(Settings)} | {"cutoffs": tuple(options["cutoffs"])}
    )
    if any(one >= other for one, other in pairwise(settings.cutoffs)):
        raise ValueError("--cutoffs must rise.")
    if settings.steps and settings.minutes:
        raise ValueError("Give either --steps or --minutes, not both.")
    return settings
