"""manage.py add_model KEY --source FOLDER_OR_HUB_ID --family masked|causal: a language model of one's own."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.library.registering import CannotRegister, Wanted, register
from scoring.scorers.contract import ModelError
from scoring.scorers.networks.weights import DTYPES

ARGUMENTS = ("key", "source", "family", "name", "revision", "dtype", "start_token", "license", "try_sentence")


class Command(BaseCommand):
    help = (
        "Register a language model of your own: a folder with config.json, a tokenizer and weights, or a hub id. "
        "Weights in pytorch_model.bin are converted to safetensors once. It is opened and asked once before it is "
        "written down; adding the same again changes nothing. Exit codes: 0 registered or there already, 1 the model "
        "cannot be used, 2 the arguments do not fit."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", metavar="KEY", help="what score --model will call it: letters, digits, - and _")
        parser.add_argument("--source", required=True, metavar="FOLDER|ID", help="a folder here, or a hub model's id")
        parser.add_argument(
            "--family", required=True, choices=("masked", "causal"), help="how it reads: around a gap, or left to right"
        )
        parser.add_argument("--name", default="", help="as tables and figures show it (the source's last part)")
        parser.add_argument(
            "--revision", default="", metavar="COMMIT|BRANCH", help="of a hub's model; a branch's commit is kept (main)"
        )
        parser.add_argument(
            "--dtype",
            default=DTYPES[0],
            choices=DTYPES,
            help="its numbers (float32); others are faster and less exact, and shown beside the name; int8: CPU only",
        )
        parser.add_argument(
            "--start-token", default="", metavar="T", help="what stands before a text; required for a causal model"
        )
        parser.add_argument(
            "--try-sentence",
            default="",
            metavar="TEXT",
            help="what the model is asked before it is registered (English, else words of its own vocabulary)",
        )
        parser.add_argument("--license", default="", metavar="TEXT", help="kept with the row (none)")

    def handle(self, *args: Any, **options: Any) -> None:
        wanted = Wanted(**{name: options[name] for name in ARGUMENTS})
        try:
            done = register(wanted)
        except CannotRegister as error:
            raise CommandError(str(error), returncode=2) from None
        except ModelError as error:
            raise CommandError(f"Not registered: {error}.") from None
        row = done.row
        kept = row.file_hash or row.revision
        what = "registered" if done.is_new else "already there, nothing changed"
        self.stdout.write(f"{row.key}: {row.name}, {row.family}, {row.dtype}, {kept[:12]}…: {what}")
        for remark in done.remarks:
            self.stdout.write(f"{row.key}: {remark}")
