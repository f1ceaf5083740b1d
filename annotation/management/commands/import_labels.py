"""manage.py import_labels STUDY FILE: labels that people gave elsewhere."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.elsewhere.label_import import ImportRefused, import_labels
from annotation.elsewhere.labelfile import LabelFileError
from annotation.elsewhere.lines import ReadOptions
from annotation.management.arguments import named
from corpus.arguments import add_several
from corpus.formats.reading import Records, read_foreign
from corpus.formats.registry import TABLE, formats_for
from corpus.formats.source import FormatFault, of_path
from corpus.tables.columns import MAP, NAMING, MapError, mapped, meanings_of
from corpus.tables.encodings import ENCODINGS
from corpus.tables.registry import names


class Command(BaseCommand):
    help = (
        f"Import labels that people gave elsewhere. FILE is a table ({names()}) with the columns "
        "item, annotator, label and optionally seconds and repeat (several labels by one annotator on one item, "
        "numbered from 1; the first counts), or with one column per annotator. It can also be the output of another "
        "tool (--format, docs/formats.md). "
        "If any line has an error, nothing is imported and every error is listed by line. "
        "Importing the file again changes nothing."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("file", type=Path, metavar="FILE", help="the label file")
        parser.add_argument("--source", default="", metavar="TEXT", help="source of the labels, stored with them")
        add_several(
            parser,
            "--map",
            MAP,
            f"which column is item, annotator, label, seconds or repeat, if named differently. {NAMING}",
        )
        add_several(
            parser,
            "--labels",
            "WORDS=LABEL",
            "other spellings of labels in the file: good=yes bad=no; leave the right side empty for no label: unsure=",
        )
        parser.add_argument(
            "--skip-incomplete",
            action="store_true",
            help="leave out lines without an item, annotator or label, and list them",
        )
        parser.add_argument(
            "--skip-unknown", action="store_true", help="leave out lines of items that the study does not have"
        )
        parser.add_argument(
            "--as-imported",
            action="store_true",
            help="collect no labels beyond imported ones: the study is then complete ([collection] as_imported)",
        )
        _add_format(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        study = named(options["study"], returncode=1)
        if len(options["source"]) > 500:
            raise CommandError("--source is longer than 500 characters.")
        try:
            how = ReadOptions(
                columns=mapped(options["map"]),
                only=mapped(options["only"]),
                people=options["people"],
                skip_incomplete=options["skip_incomplete"],
                skip_unknown=options["skip_unknown"],
                meanings=meanings_of(options["labels"]),
                foreign=self._foreign(options),
                sheet=options["sheet"],
                encoding=options["encoding"] or "",
            )
            as_imported = options["as_imported"]
            done = import_labels(study, options["file"], how, note=options["source"], as_imported=as_imported)
        except LabelFileError as error:
            remedy = error.remedy("--skip-incomplete")
            raise CommandError("\n".join(filter(None, (str(error), remedy)))) from None
        except (ImportRefused, MapError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{study.slug}: {done}")
        for remark in done.remarks:
            self.stdout.write(f"  {remark}")

    def _foreign(self, options: dict[str, Any]) -> Records | None:
        """What is read of another tool's file, named or seen; None for a table. LabelFileError with every fault."""
        path, only = options["file"], mapped(options["only"])
        asked, is_mapped = options["format"] or "", bool(options["map"])
        try:
            foreign = read_foreign(of_path(path), "labels", asked=asked, is_mapped=is_mapped, only=only)
        except FormatFault as fault:
            raise LabelFileError(path, fault.faults) from None
        if foreign is None:
            return None
        if not options["format"]:
            self.stdout.write(f"{path.name}: read as {foreign.tool}’s; --format {TABLE} reads a table")
        if foreign.left_out:
            self.stdout.write(f"{path.name}: {foreign.left_out} records left out by --only")
        return foreign


def _add_format(parser: ArgumentParser) -> None:
    """What is said of a file's form."""
    parser.add_argument(
        "--format",
        choices=sorted([*formats_for("labels"), TABLE]),
        help="the tool that wrote the file, if it is not detected; table: always read as a table",
    )
    add_several(
        parser, "--people", "COLUMN", "columns of a table that each hold one annotator's labels, if not detected"
    )
    parser.add_argument("--sheet", default="", metavar="NAME", help="sheet of an Excel file (default: the first)")
    parser.add_argument("--encoding", choices=sorted(ENCODINGS), help="of a text table, if it is not detected")
    add_several(
        parser, "--only", "COLUMN=TEXT", "only records with this value: result.sure=5, AssignmentStatus=Approved"
    )
