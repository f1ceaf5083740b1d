"""manage.py whatif STUDY: what another quality policy would do to the answers that are there."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.arguments import named
from annotation.quality.policy import LIMITS
from annotation.quality.sentences import rules
from comparison.frame.cache.gathered import read_one
from researcher.what_if import PolicyForm, Standing, WhatIf, what_if


class Command(BaseCommand):
    help = (
        "Try other exclusion rules on a study's answers: whom they would exclude, how many labels would stop "
        "counting, and how agreement would change. Nothing is saved."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        for name, limit in LIMITS.items():
            parser.add_argument(
                f"--{name.replace('_', '-')}", metavar="N", help=f"{limit.label}; default: the study's own"
            )

    def handle(self, *args: Any, **options: Any) -> None:
        study = named(options["study"], returncode=1)
        form = PolicyForm({name: options[name] for name in LIMITS if options[name] is not None}, study=study)
        if not form.is_valid():
            faults = [f"{LIMITS[name].label}: {' '.join(map(str, said))}" for name, said in form.errors.items()]
            raise CommandError("; ".join(faults))
        for line in [*rules(form.policy(), study), *_lines(what_if(study, form.policy(), read_one(study)))]:
            self.stdout.write(line)


def _lines(found: WhatIf) -> list[str]:
    changing = len(found.changing)
    people = [f"  {one.name} {one.change}: {one.then or one.now}" for one in found.people]
    return [
        f"The status of {changing} annotator{'' if changing == 1 else 's'} would change:",
        *people,
        f"{found.stopping:,} labels would stop counting, {found.returning:,} would count again.",
        f"now:  {_standing(found.before)}",
        f"then: {_standing(found.after)}",
    ]


def _standing(found: Standing) -> str:
    return (
        f"{found.labels:,} labels count; {found.below:,} items lack {found.missing:,}; "
        f"Krippendorff's α {found.alpha}; percent agreement {found.percent}"
    )
