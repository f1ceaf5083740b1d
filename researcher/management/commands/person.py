"""manage.py person SLUG --id ID: everything that a study holds about one person, to a file, or erased."""

import json
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.core.serializers.json import DjangoJSONEncoder

from annotation.audit.acts import taken_out
from annotation.management.arguments import named
from annotation.models import Annotator, Study
from annotation.privacy import CannotErase, erase, everything_about, find_person


class Command(BaseCommand):
    help = "Export or erase what a study stores about one person, by platform ID or annotator number (a17)."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the study")
        parser.add_argument(
            "--id", required=True, help="the platform ID, even if erased, or the annotator number, such as a17"
        )
        do = parser.add_mutually_exclusive_group(required=True)
        do.add_argument("--export", type=Path, metavar="FILE", help="write everything about them as JSON")
        do.add_argument(
            "--erase", action="store_true", help="erase IDs, visits, device and questionnaire answers for good"
        )
        parser.add_argument(
            "--labels", action="store_true", help="with --erase: also their labels; the items need labels again"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        study = named(options["slug"], returncode=1)
        annotator = find_person(study, options["id"]) or _by_number(study, options["id"])
        if annotator is None:
            raise CommandError(f"No one has taken part in {study.slug} with the ID {options['id']!r}.")
        name = study.annotator_numbers.name_of(annotator.pk)
        if options["export"]:
            text = json.dumps(everything_about(study, annotator), cls=DjangoJSONEncoder, ensure_ascii=False, indent=2)
            try:
                options["export"].write_text(text + "\n", encoding="utf-8")
            except OSError as error:
                raise CommandError(f"{options['export']} cannot be written: {error.strerror}.") from None
            taken_out(study, f"data of {name}")
            self.stdout.write(f"Everything about {name} is in {options['export']}.")
            return
        try:
            done = erase(study, annotator, labels=options["labels"])
        except CannotErase as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{name}: {done.sittings} submissions made anonymous, {done.labels} labels erased.")


def _by_number(study: Study, given: str) -> Annotator | None:
    number = given.removeprefix("a")
    if not (given.startswith("a") and number.isascii() and number.isdigit() and len(number) < 10):
        return None
    return Annotator.objects.filter(numbers__study=study, numbers__number=int(number)).first()
