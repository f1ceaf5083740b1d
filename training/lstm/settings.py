"""What decides a training, beside its text, and the options that say it. No library beside the standard one."""

from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from itertools import pairwise
from typing import Any

from corpus.arguments import number, whole

DEVICES = ("cpu", "cuda")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """Gulordava et al. 2018 trained 2 layers of 650 on 80 million words; these are for a tenth of that.

    `batch` is in words. `cutoffs` part the vocabulary by frequency: words behind the first are computed where one of
    them is to be predicted (Grave et al. 2017). `every` is 0 for once in so many steps as the text has batches, from 50
    to 1000; `threads` is 0 for torch's own choice. Without `steps` or `minutes` it ends where the held-out text says.
    """

    layers: int = 2
    size: int = 400
    dropout: float = 0.3
    cutoffs: tuple[int, ...] = (2000, 10_000)
    batch: int = 2048
    rate: float = 0.002
    decay: float = 0.01
    clip: float = 1.0
    warmup: int = 100
    epochs: int = 40
    steps: int = 0
    minutes: float = 0.0
    every: int = 0
    patience: int = 4
    seed: int = 1
    device: str = "cpu"
    threads: int = 0

    def as_json(self) -> dict[str, Any]:
        return {name: list(value) if isinstance(value, tuple) else value for name, value in asdict(self).items()}


# By field: how it is read, and what it means.
OPTIONS: dict[str, tuple[Callable[[str], Any], str]] = {
    "layers": (whole(1), "layers of LSTM"),
    "size": (whole(1), "size of each layer and of the word vectors"),
    "dropout": (number(least=0, below=1), "share of units left out at random in training"),
    "batch": (whole(1), "words to a step"),
    "rate": (number(least=1e-9, below=10), "learning rate of AdamW"),
    "decay": (number(least=0, below=10), "weight decay"),
    "clip": (number(least=1e-6, below=1e6), "longest gradient"),
    "warmup": (whole(0), "steps until the learning rate is reached"),
    "epochs": (whole(1), "passes over the text at most"),
    "steps": (whole(0), "train for exactly so many steps; 0: until the held-out text says"),
    "minutes": (number(least=0, below=1e6), "stop after so many minutes, cooled down; 0: no limit"),
    "every": (whole(0), "steps between looks at the held-out text; 0: by the size of the text"),
    "patience": (whole(1), "looks without gain before it cools down and ends"),
    "seed": (whole(0), "beginning weights, order of the text, and dropout follow from it"),
    "threads": (whole(0), "threads of torch on the CPU; 0: torch's own choice"),
}


def add_settings_arguments(parser: ArgumentParser) -> None:
    defaults = Settings()
    for name, (read, meaning) in OPTIONS.items():
        default = getattr(defaults, name)
        parser.add_argument(f"--{name}", type=read, default=default, metavar="N", help=f"{meaning} ({default})")
    parser.add_argument(
        "--cutoffs",
        type=whole(1),
        nargs="*",
        default=list(defaults.cutoffs),
        metavar="N",
        help="where the vocabulary is parted by frequency, rising; none: not at all (2000 10000)",
    )
    parser.add_argument("--device", choices=DEVICES, default=defaults.device, help="where to compute (cpu)")


def settings_of(options: Mapping[str, Any]) -> Settings:
    """Of parsed options. ValueError, with a sentence, where they do not fit each other."""
    told = {field.name: options[field.name] for field in fields(Settings)}
    told["cutoffs"] = tuple(told["cutoffs"])
    if any(one >= other for one, other in pairwise(told["cutoffs"])):
        raise ValueError("--cutoffs must rise.")
    if told["steps"] and told["minutes"]:
        raise ValueError("Give --steps or --minutes, not both: each says when to stop.")
    return Settings(**told)
