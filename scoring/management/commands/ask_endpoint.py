"""manage.py ask_endpoint [MODEL …]: one test question to the models behind the endpoint."""

from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from scoring.library.trials import hear
from scoring.scorers.contract import ModelError
from scoring.scorers.endpoint.trial import Heard, in_seconds, words


class Command(BaseCommand):
    help = (
        "Ask models behind PROMPT_ENDPOINT one test question, and print answer, time and tokens, or why there is no "
        "answer. Exit codes: 0 all answered, 1 one did not, 2 there is no such model or no endpoint."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("models", nargs="*", metavar="MODEL", help="as PROMPT_ENDPOINT_MODELS names it (all)")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(words())
        failed = 0
        for model in options["models"] or settings.PROMPT_ENDPOINT_MODELS or [""]:
            try:
                reply = hear(model)
            except ModelError as error:
                raise CommandError(f"Not asked: {error}.", returncode=2) from None
            self.stdout.write(f"{model}: {in_words(reply)}")
            failed += bool(reply.failure)
        if failed:
            raise CommandError(f"{failed} of the models did not answer.")


def in_words(reply: Heard) -> str:
    if reply.failure:
        return reply.failure
    counts = (reply.read, reply.written)
    tokens = "tokens not told" if None in counts else f"{counts[0]} + {counts[1]} tokens"
    return f"{reply.answer!r} in {in_seconds(reply.milliseconds)}, {tokens}. {reply.remark}"
