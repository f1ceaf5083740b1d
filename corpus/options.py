"""The options of every command that reads a corpus."""

from argparse import ArgumentParser
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from corpus.arguments import Help
from corpus.workplace import Workplace

if TYPE_CHECKING:
    from corpus.sweep import Finder

# Written out, because importing the reader would load spaCy into every command that only shows its help.
CORPUS_FORMS = ("plain", "tsv", "jsonl", "conllu")


FILES = (
    "text files or folders of text files: .txt, .tsv, .jsonl or .conllu, plain or compressed as .gz, .zst, .bz2 or .xz"
)


def add_corpus_arguments(parser: ArgumentParser) -> None:
    """A builder's: --corpus, and how it is read."""
    parser.add_argument("--corpus", type=Path, nargs="+", required=True, metavar="FILE", help=FILES)
    add_reading_arguments(parser)


def add_reading_arguments(parser: ArgumentParser) -> None:
    """What the files are, and where their text stands."""
    parser.add_argument(
        "--format",
        choices=CORPUS_FORMS,
        help=Help(
            "file format, if file names do not show it",
            "Form of the files",
            choices={"plain": "plain text", "tsv": "TSV", "jsonl": "JSON lines", "conllu": "CoNLL-U"},
        ),
    )
    parser.add_argument(
        "--field",
        default="",
        metavar="NAME",
        help="the JSONL field with the text (default: text), or the column of a TSV, counted from 1 (default: 1)",
    )


def corpus_sweep(finder: "Finder", workplace: Workplace, options: dict[str, Any]) -> Iterator[Any]:
    """`sweep` with what those options say."""
    from corpus.sweep import sweep

    return sweep(options["corpus"], finder, workplace, form=options["format"], field=options["field"])


def corpus_sources(options: dict[str, Any]) -> list[Path]:
    """The corpus's files, for the manifest."""
    from corpus.texts import corpus_files

    return [path for path, _ in corpus_files(options["corpus"], form=options["format"])]
