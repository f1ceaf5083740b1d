"""The command line of a training, the same for `manage.py train_masked_lm` and `python -m training.masked`."""

import math
import os
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from corpus.options import FILES
from training.masked.settings import BITS, NUMBERS, Settings
from training.masked.wanted import CannotTrain, Wanted
from training.shared.stopping import stopped_by_signal

HELP = (
    "Adapt the packaged encoder as a masked language model on plain text, and write what that changed as one file of "
    "at most 12 MB, beside the composed model and a record of the run. The same command goes on where a stopped or "
    "killed run was; a finished one is not done again. Exit codes: 0 finished, 1 a file or the encoder cannot be used "
    "or the loss is no number any more, 2 the arguments do not fit, 130 stopped (the state is saved)."
)
DEFAULT = Settings()
# By the name of the option: what it means. Types and defaults are those of Settings.
MEANINGS = {
    "seed": "order, masks and new weights follow from it",
    "held_out": "share of lines, chosen by their hash, that is never trained on",
    "rows": "longest row in tokens",
    "alone": "share of lines that are a row by themselves; others are joined with those that follow",
    "masked": "share of tokens that is hidden in training",
    "batch": "tokens of one forward pass",
    "step": "tokens of one optimizer step",
    "rate": "highest learning rate",
    "weight_decay": "of AdamW, for the matrices of the layers and the head",
    "warm_up": "steps in which the rate rises",
    "cool_down": "last share of all steps, or minutes, in which the rate falls to 0; 1: all along",
}
STOPPED = 130
# Options that a run is told as they are.
ASKED = ("encoder", "out", "steps", "cools_from", "minutes", "field", "device", "save_minutes", "judge_minutes")


def add_arguments(parser: ArgumentParser, *, encoder: Path | None) -> None:
    """All options; without a default `encoder` its folder has to be given."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=FILES)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the run works and ends")
    parser.add_argument(
        "--encoder", type=Path, default=encoder, required=encoder is None, metavar="FOLDER",
        help="a BERT encoder with its tokenizer (the packaged minilm-l6)",
    )  # fmt: skip
    ends = parser.add_mutually_exclusive_group(required=True)
    ends.add_argument("--steps", type=int, metavar="N", help="optimizer steps in all, the cool-down among them")
    ends.add_argument(
        "--minutes", type=float, metavar="M", help="of the clock, over all sittings, the cool-down among them"
    )
    parser.add_argument(
        "--cools-from", type=int, metavar="N",
        help="with --steps: where the cool-down begins, to repeat a run that the clock ended (its record.json)",
    )  # fmt: skip
    parser.add_argument("--field", default="", metavar="NAME", help="the JSONL field (text) or the TSV column (1)")
    parser.add_argument(
        "--train", choices=tuple(BITS), default=DEFAULT.train,
        help=f"body: all but the word embeddings, carried in 8 bits; all: everything, in 4 bits ({DEFAULT.train})",
    )  # fmt: skip
    for name, meaning in MEANINGS.items():
        default = getattr(DEFAULT, name)
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, type=type(default), default=default, metavar="N", help=f"{meaning} ({default})")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu", help="where it computes (cpu)")
    parser.add_argument(
        "--numbers", choices=NUMBERS, help="of the matrix products (float32 on the CPU, bfloat16 on a GPU)"
    )
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="N", help="of the CPU (all)")
    parser.add_argument("--save-minutes", type=float, default=5.0, metavar="M", help="between two states on disk (5)")
    parser.add_argument("--judge-minutes", type=float, default=10.0, metavar="M", help="between two judgments (10)")


def run(options: Mapping[str, Any], *, say: Callable[[str], None], complain: Callable[[str], None]) -> int:
    """What the command line asks for; the exit code."""
    try:
        settings = Settings(
            train=options["train"],
            numbers=options["numbers"] or NUMBERS[options["device"] == "cuda"],
            **{name: options[name] for name in MEANINGS},
        )
    except ValueError as error:
        complain(f"{error}.")
        return 2
    fault = _fault(options)
    if fault:
        complain(fault)
        return 2
    return _train(options, settings, say=say, complain=complain)


def _fault(options: Mapping[str, Any]) -> str:
    ends = options["minutes"] if options["steps"] is None else options["steps"]
    if not 0 < ends < math.inf or options["threads"] < 1:
        return "--steps, --minutes and --threads must be above 0, and numbers."
    if options["cools_from"] is not None and not 0 < options["cools_from"] < (options["steps"] or 0):
        return "--cools-from must be above 0 and below --steps."
    if not options["save_minutes"] > 0 or not options["judge_minutes"] > 0:
        return "--save-minutes and --judge-minutes must be above 0."
    return ""


def _train(
    options: Mapping[str, Any], settings: Settings, *, say: Callable[[str], None], complain: Callable[[str], None]
) -> int:
    # Imported here: a command that only shows its help needs no torch.
    import torch
    from safetensors import SafetensorError

    from corpus.errors import SourceError
    from scoring.library.artefact import ArtefactError
    from scoring.library.locks import FolderInUse
    from scoring.scorers import ModelError
    from scoring.scorers.networks.remembered import remember_few
    from scoring.scorers.networks.tensor_file import CheckpointError
    from training.masked.training import Diverged, train

    if options["device"] == "cuda" and not torch.cuda.is_available():
        complain("--device cuda: there is no GPU that torch can use.")
        return 2
    torch.set_num_threads(options["threads"])
    # Batches are of ever new sizes, and memory would grow with each. No slower: the layers ask for the same in turn.
    remember_few()
    wanted = Wanted(sources=tuple(options["files"]), settings=settings, **{name: options[name] for name in ASKED})
    try:
        with stopped_by_signal() as is_stopped:
            record = train(wanted, say=say, is_stopped=is_stopped)
    except (SourceError, CannotTrain, CheckpointError, FolderInUse, ModelError, Diverged, ArtefactError) as error:
        complain(str(error))
        return 1
    except (OSError, SafetensorError) as error:
        # A full disk, a file where a folder should be. What was saved before is there.
        complain(f"{options['out']} cannot be written, or a file not read: {error}")
        return 1
    if record is None:
        say("stopped; the same command goes on from here")
        return STOPPED
    return 0
