"""python -m training.lstm PREPARED --out FOLDER: train from prepared text, on a machine without Parallax's database.

`manage.py train_lstm KEY FILES… --prepare-only` writes PREPARED; `manage.py train_lstm KEY --trained FOLDER` takes
what comes of it.
"""

import argparse
import sys
from pathlib import Path

from scoring.library.locks import FolderInUse, exclusive_folder
from scoring.scorers.lstm_model.folder import FolderError
from scoring.scorers.networks.tensor_file import CheckpointError
from training.lstm.finishing import train
from training.lstm.preparing import PreparedError, read_prepared
from training.lstm.settings import Settings, settings_of
from training.lstm.training import Interrupted, Training, TrainingError
from training.shared.checkpoint import CHECKPOINT
from training.shared.schedule import stopped_by_signal
from training.shared.settings import add_setting_arguments

EVERY = 20.0


def line(training: Training) -> str:
    """Step, pass, losses in nats a word, and speed."""
    state = training.state
    end = f" of {state.cooling.end:,}" if state.cooling else ""
    passes = state.tokens / len(training.prepared.training.tokens)
    parts = [f"step {state.step:,}{end}", f"pass {passes:.2f}"]
    if state.counted:
        parts.append(f"loss {state.nats / state.counted:.3f}")
    if state.curve:
        parts.append(f"held out {state.curve[-1]['heldout']:.3f} (best {state.best:.3f})")
    return ", ".join([*parts, f"{state.tokens / max(state.seconds, 1e-9):,.0f} words/s"])


def main() -> int:
    """Exit codes: 0 trained, 1 it cannot be, 2 the arguments do not fit, 130 interrupted (called again, it goes on)."""
    parser = argparse.ArgumentParser(prog="python -m training.lstm", description=__doc__)
    parser.add_argument("prepared", type=Path, metavar="PREPARED", help="a folder of prepared text")
    parser.add_argument("--out", type=Path, required=True, metavar="FOLDER", help="where the finished model goes")
    parser.add_argument("--work", type=Path, metavar="FOLDER", help="where its state is kept (PREPARED)")
    parser.add_argument("--afresh", action="store_true", help="discard an unfinished training")
    add_setting_arguments(parser, Settings)
    options = parser.parse_args()
    try:
        settings = settings_of(vars(options))
    except ValueError as error:
        parser.error(str(error))
    work = options.work or options.prepared
    report = _Lines()
    try:
        if options.out.exists():
            raise FolderError(f"{options.out} already exists")
        prepared = read_prepared(options.prepared)
        with exclusive_folder(work), stopped_by_signal() as is_stopped:
            if options.afresh:
                (work / CHECKPOINT).unlink(missing_ok=True)
            card = train(prepared, settings, work=work, out=options.out, on_step=report, must_stop=is_stopped)
    except (PreparedError, TrainingError, CheckpointError, FolderError, FolderInUse, OSError) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except Interrupted:
        sys.stderr.write("Stopped; run the same command to resume.\n")
        return 130
    heldout = card["heldout"]
    print(f"{card['steps']} steps, perplexity {heldout['perplexity']:.1f} on {heldout['words']:,} held-out words")
    print(f"written to {options.out}; manage.py train_lstm KEY --trained FOLDER takes it")
    return 0


class _Lines:
    """A line now and then."""

    def __init__(self) -> None:
        self._next = 0.0

    def __call__(self, training: Training) -> None:
        if training.state.seconds >= self._next:
            self._next = training.state.seconds + EVERY
            print(line(training), flush=True)


if __name__ == "__main__":
    sys.exit(main())
