"""manage.py card_masked_lm RUN FILE… --key KEY: the model card of a finished run, and the folder that is committed."""

import json
import shutil
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import CommandError
from django.utils.text import slugify

from annotation.management.arguments import TellingCommand
from annotation.studyfile import read_study
from corpus.errors import SourceError
from corpus.provenance import sha256
from scoring.library.composed import ARTEFACT, CARD, CARD_TEXT, EMBEDDED, ENCODER
from scoring.library.registering import is_reserved
from scoring.scorers.contract import ModelError
from training.masked.card import card_text
from training.masked.reading import SourceUnclear
from training.masked.settings import CannotTrain

# Below the project's folder.
SAMPLE = Path("stimuli", "samples", "intensifiers")


class Command(TellingCommand):
    help = (
        "Evaluate the composed model of a finished train_masked_lm run and write artefact, card.json and card.md "
        "into a folder KEY, from which fetch_models composes it. FILEs are those of the run; next to each there "
        "must be a SOURCE.txt with CORPUS:, ORIGIN: and LICENSE:. Exit codes: 0 written, 1 the run, a file or a "
        "license does not allow it, 2 wrong arguments."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("run", type=Path, metavar="RUN", help="the --out folder of train_masked_lm")
        parser.add_argument(
            "files", type=Path, nargs="+", metavar="FILE", help="text files of that run, in the same order"
        )
        parser.add_argument("--key", required=True, metavar="KEY", help="its name in commands such as score --model")
        parser.add_argument("--name", required=True, metavar="NAME", help="name in tables and figures")
        parser.add_argument("--field", default="", metavar="NAME", help="as in that run")
        parser.add_argument("--marvin-linzen", type=Path, metavar="FILE", help="simple_agrmt.tsv, also evaluated")
        parser.add_argument(
            "--study", type=Path, default=settings.BASE_DIR / SAMPLE, metavar="FOLDER",
            help="a study with words for a slot, also evaluated (default: the intensifier sample)",
        )  # fmt: skip
        parser.add_argument(
            "--into", type=Path, default=EMBEDDED, metavar="FOLDER", help="folder for KEY (default: the source tree)"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        key = options["key"]
        if not key or key != slugify(key) or len(key) > 80 or is_reserved(key):
            raise CommandError(f"{key!r} is not a valid model key, or is already taken.", returncode=2)
        # Imported here, because it loads torch, which a command that only shows its help does not need.
        from training.masked.card import CardSources, make_card

        values = {name: options[name] for name in ("run", "name", "field", "marvin_linzen")}
        encoder, sources = settings.MODELS_DIR / ENCODER, tuple(options["files"])
        try:
            study = read_study(options["study"])
            inputs = CardSources(sources=sources, encoder=encoder, encoder_key=ENCODER, study=study, **values)
            card = make_card(inputs, say=self.say)
        except (CannotTrain, SourceUnclear, SourceError, ModelError, ValueError, OSError) as error:
            raise CommandError(str(error)) from None
        folder = options["into"] / key
        if (folder / ARTEFACT).exists() and sha256(folder / ARTEFACT) != card["artefact_sha256"]:
            raise CommandError(
                f"{folder} belongs to another model with stored scores: give another --key, or remove the folder if "
                f"no one has scored with it.",
                returncode=2,
            )
        folder.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(options["run"] / ARTEFACT, folder / ARTEFACT)
        text = card_text(card)
        (folder / CARD_TEXT).write_text(text)
        (folder / CARD).write_text(json.dumps(card, indent=2) + "\n")
        self.say(text)
