"""The importer of tables: any file or dataset folder whose columns can be named becomes a study."""

from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from annotation.tasktypes import TASK_TYPES, task_type
from corpus.arguments import Help
from corpus.errors import Fault, Remark, SourceError
from corpus.formats.registry import FORMATS, TABLE, formats_for
from corpus.source_text import read_text
from corpus.tables.columns import MAP, NAMING
from corpus.tables.encodings import ENCODINGS
from corpus.tables.opening import How
from corpus.tables.registry import names
from stimuli.datasets.table.columns import ColumnMap, misplaced, pairs
from stimuli.datasets.table.making import TableOptions, study_of_table
from stimuli.datasets.table.reading import read_table
from stimuli.making.contract import BuiltStudy

ABOUT = f"any table: {names()}, Parquet or a saved Hugging Face dataset, with a map of its columns"
# How a tool's file is read: as it is.
AS_IT_IS = {"split": "", "sheet": "", "delimiter": "", "encoding": "", "no_header": False}


@dataclass(frozen=True, slots=True, kw_only=True)
class TableImporter:
    """An Importer: `import_study table FILE`, or `import_study FORMAT FILE` of a file that another tool wrote."""

    format: str = ""
    help: str = ABOUT
    # A folder of a tool's files is one source.
    takes_folder: bool = True

    def add_arguments(self, parser: ArgumentParser) -> None:
        add_table_arguments(parser)
        if not self.format:
            add_file_arguments(parser)

    def load(self, source: Path, *, slug: str, title: str, limit: int | None, options: dict[str, Any]) -> BuiltStudy:
        """A study of the table's rows. SourceError, with every fault by row and column, if it cannot be made."""
        options = options | (AS_IT_IS | {"format": self.format} if self.format else {})
        columns = _column_map(source, options)
        table_options = TableOptions(
            task=options["task"],
            columns=columns,
            settings=_task_settings(source, columns, options),
            slug=slug,
            title=title,
            instructions=read_text(options["instructions"]) if options["instructions"] else "",
            skip_incomplete=options["skip_incomplete"],
            skip_faulty=options["skip_faulty"],
            skip_repeated=options["skip_repeated"],
            limit=limit,
            split=options["split"],
            license=options["license"],
            paper=options["paper"],
        )
        delimiter = options["delimiter"].replace("\\t", "\t")
        if len(delimiter) > 1:
            raise SourceError(source, [Fault("--delimiter", "must be one character")])
        how = How(
            sheet=options["sheet"], encoding=options["encoding"], delimiter=delimiter, header=not options["no_header"]
        )
        table = read_table(source, split=options["split"], format=options["format"], how=how)
        try:
            return study_of_table(source, table, table_options)
        except SourceError as error:
            error.remarks = (*table.remarks, *_way_on(error, columns))
            raise


def _way_on(error: SourceError, columns: ColumnMap) -> list[Remark]:
    """How right answers in other words are read."""
    column = f"column {columns.fields.get('reference', '')!r}"
    wrong = [fault.message for fault in error.faults if fault.field.endswith(column)]
    if any("is not one of" in message for message in wrong) and not columns.labels:
        return [Remark(column, "--labels WORDS=LABEL says what its words mean; WORDS= says that there is no answer")]
    return []


IMPORTER = TableImporter()


def format_importer(name: str) -> TableImporter:
    one = FORMATS[name]
    about = f"items in files of {one.tool}: {one.files}"
    return TableImporter(format=name, help=about, takes_folder=one.whole_folder)


def add_file_arguments(parser: ArgumentParser) -> None:
    parser.add_argument(
        "--format",
        default="",
        choices=sorted([*formats_for("items"), TABLE]),
        help=Help(
            "the tool that wrote the file, if not detected (docs/formats.md)",
            "Written by",
            page="The tool that wrote the file, if not detected.",
            choices={key: one.tool for key, one in FORMATS.items()} | {TABLE: "none: a table"},
        ),
    )
    parser.add_argument(
        "--split", default="", metavar="NAME", help="which split of a dataset folder, or several: train+test"
    )
    parser.add_argument("--sheet", default="", metavar="NAME", help="which sheet of an Excel file (its largest)")
    parser.add_argument(
        "--delimiter",
        default="",
        metavar="CHAR",
        help=Help("cell delimiter (default: detected)", page="The character between cells, if not detected."),
    )
    parser.add_argument(
        "--encoding", default="", choices=[*ENCODINGS], help="encoding of a text file (default: detected)"
    )
    parser.add_argument("--no-header", action="store_true", help="the file has no header; columns are numbered from 1")


def add_table_arguments(parser: ArgumentParser) -> None:
    """Those of every table, whatever it is read from."""
    task = Help("the task type of the study", "Task type", choices={key: task_type(key).name for key in TASK_TYPES})
    slot = Help("what marks the slot in the sentence column", "Mark of the slot")
    incomplete = "leave out rows with an empty column, and list them"
    faulty = "leave out rows with any problem, and list them"
    parser.add_argument("--task", required=True, choices=sorted(TASK_TYPES), help=task)
    parser.add_argument("--map", required=True, nargs="+", action="extend", metavar=MAP, help=MAP_HELP)
    parser.add_argument("--labels", nargs="+", default=[], metavar="VALUE=LABEL", help=LABELS_HELP)
    parser.add_argument("--question", default="", help="question for annotators, if the task type allows one")
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE", help=SET_HELP)
    parser.add_argument("--right", default="", metavar="ROLE", help=RIGHT_HELP)
    parser.add_argument("--slot", default="", metavar="TEXT", help=slot)
    parser.add_argument("--instructions", type=Path, metavar="FILE", help="text file with the instructions")
    parser.add_argument("--skip-incomplete", action="store_true", help=Help(incomplete, "Leave out incomplete rows"))
    parser.add_argument("--skip-faulty", action="store_true", help=faulty)
    parser.add_argument("--skip-repeated", action="store_true", help="leave out rows with the text of another row")
    parser.add_argument("--license", default="", help="license of the data, stored with the study")
    parser.add_argument("--paper", default="", help="where the data were published, stored with the study")


MAP_HELP = Help(
    "id, kind, reference, strength, group, attribute.NAME, or a content field of the task such as sentence or "
    f"options.ROLE. {NAMING}",
    "Columns",
    page=(
        "One role=COLUMN per line. Roles: id, kind, reference (the correct answer), strength, group, attribute.NAME; "
        "original, modified, modifier, noun; passage, question; options.NAME; sentence."
    ),
    example="id=No.\noriginal=Plain sentence\nmodified=With adjective\nmodifier=Adjective\nattribute.class=Class",
)
LABELS_HELP = Help(
    "what the values of the reference column mean; nothing behind the sign: no answer",
    "Words for labels",
    page="Spellings of correct answers, one per line, such as good=yes.",
    example="true=yes\nfalse=no",
)
RIGHT_HELP = Help(
    "the option that is the right answer in every row, such as good",
    "Correct option",
    page="Of minimal pairs, the option that is the right answer in every row, such as good.",
)
SET_HELP = Help(
    "other settings of the task, such as points=7",
    "Other settings of the task",
    page="One per line, such as points=7.",
    example="points=7\nlow=Not at all\nhigh=Completely",
)


def _column_map(source: Path, options: dict[str, Any]) -> ColumnMap:
    fields, faults = pairs(options["map"], "--map")
    labels, more = pairs(options["labels"], "--labels", may_lack=True)
    if labels and "reference" not in fields:
        more.append(Fault("--labels", "needs a reference column under --map"))
    columns = ColumnMap(fields, labels, options["slot"], right=options["right"])
    if columns.right and columns.right not in columns.roles:
        more.append(Fault("--right", f"must be an option under --map: options.{columns.right}=COLUMN"))
    if columns.right and "reference" in fields:
        more.append(Fault("--right", "is of no use where a column is named as reference under --map"))
    faults += more + misplaced(list(fields))
    if faults:
        raise SourceError(source, faults)
    return columns


def _task_settings(source: Path, columns: ColumnMap, options: dict[str, Any]) -> dict[str, Any]:
    """The [task] table, without its type. A forced choice takes its roles from the map."""
    values, faults = pairs(options["set"], "--set")
    settings: dict[str, Any] = {name: int(value) if value.isdecimal() else value for name, value in values.items()}
    if options["question"]:
        settings["question"] = options["question"]
    if columns.roles:
        settings["options"] = columns.roles
    faults += [fault.under("task") for fault in task_type(options["task"]).faults_in_settings(settings)]
    if faults:
        raise SourceError(source, faults)
    return settings
