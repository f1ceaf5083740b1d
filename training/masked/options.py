"""The command line of a training, the same for `manage.py train_masked_lm` and `python -m training.masked`."""

import os
from argparse import ArgumentParser
from collections.abc import Callable, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

from corpus.arguments import FILES
from training.masked.settings import NUMBERS, CannotTrain, Settings, Wanted
from training.shared.schedule import stopped_by_signal
from training.shared.settings import add_setting_arguments

HELP = (
    "Adapt the packaged encoder as a masked language model on plain text, and write the changes as one file of at "
    "most 12 MB, with the composed model and a record of the run. The same command resumes an interrupted run; a "
    "finished one is not repeated. Exit codes: 0 finished, 1 a file or the encoder cannot be used or the loss is "
    "not a number, 2 wrong arguments, 130 stopped (the state is saved)."
)
STOPPED = 130
ENDS = ("steps", "minutes")
MORE = ("cools_from", "field", "device", "save_minutes", "judge_minutes")


def add_arguments(parser: ArgumentParser, *, encoder: Path | None) -> None:
    """All options; without a default `encoder` its folder has to be given."""
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help=FILES)
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="working and output folder")
    parser.add_argument(
        "--encoder", type=Path, default=encoder, required=encoder is None, metavar="FOLDER",
        help="a BERT encoder with its tokenizer (default: the packaged minilm-l6)",
    )  # fmt: skip
    ends = parser.add_mutually_exclusive_group(required=True)
    add_setting_arguments(ends, Wanted, names=ENDS)
    add_setting_arguments(parser, Settings)
    add_setting_arguments(parser, Wanted, names=MORE)
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1, metavar="N", help="of the CPU (all)")
    # Told apart from one that was asked for.
    parser.set_defaults(numbers=None)


def run(options: Mapping[str, Any], *, say: Callable[[str], None], complain: Callable[[str], None]) -> int:
    """What the command line asks for; the exit code."""
    values = {one.name: options[one.name] for one in fields(Settings)}
    values["numbers"] = values["numbers"] or NUMBERS[options["device"] == "cuda"]
    more = {name: options[name] for name in ("encoder", "out", *ENDS, *MORE)}
    try:
        params = Wanted(sources=tuple(options["files"]), settings=Settings(**values), **more)
    except ValueError as error:
        complain(str(error))
        return 2
    faults = params.faults()
    if options["threads"] < 1:
        faults.append("--threads must be above 0.")
    if faults:
        complain(" ".join(faults))
        return 2
    return _train(params, options["threads"], say=say, complain=complain)


def _train(params: Wanted, threads: int, *, say: Callable[[str], None], complain: Callable[[str], None]) -> int:
    # Imported here: a command that only shows its help needs no torch.
    import torch
    from safetensors import SafetensorError

    from corpus.errors import SourceError
    from scoring.library.artefact import ArtefactError
    from scoring.library.locks import FolderInUse
    from scoring.scorers.contract import ModelError
    from scoring.scorers.networks.onednn import remember_few
    from scoring.scorers.networks.tensor_file import CheckpointError
    from training.masked.training import Diverged, train

    if params.device == "cuda" and not torch.cuda.is_available():
        complain("--device cuda: torch finds no GPU.")
        return 2
    torch.set_num_threads(threads)
    # Batches are of ever new sizes, and memory would grow with each. No slower: the layers ask for the same in turn.
    remember_few()
    try:
        with stopped_by_signal() as is_stopped:
            record = train(params, say=say, is_stopped=is_stopped)
    except (SourceError, CannotTrain, CheckpointError, FolderInUse, ModelError, Diverged, ArtefactError) as error:
        complain(str(error))
        return 1
    except (OSError, SafetensorError) as error:
        # A full disk, a file where a folder should be. What was saved before is there.
        complain(f"{params.out} cannot be written, or a file not read: {error}")
        return 1
    if record is None:
        say("stopped; run the same command to resume")
        return STOPPED
    return 0
