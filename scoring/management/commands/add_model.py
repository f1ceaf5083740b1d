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
        "Register your own language model: a folder with config.json, a tokenizer and weights, or a hub ID. Weights "
        "in pytorch_model.bin are converted to safetensors once. The model is loaded and scores a test sentence "
        "before it is registered. Adding it again changes nothing. Exit codes: 0 registered or already there, 1 the "
        "model cannot be used, 2 wrong arguments."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("key", metavar="KEY", help="name in commands: letters, digits, - and _")
        parser.add_argument("--source", required=True, metavar="FOLDER|ID", help="a local folder or a hub ID")
        parser.add_argument(
            "--family",
            required=True,
            choices=("masked", "causal"),
            help="type: masked (fill-in) or causal (left to right)",
        )
        parser.add_argument("--name", default="", help="name in tables and figures (default: last part of the source)")
        parser.add_argument(
            "--revision",
            default="",
            metavar="COMMIT|BRANCH",
            help="revision of a hub model; a branch is resolved to its commit (default: main)",
        )
        parser.add_argument(
            "--dtype",
            default=DTYPES[0],
            choices=DTYPES,
            help="precision (default: float32); others are faster and less exact; int8: CPU only",
        )
        parser.add_argument(
            "--start-token", default="", metavar="T", help="token before each text; required for a causal model"
        )
        parser.add_argument(
            "--try-sentence",
            default="",
            metavar="TEXT",
            help="test sentence (default: English, or words of the model's vocabulary)",
        )
        parser.add_argument("--license", default="", metavar="TEXT", help="license (default: none)")

    def handle(self, *args: Any, **options: Any) -> None:
        params = Wanted(**{name: options[name] for name in ARGUMENTS})
        try:
            registered = register(params)
        except CannotRegister as error:
            raise CommandError(str(error), returncode=2) from None
        except ModelError as error:
            raise CommandError(f"Not registered: {error}.") from None
        row = registered.row
        digest = row.file_hash or row.revision
        what = "registered" if registered.is_new else "already there, nothing changed"
        self.stdout.write(f"{row.key}: {row.name}, {row.family}, {row.dtype}, {digest[:12]}…: {what}")
        for remark in registered.remarks:
            self.stdout.write(f"{row.key}: {remark}")
