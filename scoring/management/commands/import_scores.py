"""manage.py import_scores STUDY FILE: scores that were computed elsewhere become runs."""

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from annotation.management.arguments import named
from annotation.models import Study
from corpus.arguments import add_several
from corpus.errors import counted
from corpus.formats.reading import Records
from corpus.formats.registry import FORMATS, TABLE, formats_for
from corpus.tables.columns import MAP, NAMING, MapError, mapped, read_pairs
from corpus.tables.encodings import ENCODINGS
from corpus.tables.opening import How
from corpus.tables.quotes import DELIMITERS
from corpus.tables.registry import names
from scoring.imported.importing import (
    Imported,
    ImportRefused,
    NamesRefused,
    Stated,
    find_imported,
    import_scores,
    remove_run,
)
from scoring.imported.lines import ScoreFileError
from scoring.imported.naming import NAMINGS, NamedRun, open_scores
from scoring.imported.reading import Reading, ScoreOptions
from scoring.imported.several import FileDone, Says, import_files, score_files
from scoring.models import LanguageModel

UNNAMED = "Name the model: --name BERT-large."
REASONS_SHOWN = 10
LINES_SHOWN = 10


class Command(BaseCommand):
    help = (
        f"Import scores computed elsewhere into a study. FILE is a table ({names()}) with an item "
        "and a score, a label, or one number per option; or the output of another tool (--format, docs/formats.md). "
        "It becomes a finished run. In a folder, each file becomes a run. If a file has any problem, nothing of it "
        "is imported and every problem is listed by line and column. Importing it again changes nothing except "
        "--source. Exit codes: 0 imported or already there, 1 a file is refused or cannot be read (others in the "
        "folder "
        "are imported), 2 wrong arguments."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("study", metavar="STUDY", help="the study's slug")
        parser.add_argument(
            "file", type=Path, nargs="?", metavar="FILE", help="the score file, or a folder of score files"
        )
        parser.add_argument(
            "--name", help="name of the model, such as BERT-large (default for a folder: each file's name)"
        )
        parser.add_argument(
            "--metric-name", default="score", help="name of the metric, such as sentence-PLL (default: score)"
        )
        parser.add_argument(
            "--family",
            default=LanguageModel.Family.OTHER.value,
            choices=LanguageModel.Family.values,
            help="family of the model (default: other)",
        )
        parser.add_argument(
            "--source",
            default="",
            metavar="TEXT",
            help="source of the scores, stored with them; required without --remove or --format",
        )
        parser.add_argument("--remove", action="store_true", help="delete the imported run with this name and metric")
        _add_folder(parser)
        _add_reading(parser)

    def handle(self, *args: Any, **options: Any) -> None:
        studies = [named(slug) for slug in (options["study"], *options["also"])]
        several = options["file"] is not None and _is_several(options["file"], options["format"] or "")
        if options["also"] and not several:
            raise CommandError("--also needs a folder.", returncode=2)
        if several and options["remove"]:
            raise CommandError(
                "--remove deletes one run: give its --name and --metric-name, without a file.", returncode=2
            )
        try:
            if options["remove"]:
                self._remove(studies[0], options)
            elif several:
                self._import_several(studies, options)
            else:
                self._import(studies[0], options)
        except (MapError, NamesRefused) as error:
            raise CommandError(str(error), returncode=2) from None
        except (ScoreFileError, ImportRefused) as error:
            raise CommandError(str(error)) from None

    def _remove(self, study: Study, options: dict[str, Any]) -> None:
        if not options["name"]:
            raise CommandError(UNNAMED, returncode=2)
        run = find_imported(study, options["name"], options["metric_name"])
        name = str(run)
        self.stdout.write(f"{study.slug}: {name} removed with {counted(remove_run(run), 'score')}")

    def _import(self, study: Study, options: dict[str, Any]) -> None:
        file: Path | None = options["file"]
        if file is None:
            raise CommandError("Name the score file or give --remove.", returncode=2)
        try:
            read, reading = self._opened(options, file)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        name = options["name"] or (read.says.get("model", "") if isinstance(read, Records) else "")
        if not name:
            raise CommandError(UNNAMED, returncode=2)
        stated = Stated(name, options["metric_name"], options["source"], options["family"])
        imported = import_scores(study, read, name=file.name, stated=stated, reading=reading)
        self.stdout.write(f"{study.slug}: {imported}")
        self._tell_reasons(imported)
        if options["by"] == "text":
            self.stdout.write("  compared by text, ignoring white space and a space before the final period")

    def _opened(self, options: dict[str, Any], path: Path) -> tuple[bytes | Records, Reading]:
        """What is read of a file, and how: as a table, or as another tool wrote it."""
        read, reading = open_scores(path, _score_options(options), format=options["format"] or "")
        if isinstance(read, Records) and read.tool and not options["format"]:
            self.stdout.write(f"{path.name}: read as {read.tool}’s; --format {TABLE} reads a table")
        if isinstance(read, Records) and read.tool and read.left_out:
            self.stdout.write(f"{path.name}: {read.left_out} records left out by --only")
        return read, reading

    def _tell_reasons(self, imported: Imported) -> None:
        for reason, count in imported.reasons[:REASONS_SHOWN]:
            self.stdout.write(f"  unscored, {count}: {reason}")
        if len(imported.reasons) > REASONS_SHOWN:
            self.stdout.write(f"  … and {len(imported.reasons) - REASONS_SHOWN} more reasons")

    def _import_several(self, studies: list[Study], options: dict[str, Any]) -> None:
        folder: Path = options["file"]
        paths = score_files(folder) if folder.is_dir() else [folder]
        if not paths:
            raise CommandError(f"{folder} holds no files.")
        says, note = self._says(options)
        if not note.strip():
            raise CommandError("Give the source of the scores: --source TEXT.", returncode=2)
        outcomes = []
        for one in import_files(studies, paths, says, note=note):
            outcomes.append(one)
            self._tell(one)
        new = sum(one.imported is not None and one.imported.is_new for one in outcomes)
        refused = sum(one.imported is None for one in outcomes)
        summary = (
            f"{len(outcomes)} files: {new} imported, {len(outcomes) - new - refused} already there, {refused} refused"
        )
        if refused:
            raise CommandError(f"{summary}. Nothing was imported from refused files.")
        self.stdout.write(summary)

    def _says(self, options: dict[str, Any]) -> tuple[Says, str]:
        """What each file of a folder is, and where they all are from; MapError where the options say neither."""
        _pairs(options)
        if options["format"] in NAMINGS:
            if options["map"] or options["column"] or options["name"]:
                raise MapError(
                    "--format replaces --name, --map and --column: the file names give model, metric and columns."
                )
            naming = NAMINGS[options["format"]]
            return lambda path: (naming.read(path), path.read_bytes()), options["source"] or naming.source

        def said(path: Path) -> tuple[NamedRun, bytes | Records]:
            read, reading = self._opened(options, path)
            model = options["name"] or path.stem
            return NamedRun(model, options["metric_name"], options["family"], reading), read

        return said, options["source"]

    def _tell(self, one: FileDone) -> None:
        if one.imported is not None and one.study is not None:
            self.stdout.write(f"{one.study.slug}: {one.path.name}: {one.imported}")
            self._tell_reasons(one.imported)
            return
        first, *lines = one.refused.splitlines()
        self.stderr.write(first)
        for line in lines[:LINES_SHOWN]:
            self.stderr.write(line)
        if len(lines) > LINES_SHOWN:
            self.stderr.write(f"  … and {len(lines) - LINES_SHOWN} more lines; import the file alone to read them")


def _is_several(path: Path, format: str) -> bool:  # noqa: A002 (it is called that everywhere)
    """Whether each file of it is a run; of some tools a folder is one source."""
    if path.is_dir():
        return format not in FORMATS or not FORMATS[format].whole_folder
    return format in NAMINGS


def _add_folder(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        choices=sorted([*NAMINGS, *formats_for("scores"), TABLE]),
        help=(
            "the tool that wrote the files, if not detected (docs/formats.md), or a paper whose file names give "
            "model, metric and columns (kauf: the event sets of Kauf, Ivanova et al. 2023)"
        ),
    )
    add_several(
        parser, "--only", "COLUMN=TEXT", "only records of another tool's file with this value: filter=strict-match"
    )
    add_several(parser, "--labels", "WORDS=LABEL", "other spellings of labels in the file: A=yes B=no")
    parser.add_argument(
        "--also",
        nargs="+",
        default=[],
        metavar="STUDY",
        help="further studies: each file of a folder goes into the study that most of its lines match",
    )


def _add_reading(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--by",
        default="id",
        choices=("id", "text"),
        help="match lines to items by ID or by sentence text (default: id)",
    )
    add_several(
        parser,
        "--map",
        MAP,
        "map columns: item (or text), score, label, logprob, prob; per option score.ROLE, logprob.ROLE, "
        "prob.ROLE, rank.ROLE, plus top (JSON list of words and numbers), neutral.rank.ROLE and "
        f"neutral.prob.ROLE. {NAMING}",
    )
    parser.add_argument("--column", metavar="N|NAME", help="column of the score; same as --map score=N|NAME")
    parser.add_argument("--no-header", action="store_true", help="the first line is data; columns are numbered")
    parser.add_argument("--delimiter", choices=sorted(DELIMITERS), help="cell delimiter (default: detected)")
    parser.add_argument("--sheet", default="", metavar="NAME", help="sheet of an Excel file (default: the first)")
    parser.add_argument("--encoding", choices=sorted(ENCODINGS), help="of a text table, if it is not detected")
    parser.add_argument("--lower-is-better", action="store_true", help="lower scores are better, as for surprisal")
    parser.add_argument(
        "--length-normalized",
        action="store_true",
        help="decide by log-probability per character, as lm-eval's acc_norm (options matched by text)",
    )
    parser.add_argument("--ranks-from", type=int, default=1, choices=(0, 1), help="best rank in the file (1)")
    parser.add_argument(
        "--skip-unknown", action="store_true", help="leave out lines without a matching item, and count them"
    )


def _pairs(options: dict[str, Any]) -> list[tuple[str, str]]:
    pairs = read_pairs(options["map"])
    return pairs if options["column"] is None else pairs + read_pairs([f"score={options['column']}"])


def _score_options(options: dict[str, Any]) -> ScoreOptions:
    how = How(
        sheet=options["sheet"],
        encoding=options["encoding"] or "",
        delimiter=DELIMITERS[options["delimiter"]] if options["delimiter"] else "",
        header=not options["no_header"],
    )
    return ScoreOptions(
        pairs=_pairs(options),
        by=options["by"],
        how=how,
        only=mapped(options["only"]),
        meanings=mapped(options["labels"]),
        lower_is_better=options["lower_is_better"],
        ranks_from=options["ranks_from"],
        skip_unknown=options["skip_unknown"],
        length_normalized=options["length_normalized"],
    )
