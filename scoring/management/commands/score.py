"""manage.py score STUDY --model M --metric X …: start runs and wait for them."""

import sys
import time
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.models import Study
from scoring.library.installation import baselines_of
from scoring.models import LanguageModel, Run
from scoring.runs.expected import ahead, waits_for
from scoring.runs.fitting import CannotRun, find_model
from scoring.runs.starting import start_run
from scoring.runs.taking import waits_of
from work.queue import QueueSilent, silence

POLL_SECONDS = 0.5
# How long nothing may move before the workers are asked whether they are there.
PATIENCE_SECONDS = 10.0


class Command(BaseCommand):
    help = (
        "Score a study's targets with a model, or with all baselines of a counted store, and wait with a progress bar. "
        "The runs continue if you interrupt it. Exit codes: 0 finished, 1 failed or no worker, 2 wrong arguments, "
        "130 interrupted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("--model", metavar="M", help="the model's key, such as smollm2-135m")
        parser.add_argument(
            "--metric", nargs="+", metavar="X", help="such as cloze, pll, causal, label; one run for each"
        )
        parser.add_argument(
            "--store",
            metavar="KEY",
            help="instead of both: every baseline of this store of count_corpus, each with its own metric",
        )
        where = Run._meta.get_field("device")
        parser.add_argument("--device", choices=Run.Device.values, default="", help=str(where.help_text))
        parser.add_argument("--no-wait", action="store_true", help="start the run and return")

    def handle(self, *args: Any, **options: Any) -> None:
        study = Study.objects.filter(slug=options["study"]).first()
        if study is None:
            slugs = ", ".join(Study.objects.values_list("slug", flat=True)) or "none; run manage.py load_study"
            raise CommandError(f"There is no study {options['study']!r}. Available: {slugs}.", returncode=2)
        try:
            runs = [start_run(study, model, metric, device=options["device"]) for model, metric in _wanted(options)]
        except QueueSilent as error:
            raise CommandError(str(error)) from None
        except CannotRun as error:
            raise CommandError(str(error), returncode=2) from None
        for run in runs:
            if options["no_wait"]:
                self.stdout.write(f"{run}: {run.state}, {run.done} of {run.total} items done")
                continue
            try:
                self._wait(run)
            except KeyboardInterrupt:
                self.stderr.write("\nThe run goes on without this command; call it again to watch.")
                sys.exit(130)
            self._report(run)

    def _wait(self, run: Run) -> None:
        moved, said_of, last_waits = time.monotonic(), 0, ""
        with tqdm(total=run.total, initial=run.done, unit="item", desc=str(run)) as bar:
            while run.is_live:
                if (before := ahead(run)) not in (0, said_of):
                    said_of = before
                    with bar.external_write_mode():
                        self.stderr.write(f"{run} {waits_for(before)}.")
                time.sleep(POLL_SECONDS)
                run.refresh_from_db()
                if run.done > bar.n:
                    bar.update(run.done - bar.n)
                    moved = time.monotonic()
                elif time.monotonic() - moved > PATIENCE_SECONDS:
                    moved = time.monotonic()
                    if message := silence("The run is stored and continues", timeout=3.0):
                        raise CommandError(f"{message} Run this command again to watch.")
                    if (waits := waits_of([run]).get(run.pk, "")) not in ("", last_waits):
                        last_waits = waits
                        with bar.external_write_mode():
                            self.stderr.write(waits)

    def _report(self, run: Run) -> None:
        if run.state == Run.State.FINISHED:
            self.stdout.write(f"{run}: {run.scored} scored, {run.unscored} unscored, of {run.total}")
            return
        raise CommandError(f"{run}: {run.state}. {run.error}".rstrip())


def _wanted(options: dict[str, Any]) -> list[tuple[LanguageModel, str]]:
    """Models with their metrics; CannotRun where there is no such model or store."""
    model, metrics, store = options["model"], options["metric"], options["store"]
    if store and not (model or metrics):
        models = baselines_of(store)
        if not models:
            raise CannotRun(f"There is no store {store!r} with baselines. Create one with manage.py count_corpus.")
        return [(one, one.method) for one in models]
    if store or not (model and metrics):
        raise CannotRun("Name a --model and its --metric, or a --store.")
    return [(find_model(model), metric) for metric in metrics]
