"""manage.py simulate_annotators STUDY: let synthetic annotators answer, or take them away again."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from tqdm import tqdm

from annotation.behavior import PROFILES
from annotation.management.arguments import named
from annotation.models import Study
from annotation.simulation import CannotSimulate, Simulated, remove_synthetic, simulate

# Of the other profiles none.
DEFAULTS = {"careful": 6, "noisy": 2, "careless": 1}


class Command(BaseCommand):
    help = (
        "Fill an open study with labels from synthetic annotators, who answer through the same pages as people and "
        "stay marked as synthetic. People cannot take part until you remove them with --remove."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        for profile in PROFILES:
            parser.add_argument(
                f"--{profile}",
                type=int,
                default=DEFAULTS.get(profile, 0),
                metavar="N",
                help=f"number of {profile} annotators",
            )
        parser.add_argument("--seed", type=int, default=1, metavar="N", help="the same seed gives the same labels")
        either = parser.add_mutually_exclusive_group()
        either.add_argument("--until-full", action="store_true", help="add annotators until the study is complete")
        either.add_argument("--remove", action="store_true", help="remove all synthetic annotators and labels")

    def handle(self, *args: Any, **options: Any) -> None:
        study = named(options["study"], returncode=1)
        try:
            if options["remove"]:
                removed = remove_synthetic(study)
                self.stdout.write(
                    f"{study.slug}: {removed.annotators} synthetic annotators and {removed.labels} labels removed"
                )
                return
            self._report(study, self._simulate(study, options))
        except CannotSimulate as error:
            raise CommandError(str(error)) from None

    def _simulate(self, study: Study, options: dict[str, Any]) -> Simulated:
        # disable=None: no bar where nobody watches.
        with tqdm(desc=study.slug, unit="label", disable=None) as bar:

            def progress(valid: int, target: int) -> None:
                bar.total = target
                bar.n = valid
                bar.refresh()

            return simulate(
                study,
                counts={profile: options[profile] for profile in PROFILES},
                seed=options["seed"],
                until_full=options["until_full"],
                progress=progress,
            )

    def _report(self, study: Study, done: Simulated) -> None:
        self.stdout.write(
            f"{study.slug}: {len(done.annotators)} synthetic annotators gave {done.labels} labels; "
            f"{done.valid} of {done.target} valid labels on targets"
        )
        for name in done.excluded:
            self.stdout.write(f"  excluded: {name} ({done.annotators[name]})")
