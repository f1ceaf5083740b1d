"""manage.py study_from STUDY: another study of the same items, of a random part of them or without their context."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import CommandError

from annotation.drafting.rows import read_rows
from annotation.management.arguments import named
from annotation.models import Study
from annotation.studyfile import tables_of
from researcher.management.study_command import StudyCommand
from stimuli.making.contract import MadeStudy
from stimuli.making.options import declare_study

VERSION = "1"


class Command(StudyCommand):
    help = (
        "Make a study of the items of one that is loaded: a random part of them (--sample N --seed S), or all with "
        "nothing around the words in question (--without-context), or both. Ids, references and attributes stay, so "
        "that the two can be set side by side item by item; no label is taken over. Who may take part in both is for "
        "the new study to say (excludes in study.toml)."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", help="the slug of the study that the items are of")
        parser.add_argument("--seed", type=int, default=0, help="what --sample draws follows from it (0)")
        declare_study(parser)
        self.add_placing_arguments(parser)

    def make_studies(self, options: dict[str, Any]) -> list[MadeStudy]:
        study = named(options["study"])
        if not (options["sample"] or options["without_context"]):
            raise CommandError("Say --sample N, --without-context or both.", returncode=2)
        if options["slug"] == study.slug:
            raise CommandError(f"{study.slug} is the study that the items are of; choose another --slug.", returncode=2)
        return [_taken(study)]


def _taken(study: Study) -> MadeStudy:
    """All of its items and what its study.toml declares; gold is weighed as it was fixed."""
    return MadeStudy(
        settings=tables_of(study),
        rows=read_rows(study),
        manifest={
            "made_by": "study_from",
            "version": VERSION,
            "task": {study.task_type: study.task_version},
            "from": {"study": study.slug, "content": study.content_hash},
        },
    )
