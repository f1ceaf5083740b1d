"""manage.py score_defaults: queue the runs that studies ask for."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from scoring.running import CannotRun, QueueSilent, defaults_for, start_run


class Command(BaseCommand):
    help = "Queue, for each study, its own metrics on every model that has them, and the baselines. Does not wait."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("studies", nargs="*", metavar="STUDY", help="slugs of studies")
        parser.add_argument("--all", action="store_true", help="every study there is")

    def handle(self, *args: Any, **options: Any) -> None:
        slugs: list[str] = options["studies"]
        if bool(slugs) == options["all"]:
            raise CommandError("Name studies, or give --all.", returncode=2)
        studies = Study.objects.all() if options["all"] else Study.objects.filter(slug__in=slugs)
        unknown = set(slugs) - {study.slug for study in studies}
        if unknown:
            raise CommandError(f"There is no study {', '.join(sorted(unknown))}.", returncode=2)
        for study in studies:
            try:
                wanted = defaults_for(study)
                for choice in wanted:
                    self._start(study, *choice)
            except CannotRun as error:
                raise CommandError(str(error)) from None
            self.stdout.write(f"{study.slug}: {len(wanted)} runs")

    def _start(self, study: Study, *choice: Any) -> None:
        try:
            start_run(study, *choice)
        except QueueSilent as error:
            # Before the worker is up this is to be expected; the run waits in the database.
            self.stderr.write(str(error))
