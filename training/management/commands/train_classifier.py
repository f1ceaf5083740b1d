"""manage.py train_classifier STUDY… --recipe R: fine-tune an encoder as a classifier, once or over a grid."""

import sys
from argparse import ArgumentParser
from dataclasses import fields, replace
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from scoring.scorers.contract import ModelError
from scoring.scorers.recipes import RECIPES, recipe
from training.classifier.bases import DEFAULT_BASE, NoBase, find_base
from training.classifier.collecting import CannotCollect, find_studies
from training.classifier.examples import CannotSplit
from training.classifier.settings import (
    AXES,
    DEFAULTS,
    GRIDS,
    REFERENCE,
    TAUGHT_BY,
    Settings,
    grid_points,
    trained_once,
)
from training.classifier.starting import CannotTrain, Prepared, prepare_grid, start_grid
from training.classifier.watching import NobodyTrains, report, train_here, watch
from training.models import Training
from training.shared.settings import add_setting_arguments
from training.shared.settings import faults as faults_of
from work.queue import QueueSilent, send


class Command(BaseCommand):
    help = (
        "Train a classifier on the references or majority labels of one or more studies, as a job of the queue "
        "training, and wait with a progress bar. Several values of an option, or --grid, make a grid: the best by "
        "held-out accuracy is kept. The same request returns the existing training or resumes it. Training "
        "continues if you interrupt the command. Exit codes: 0 all finished, 1 one failed or was stopped, or no "
        "worker, 2 wrong arguments, 130 interrupted."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("studies", nargs="+", metavar="STUDY", help="slugs of the studies to train on")
        parser.add_argument(
            "--recipe", required=True, choices=RECIPES, help="which texts of an item the classifier reads"
        )
        parser.add_argument("--base", default=DEFAULT_BASE, metavar="KEY|FOLDER", help=f"base encoder ({DEFAULT_BASE})")
        parser.add_argument(
            "--labels",
            choices=TAUGHT_BY,
            default=REFERENCE,
            help=(
                "labels to learn: references, or majority labels (given at least twice and more often than any "
                f"other; items without one are left out and counted); default: {REFERENCE}"
            ),
        )
        parser.add_argument(
            "--apart-from",
            nargs="+",
            default=[],
            metavar="STUDY",
            help="leave out items whose texts are in these studies",
        )
        parser.add_argument(
            "--grid",
            choices=GRIDS,
            help="the published grid; options override its values or the recipe's",
        )
        add_setting_arguments(parser, Settings, several=AXES, with_defaults=False)
        parser.add_argument("--no-wait", action="store_true", help="start without waiting")
        parser.add_argument("--here", action="store_true", help="train in this process, without queue and worker")

    def handle(self, *args: Any, **options: Any) -> None:
        trainings = self._started(options)
        try:
            if options["here"]:
                train_here(trainings)
            else:
                self._sent(trainings)
                if options["no_wait"]:
                    self._listed(trainings)
                    return
            # What another process has is waited for.
            if any(training.is_live for training in trainings):
                watch(trainings)
        except NobodyTrains as error:
            raise CommandError(str(error)) from None
        except KeyboardInterrupt:
            self.stderr.write("\nRun the same command to resume from the last saved state, or to watch a worker.")
            sys.exit(130)
        self._listed(trainings)
        ended = [training for training in trainings if training.state != Training.State.FINISHED]
        if ended:
            raise CommandError(f"{len(ended)} of {len(trainings)} trainings did not finish.")

    def _started(self, options: dict[str, Any]) -> list[Training]:
        try:
            points = self._points(options)
            grid = prepare_grid(
                find_base(options["base"]),
                recipe(options["recipe"]),
                find_studies(options["studies"]),
                taught_by=options["labels"],
                apart_from=find_studies(options["apart_from"]),
                points=points,
            )
            for prepared, those in grid:
                self._say_items(prepared, without=those[0].without if len(grid) > 1 else None)
            return start_grid(grid)
        except (CannotTrain, CannotCollect, CannotSplit, NoBase) as error:
            raise CommandError(str(error), returncode=2) from None
        except ModelError as error:
            raise CommandError(f"The encoder cannot be used: {error}.") from None

    def _points(self, options: dict[str, Any]) -> list[Settings]:
        """The settings to train with; CannotTrain before anything is read if they are none."""
        single = {one.name: options[one.name] for one in fields(Settings) if one.name not in AXES}
        values = {name: value for name, value in single.items() if value is not None}
        base = replace(DEFAULTS[options["recipe"]], **values)
        axes = dict(GRIDS[options["grid"]]) if options["grid"] else {}
        axes |= {name: options[name] for name in AXES if options[name]}
        every = grid_points(base, axes)
        faults = list(dict.fromkeys(fault for point in every for fault in faults_of(point)))
        if faults:
            raise CannotTrain(" ".join(faults))
        points, shared = trained_once(every)
        if shared:
            self.stdout.write(
                f"{shared} of {len(every)} grid points are the first epochs of longer ones and are not trained twice."
            )
        return points

    def _say_items(self, prepared: Prepared, *, without: str | None) -> None:
        split = prepared.split
        if without is not None:
            self.stdout.write(f"without {without}:")
        for slug in prepared.synthetic:
            self.stdout.write(f"the labels of {slug} are synthetic, not from people")
        self.stdout.write(
            f"{len(split.train)} training items, {len(split.held_out)} held out to choose the best epoch (the most "
            f"common label is right on {split.majority_share:.2%} of them)"
        )
        for reason, count in split.left_out.items():
            self.stdout.write(f"left out, {count}: {reason}")

    def _sent(self, trainings: list[Training]) -> None:
        try:
            send(training for training in trainings if training.is_live)
        except QueueSilent as error:
            raise CommandError(str(error)) from None

    def _listed(self, trainings: list[Training]) -> None:
        for line in report(trainings):
            self.stdout.write(line)
