"""The formats there are. To add one: the steps in the docstring of this folder."""

from dataclasses import dataclass
from importlib import import_module
from typing import cast

from corpus.formats.contract import Reader, Use

TABLE = "table"


@dataclass(frozen=True, slots=True)
class Format:
    """`tool` in readers' words, `files` that it writes, and what it is read for.

    `whole_folder`: a folder of such files is one source, and not a source each.
    """

    tool: str
    files: str
    uses: tuple[Use, ...]
    module: str
    whole_folder: bool = False


FORMATS = {
    "lm-eval": Format(
        "lm-evaluation-harness", "samples_*.jsonl", ("scores", "texts", "items"), "corpus.formats.lm_eval"
    ),
    "label-studio": Format(
        "Label Studio", "export as JSON, JSON_MIN, CSV or TSV", ("labels", "items"), "corpus.formats.label_studio"
    ),
}


def formats_for(use: Use) -> list[str]:
    """The names of those that are read for it, sorted."""
    return sorted(name for name, one in FORMATS.items() if use in one.uses)


def reader(name: str) -> Reader:
    """The module of that format; LookupError, listing those there are, if it is unknown."""
    if name not in FORMATS:
        raise LookupError(f"There is no format {name!r}. There are: {', '.join(sorted(FORMATS))}.")
    return cast(Reader, import_module(FORMATS[name].module))
