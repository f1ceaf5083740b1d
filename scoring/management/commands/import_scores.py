"""manage.py import_scores STUDY FILE: scores that were computed elsewhere become a run."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.models import Study
from scoring.imported.lines import ScoreFileError, header_of
from scoring.imported.reading import DELIMITERS, Reading, ReadingError, read_pairs, reading
from scoring.imported.storing import ImportRefused, NamesRefused, Stated, find_imported, import_scores, remove_run
from scoring.models import LanguageModel

REASONS_SHOWN = 10


class Command(BaseCommand):
    help = (
        "Take scores that were computed elsewhere into a study: a CSV or TSV file of item and score, label, or a "
        "number for each option. They become a finished run that stands beside the others. A file with any fault is "
        "refused with all of them, by line and column. Importing it again changes nothing but the --source. Exit "
        "codes: 0 imported or there already, 1 the file is refused or cannot be read, 2 the arguments do not fit."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument("file", type=Path, nargs="?", metavar="FILE", help="the score file")
        parser.add_argument("--name", required=True, help="the model's name, such as BERT-large")
        parser.add_argument("--metric-name", default="score", help="what was measured, such as sentence-PLL (score)")
        parser.add_argument(
            "--family",
            default=LanguageModel.Family.OTHER.value,
            choices=LanguageModel.Family.values,
            help="the kind of model, as its source says (other)",
        )
        parser.add_argument(
            "--source",
            default="",
            metavar="TEXT",
            help="where the scores are from; kept with them, and required unless you --remove",
        )
        parser.add_argument("--remove", action="store_true", help="delete the imported run of that name and metric")
        _add_reading(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        slug = options["study"]
        study = Study.objects.filter(slug=slug).first() if slug.isprintable() else None
        if study is None:
            known = ", ".join(Study.objects.values_list("slug", flat=True)) or "none"
            raise CommandError(f"There is no study {slug!r}. There are: {known}.", returncode=2)
        try:
            if options["remove"]:
                self._remove(study, options)
            else:
                self._import(study, options)
        except (ReadingError, NamesRefused) as error:
            raise CommandError(str(error), returncode=2) from None
        except (ScoreFileError, ImportRefused) as error:
            raise CommandError(str(error)) from None

    def _remove(self, study: Study, options: dict[str, Any]) -> None:
        run = find_imported(study, options["name"], options["metric_name"])
        name = str(run)
        self.stdout.write(f"{study.slug}: {name} is removed, with {remove_run(run)} scores")

    def _import(self, study: Study, options: dict[str, Any]) -> None:
        file: Path | None = options["file"]
        if file is None:
            raise CommandError("Name the score file, or give --remove.", returncode=2)
        try:
            data = file.read_bytes()
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        stated = Stated(options["name"], options["metric_name"], options["source"], options["family"])
        done = import_scores(study, data, name=file.name, stated=stated, reading=_reading(options, data))
        self.stdout.write(f"{study.slug}: {done}")
        for reason, count in done.reasons[:REASONS_SHOWN]:
            self.stdout.write(f"  unscored, {count}: {reason}")
        if len(done.reasons) > REASONS_SHOWN:
            self.stdout.write(f"  … and {len(done.reasons) - REASONS_SHOWN} more reasons")
        if options["by"] == "text":
            self.stdout.write("  compared by text; white space, and a final period with space before it, do not count")


def _add_reading(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--by",
        default="id",
        choices=("id", "text"),
        help="a line is about the item with that id, or about a whole sentence of the items (id)",
    )
    parser.add_argument(
        "--map",
        action="append",
        default=[],
        metavar="WHAT=COLUMN",
        help="which column says what, by name or number from 1: item (or text), score, label, logprob, prob; for each "
        "option score.ROLE, logprob.ROLE, prob.ROLE, rank.ROLE; an id may be put together: item={adverb}-{idx}",
    )
    parser.add_argument("--column", metavar="N|NAME", help="the column of the score; the same as --map score=N|NAME")
    parser.add_argument("--no-header", action="store_true", help="the first line is data, and columns go by number")
    parser.add_argument("--delimiter", default="comma", choices=sorted(DELIMITERS), help="what parts cells (comma)")
    parser.add_argument("--lower-is-better", action="store_true", help="the score is a surprisal or another cost")
    parser.add_argument("--ranks-from", type=int, default=1, choices=(0, 1), help="the best rank in the file (1)")
    parser.add_argument(
        "--skip-unknown", action="store_true", help="leave out, and count, lines that belong to no item of the study"
    )


def _reading(options: dict[str, Any], data: bytes) -> Reading:
    pairs = read_pairs(options["map"])
    if options["column"] is not None:
        pairs += read_pairs([f"score={options['column']}"])
    return reading(
        pairs,
        by=options["by"],
        delimiter=DELIMITERS[options["delimiter"]],
        header=not options["no_header"],
        lower_is_better=options["lower_is_better"],
        ranks_from=options["ranks_from"],
        skip_unknown=options["skip_unknown"],
        names=header_of(data, delimiter=DELIMITERS[options["delimiter"]]),
    )
