"""manage.py score_defaults: queue the runs that studies ask for."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from scoring.models import Run
from scoring.runs.fitting import CannotRun, defaults_for
from scoring.runs.starting import start_runs
from work.queue import QueueSilent, silence

PATIENCE_SECONDS = 3.0


class Command(BaseCommand):
    help = (
        "Queue each study's own metrics on every model that has them, and the baselines. Does not wait. "
        "Exit codes: 0 queued, 1 a run cannot be queued or no worker, 2 wrong arguments."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("studies", nargs="*", metavar="STUDY", help="slugs of studies")
        parser.add_argument("--all", action="store_true", help="all studies")
        parser.add_argument(
            "--unattended", action="store_true", help="do not check for a running worker; one may start later"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        runs, silent = self._start_all(_studies(options["studies"], every=options["all"]))
        if silent:
            raise CommandError(f"Not queued: {len(silent)} of {len(silent) + len(runs)} runs. {silent[0]}")
        if any(run.is_live for run in runs) and not options["unattended"]:
            message = silence("The runs are stored and continue", timeout=PATIENCE_SECONDS, limit=1)
            if message:
                raise CommandError(message)

    def _start_all(self, studies: Iterable[Study]) -> tuple[list[Run], list[QueueSilent]]:
        """The runs that are on the queue, and what was said of those that are stored and not on it."""
        runs: list[Run] = []
        silent: list[QueueSilent] = []
        for study in studies:
            try:
                defaults = defaults_for(study)
                started = start_runs(study, defaults)
            except CannotRun as error:
                raise CommandError(str(error)) from None
            runs += started.runs
            silent += started.silent
            self.stdout.write(f"{study.slug}: {len(defaults)} runs")
        return runs, silent


def _studies(slugs: list[str], *, every: bool) -> Iterable[Study]:
    if bool(slugs) == every:
        raise CommandError("Name studies or give --all.", returncode=2)
    studies = Study.objects.all() if every else Study.objects.filter(slug__in=slugs)
    unknown = set(slugs) - {study.slug for study in studies}
    if unknown:
        raise CommandError(f"There is no study {', '.join(sorted(unknown))}.", returncode=2)
    return studies
