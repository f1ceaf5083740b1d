"""manage.py study_from STUDY: another study of the same items, of a random part of them or without their context."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.drafting.rows import read_rows
from annotation.management.arguments import named
from annotation.models import Study
from annotation.studyfile import tables_of
from researcher.management.study_command import StudyCommand
from stimuli.making.contract import BuiltStudy
from stimuli.making.options import declare_study

VERSION = "1"


class Command(StudyCommand):
    help = (
        "Make a study from another study's items: a random sample (--sample N --seed S), the target words without "
        "their context (--without-context), or both. IDs, references and attributes are kept, so the two studies "
        "can be compared item by item. No labels are copied. To block people who took part in the other study, use "
        "excludes in study.toml."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="slug of the study with the items")
        parser.add_argument("--seed", type=int, default=0, help="seed of --sample (0)")
        declare_study(parser)
        self.add_placing_arguments(parser)

    def make_studies(self, options: dict[str, Any]) -> list[BuiltStudy]:
        study = named(options["study"])
        if not (options["sample"] or options["without_context"]):
            raise CommandError("Give --sample N, --without-context or both.", returncode=2)
        if options["slug"] == study.slug:
            raise CommandError(f"{study.slug} is the study the items come from; choose another --slug.", returncode=2)
        return [_taken(study)]


def _taken(study: Study) -> BuiltStudy:
    """All of its items and what its study.toml declares; gold is weighed as it was fixed."""
    return BuiltStudy(
        settings=tables_of(study),
        rows=read_rows(study),
        manifest={
            "made_by": "study_from",
            "version": VERSION,
            "task": {study.task_type: study.task_version},
            "from": {"study": study.slug, "content": study.content_hash},
        },
    )
