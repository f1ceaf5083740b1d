"""manage.py train_lstm KEY FILE…: a small LSTM language model of one's own text."""

import sys
from argparse import ArgumentParser
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.core.management.base import CommandError
from tqdm import tqdm

from annotation.management.arguments import TellingCommand
from corpus.arguments import FILES, add_reading_arguments, is_slug
from corpus.errors import BuildError, SourceError
from scoring.library.registering import CannotRegister
from training.lstm.preparing import Reading
from training.lstm.settings import Settings, settings_of
from training.shared.settings import add_setting_arguments

if TYPE_CHECKING:
    from training.lstm.training import Training

# Of the options those that say how the text is read.
READING = ("vocabulary", "least", "heldout")
LONGEST_KEY = 60


class Command(TellingCommand):
    help = (
        "Train an LSTM language model on text files and register it as the baseline KEY, scored by the metric lstm. "
        "If it is interrupted, run it again with the same arguments to resume from the last checkpoint. Exit codes: "
        "0 trained or already there, 1 the text or the training cannot be used, 2 wrong arguments, 130 interrupted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "key", metavar="KEY", help="its name in commands such as score --model: a-z, 0-9, single hyphens"
        )
        parser.add_argument("files", type=Path, nargs="*", metavar="FILE", help=FILES)
        add_reading_arguments(parser)
        add_setting_arguments(parser, Reading)
        parser.add_argument("--name", default="", help="name in tables and figures (default: made from the key)")
        parser.add_argument(
            "--license", default="", metavar="TEXT", help="license, stored with the model (default: none)"
        )
        parser.add_argument("--afresh", action="store_true", help="discard an unfinished training")
        parser.add_argument(
            "--prepare-only",
            action="store_true",
            help="only prepare the text for python -m training.lstm",
        )
        parser.add_argument(
            "--trained",
            type=Path,
            metavar="FOLDER",
            help="register a model trained by python -m training.lstm, without FILE",
        )
        add_setting_arguments(parser, Settings)

    def handle(self, *args: Any, **options: Any) -> None:
        self._require_sense(options)
        # Imported here: they load torch, which a command that only shows its help does not need.
        from scoring.library.locks import FolderInUse
        from scoring.scorers.lstm_model.folder import FolderError
        from scoring.scorers.networks.tensor_file import CheckpointError
        from training.lstm.training import Interrupted, TrainingError

        try:
            if options["trained"]:
                self._take(options)
            else:
                self._train(options)
        except CannotRegister as error:
            raise CommandError(str(error), returncode=2) from None
        except (
            SourceError, BuildError, CheckpointError, FolderError, FolderInUse, TrainingError, OSError
        ) as error:  # fmt: skip
            raise CommandError(str(error)) from None
        except (Interrupted, KeyboardInterrupt):
            self.stderr.write("Stopped; run the same command to resume.")
            sys.exit(130)

    def _require_sense(self, options: dict[str, Any]) -> None:
        if not is_slug(options["key"], longest=LONGEST_KEY):
            raise CommandError(
                f"{options['key']!r} is not a valid key: use lower-case letters, digits and single hyphens, at most "
                f"{LONGEST_KEY}.",
                returncode=2,
            )
        if bool(options["files"]) == bool(options["trained"]):
            raise CommandError("Give either FILEs to train on or --trained FOLDER.", returncode=2)
        try:
            settings_of(options)
        except ValueError as error:
            raise CommandError(str(error), returncode=2) from None

    def _take(self, options: dict[str, Any]) -> None:
        from training.lstm.installing import take_trained

        self._report(*take_trained(options["trained"], **{name: options[name] for name in ("key", "name", "license")}))

    def _train(self, options: dict[str, Any]) -> None:
        from training.lstm.installing import Wanted, prepare_text, train_model

        reading = {name: options[name] for name in ("field", *READING)}
        params = Wanted(
            key=options["key"],
            sources=options["files"],
            reading=Reading(form=options["format"], **reading),
            settings=settings_of(options),
            name=options["name"],
            license=options["license"],
        )
        if options["prepare_only"]:
            folder = prepare_text(params, afresh=options["afresh"], say=self.say)
            self.say(f"prepared in {folder}")
            return
        with closing(_Bar()) as bar:
            row, is_new = train_model(params, afresh=options["afresh"], say=self.say, on_step=bar.on_step)
        self._report(row, is_new)

    def _report(self, row: Any, is_new: bool) -> None:  # noqa: FBT001 as train_model returns it
        from scoring.scorers.lstm_model.folder import read_card

        card = read_card(Path(row.spec.source))
        heldout, words = card["heldout"], card["counts"]["vocabulary"]
        self.say(f"{card['steps']:,} steps, {card['words_trained_on']:,} words; vocabulary of {words:,} words")
        self.say(
            f"perplexity {heldout['perplexity']:.1f} on {heldout['words']:,} held-out words, "
            f"{heldout['unknown']:,} of them unknown"
        )
        what = "registered" if is_new else "already there, nothing changed"
        self.say(f"{row.key}: {row.name}, {row.file_hash[:12]}…: {what}")


class _Bar:
    """Steps done, of those there will be once that is known; the losses beside it."""

    def __init__(self) -> None:
        self._bar: Any = None

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()

    def on_step(self, training: "Training") -> None:
        state = training.state
        if self._bar is None:
            # Not before: the text is read first, under a bar of its own.
            self._bar = tqdm(initial=state.step, unit="step", desc="training", mininterval=1, disable=None)
        self._bar.total = state.cooling.end if state.cooling else None
        if state.curve and state.curve[-1]["step"] == state.step:
            last = state.curve[-1]["heldout"]
            self._bar.set_postfix_str(f"held out {last:.3f}, best {state.best:.3f}", refresh=False)
        self._bar.update(state.step - self._bar.n)
