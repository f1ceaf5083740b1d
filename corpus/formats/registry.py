"""The formats of other tools, each with its reader, and whose a file is: by its head or by the names of its files.

A file that two formats recognize is of neither: it is read as a table unless somebody says which tool wrote it.
"""

from dataclasses import dataclass
from importlib import import_module
from pathlib import PurePath
from types import ModuleType

from corpus.formats.contract import Use
from corpus.formats.source import Source
from corpus.tables.registry import is_by_line, suffixes

TABLE = "table"


@dataclass(frozen=True, slots=True)
class Format:
    """`tool` in readers' words, `files` that it writes and how they end (a packed folder in `.zip`), where in the tool
    they are `exported`, and what it is read for.

    `whole_folder`: a folder of such files is one source, and not a source each. `has_people`: it collects labels of
    people, who may come to an item again.
    """

    tool: str
    files: str
    suffixes: tuple[str, ...]
    exported: str
    uses: tuple[Use, ...]
    module: str
    whole_folder: bool = False
    has_people: bool = False


FORMATS = {
    "lm-eval": Format(
        "lm-evaluation-harness",
        "samples_*.jsonl",
        (".jsonl", ".json"),
        "The samples_….jsonl of one task, which lm_eval writes to its output path with --log_samples.",
        ("scores", "texts", "items"),
        "corpus.formats.tools.lm_eval",
    ),
    "inspect": Format(
        "Inspect",
        "logs, .eval or .json",
        (".eval", ".json"),
        "The log of one evaluation, .eval or .json, from the folder logs of inspect eval.",
        ("scores", "items"),
        "corpus.formats.tools.inspect_log",
    ),
    "minicons": Format(
        "minicons",
        "output of its command, or a table of sentences",
        (".csv", ".tsv", ".txt"),
        "The output of its command, saved as a file; or your own table with a sentence and its score on each line.",
        ("scores", "texts"),
        "corpus.formats.tools.minicons",
    ),
    "hf-dataset": Format(
        "Hugging Face datasets",
        "a folder of save_to_disk, or of Parquet, JSON lines or CSV files, packed or not; a Parquet file",
        (".parquet", ".zip"),
        "A folder from save_to_disk, as a zip file; or a Parquet file from a data set’s Files and versions tab.",
        ("scores", "texts", "labels", "items"),
        "corpus.formats.tools.dataset_folder",
        whole_folder=True,
    ),
    "label-studio": Format(
        "Label Studio",
        "export as JSON, JSON_MIN, CSV or TSV",
        (".json", ".csv", ".tsv"),
        "Export in the Data Manager, as JSON, JSON-MIN, CSV or TSV.",
        ("labels", "items"),
        "corpus.formats.tools.label_studio",
        has_people=True,
    ),
    "potato": Format(
        "Potato",
        "annotation_output, or its export as JSON lines, CSV or TSV",
        (".zip", ".jsonl", ".json", ".csv", ".tsv"),
        "The project’s folder annotation_output, as a zip file; or its export as JSON Lines, CSV or TSV.",
        ("labels",),
        "corpus.formats.tools.potato",
        whole_folder=True,
        has_people=True,
    ),
    "prodigy": Format(
        "Prodigy",
        "db-out, JSON lines",
        (".jsonl", ".ndjson"),
        "The output of prodigy db-out DATASET, saved as a JSON Lines file.",
        ("labels", "items"),
        "corpus.formats.tools.prodigy",
        has_people=True,
    ),
    "doccano": Format(
        "doccano",
        "export as JSONL, JSON or CSV, packed or not",
        (".zip", ".jsonl", ".json", ".csv"),
        "Dataset, Actions, Export Dataset, as JSONL, JSON or CSV: the zip file unchanged.",
        ("labels", "items"),
        "corpus.formats.tools.doccano",
        whole_folder=True,
        has_people=True,
    ),
    "argilla": Format(
        "Argilla",
        "records.to_json, or the folder of to_disk",
        (".json", ".zip", ".parquet"),
        "The output of the SDK’s dataset.records.to_json(…); or the folder of dataset.to_disk(…), as a zip file.",
        ("labels", "items"),
        "corpus.formats.tools.argilla",
        whole_folder=True,
        has_people=True,
    ),
}


def formats_for(use: Use) -> list[str]:
    """The names of those that are read for it, sorted."""
    return sorted(name for name, one in FORMATS.items() if use in one.uses)


def suffixes_for(use: Use) -> tuple[str, ...]:
    """How files end that are read for it: tables, and those of tools."""
    of_tools = (suffix for name in formats_for(use) for suffix in FORMATS[name].suffixes)
    return tuple(dict.fromkeys((*suffixes(), *of_tools)))


def is_of_tool(name: str, use: Use) -> bool:
    """Whether a file of that name may be a tool's, and is no text whose columns somebody has mapped."""
    ending = PurePath(name).suffix.lower()
    return not is_by_line(name) and any(ending in FORMATS[one].suffixes for one in formats_for(use))


def reader(name: str) -> ModuleType:
    """The module of that format; LookupError, listing those there are, if it is unknown."""
    if name not in FORMATS:
        raise LookupError(f"There is no format {name!r}. Available: {', '.join(sorted(FORMATS))}.")
    return import_module(FORMATS[name].module)


def recognize(source: Source, use: Use) -> str:
    """The format's name; empty where the file is of none, such as a table, or could be of several."""
    names = [name for name in formats_for(use) if reader(name).recognized(source)]
    return names[0] if len(names) == 1 else ""


def format_of(source: Source, use: Use, *, asked: str, is_mapped: bool) -> str:
    """The format that was asked for, or else is seen; empty for a table. A table whose columns are mapped is one."""
    if asked:
        return "" if asked == TABLE else asked
    return "" if is_mapped and is_by_line(source.name) else recognize(source, use)
