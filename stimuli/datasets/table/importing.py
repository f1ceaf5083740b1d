"""`import_study FORMAT FILE`: the importer of tables, of a file that another tool wrote."""

from argparse import ArgumentParser
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from corpus.formats.registry import FORMATS
from stimuli.datasets.table import load as tables
from stimuli.making.contract import MadeStudy


@dataclass(frozen=True)
class FormatImporter:
    format: str
    help: str
    # A folder of the tool's files is one source.
    takes_folder: bool

    def add_arguments(self, parser: ArgumentParser) -> None:
        tables.add_table_arguments(parser)

    def load(self, source: Path, *, slug: str, title: str, limit: int | None, options: dict[str, Any]) -> MadeStudy:
        as_found = {"split": "", "sheet": "", "delimiter": "", "encoding": "", "no_header": False}
        told = options | as_found | {"format": self.format}
        return tables.load(source, slug=slug, title=title, limit=limit, options=told)


def format_importer(name: str) -> FormatImporter:
    one = FORMATS[name]
    return FormatImporter(name, f"items in files of {one.tool}: {one.files}", one.whole_folder)
