"""manage.py build_study CONSTRUCTION …: make a study's items from raw material, such as a text corpus."""

import os
from argparse import ArgumentParser
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from django.conf import settings

from corpus.arguments import whole
from corpus.workplace import Workplace
from researcher.construction_figures import write_figures
from researcher.management.study_command import StudyCommand
from stimuli.making.contract import BuiltStudy
from stimuli.making.from_options import constructed
from stimuli.making.options import CONSTRUCTION, declare
from stimuli.making.registry import BUILDERS, builder
from stimuli.making.study_folder import refuse_what_is_not_ours


class Command(StudyCommand):
    help = (
        "Build a study folder (study.toml, items.jsonl, manifest.json) from raw material and load it. A stopped "
        "build resumes when you start it again with the same options. The same sources, options and seed give the "
        "same bytes."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        constructions = parser.add_subparsers(
            dest="construction", required=True, metavar="CONSTRUCTION", help="what to make"
        )
        for key in BUILDERS:
            chosen = builder(key)
            options = constructions.add_parser(key, help=chosen.help, description=chosen.help)
            declare(options, CONSTRUCTION, key)
            self.add_placing_arguments(options)
            options.add_argument(
                "--processes", type=whole(1), default=os.cpu_count() or 1, metavar="N", help="default: one per core"
            )
            options.add_argument(
                "--figures",
                type=Path,
                metavar="DIR",
                help="also write statistics of the build as tables (.csv) and figures (.svg)",
            )
            options.add_argument("--afresh", action="store_true", help="discard what this build has finished so far")

    def besides(self, made: Sequence[BuiltStudy], options: dict[str, Any]) -> Iterator[str]:
        if options["figures"]:
            yield from write_figures(options["figures"], made)

    def make_studies(self, options: dict[str, Any]) -> list[BuiltStudy]:
        # Here, because it loads spaCy, which a command that only shows its help does not need.
        from scoring.corpus_passes.asking import shared_passes

        if options["out"]:
            # Before the work, which may take long, and not only after it.
            refuse_what_is_not_ours(options["out"])
        workplace = Workplace(
            settings.VAR_DIR / "builds" / options["construction"],
            options["processes"],
            options["seed"],
            afresh=options["afresh"],
            models=settings.VAR_DIR / "models",
            shared=shared_passes(),
        )
        return constructed(options["construction"], options, workplace)
