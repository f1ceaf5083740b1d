"""What import_study and build_study share: the options of a study, and how one that was made is put in place."""

from abc import ABC, abstractmethod
from argparse import ArgumentParser
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.label_import import ImportRefused
from annotation.loading import LoadRefused
from annotation.management.owning import add_owner, not_owned, owner_of
from corpus.arguments import slug, title, whole
from corpus.errors import BuildError, SourceError
from researcher.making import put_in_place
from stimuli.making.alone import without_context
from stimuli.making.contract import MadeStudy
from stimuli.making.joined import Join, declaring, joined
from stimuli.making.sampling import sampled
from stimuli.making.study_folder import FolderRefused


class StudyCommand(BaseCommand, ABC):
    """A command that ends in study folders, loaded unless told not to."""

    def add_study_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--slug", type=slug, default="", help="the study's name in addresses")
        parser.add_argument("--title", type=title, default="", help="the study's title")
        parser.add_argument("--out", type=Path, metavar="DIR", help="default: studies/SLUG under PARALLAX_VAR")
        parser.add_argument(
            "--sample",
            type=whole(1),
            metavar="N",
            help="a random sample of N items, by --seed; the same items in every study that has these ids",
        )
        parser.add_argument(
            "--without-context",
            action="store_true",
            help="the same items with nothing around the words in question: noun and adjective, the question, the "
            "neutral sentence",
        )
        _add_joining(parser)
        add_owner(parser)
        parser.add_argument("--no-load", action="store_true", help="write the folder and stop there")

    @abstractmethod
    def made(self, options: dict[str, Any]) -> Sequence[MadeStudy]:
        """The studies that were asked for."""

    def handle(self, *args: Any, **options: Any) -> None:
        owner = owner_of(options)
        try:
            made = [_joined(study, options) for study in self.made(options)]
            presented, load = _presented(made, options), not options["no_load"]
            placed = put_in_place(presented, out=options["out"], load=load, owner=owner)
        except (SourceError, BuildError, FolderRefused, LoadRefused, ImportRefused) as error:
            raise CommandError(str(error)) from None
        for one in placed:
            for line in one.lines():
                self.stdout.write(line)
            if one.loaded is not None and (said := not_owned(one.loaded.study, owner)):
                self.stdout.write(said)


def _add_joining(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--join",
        type=Path,
        action="append",
        default=[],
        metavar="FILE",
        help="a CSV or TSV of further attributes, a row a value of --on; may be repeated, each with its --on",
    )
    parser.add_argument(
        "--on",
        action="append",
        default=[],
        metavar="ATTRIBUTE[=COLUMN]",
        help="the attribute that --join has a row for each value of, and its column there, if not the same",
    )
    parser.add_argument(
        "--columns",
        action="append",
        default=[],
        metavar="NAMES",
        help="of a --join without a first line that names them: a,b,c; of several in turn, '' for one that has it",
    )
    parser.add_argument(
        "--join-skip-incomplete",
        action="store_true",
        help="leave out rows of --join with more or fewer cells than there are columns, and list them",
    )
    parser.add_argument(
        "--numbers", default="", metavar="NAMES", help="attributes that results are to take as numbers: a,b"
    )


def _presented(studies: Sequence[MadeStudy], options: dict[str, Any]) -> list[MadeStudy]:
    """A part of the items, or all without context, where that was asked for; one study under the names asked for."""
    asked = {name: options[name] for name in ("slug", "title") if options.get(name) and len(studies) == 1}
    return [replace(one, settings=one.settings | asked) for one in map(partial(_as_asked, options), studies)]


def _as_asked(options: dict[str, Any], study: MadeStudy) -> MadeStudy:
    if options.get("sample"):
        _refuse_more_than_there_is(options, study)
        study = sampled(study, options["sample"], seed=options["seed"])
    return without_context(study) if options.get("without_context") else study


def _refuse_more_than_there_is(options: dict[str, Any], study: MadeStudy) -> None:
    """Of a whole file a large sample is all of it; of what --limit leaves, the two ask for different numbers."""
    targets, limit = sum(row.kind == "target" for row in study.rows), options.get("limit")
    if limit and options["sample"] > targets:
        raise CommandError(
            f"--sample {options['sample']} with --limit {limit}: the limit leaves {targets} to draw "
            f"from in {study.slug}. Ask for {targets} at most, or leave one of the two out.",
            returncode=2,
        )


def _joined(study: MadeStudy, options: dict[str, Any]) -> MadeStudy:
    tables, ons, columns = options["join"], options["on"], options["columns"]
    if len(tables) != len(ons) or len(columns) not in (0, len(tables)):
        raise CommandError(
            "Each --join needs one --on; and --columns, where it is given, is there once for each.", returncode=2
        )
    numbers = [name.strip() for name in options["numbers"].split(",") if name.strip()]
    study = replace(study, settings=declaring(study.settings, numbers))
    for table, on, names in zip(tables, ons, columns or [""] * len(tables), strict=True):
        name, _, column = on.partition("=")
        heads = tuple(head.strip() for head in names.split(",")) if names else ()
        join = Join(table, name, column or name, heads, skips_incomplete=options["join_skip_incomplete"])
        study = joined(study, join)
    return study
