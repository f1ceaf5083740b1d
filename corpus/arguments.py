"""Readers of command-line arguments, for `type=` of add_argument: a slug, a title, a number, or what it must be. And
their help, with the words of a page. The options of every command that reads a corpus stand below.
"""

import math
import re
import unicodedata
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from corpus.workplace import Finder, Workplace

SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
LONGEST = 80

LONGEST_TITLE = 200

# Letters that lose more than a mark in an address, as they are spelled without it.
SPELLED = str.maketrans(
    {"ä": "ae", "ö": "oe", "ü": "ue", "ß": "ss", "æ": "ae", "œ": "oe", "ø": "oe", "þ": "th", "ð": "d", "đ": "d"}
    | {"ł": "l", "ı": "i"}
)


def is_slug(text: str, *, longest: int = LONGEST) -> bool:
    """Whether it is lower-case letters, digits and single hyphens, and not too long."""
    return len(text) <= longest and SLUG.fullmatch(text) is not None


def slug_of(path: Path, *, prefix: str = "") -> str:
    """A slug from a file's name; empty if neither the name nor the prefix has a letter or a digit for it.

    >>> slug_of(Path("Dev Set_2.jsonl"), prefix="boolq")
    'boolq-dev-set-2'
    >>> slug_of(Path("Schöne Sätze à Łódź.csv"))
    'schoene-saetze-a-lodz'
    """
    spelled = unicodedata.normalize("NFC", f"{prefix}-{path.stem.lower()}").translate(SPELLED)
    plain = "".join(one for one in unicodedata.normalize("NFKD", spelled) if not unicodedata.combining(one))
    name = re.sub("[^a-z0-9]+", "-", plain)
    return name.strip("-")[:LONGEST].strip("-")


def add_several(parser: ArgumentParser, flag: str, metavar: str, words: str) -> None:
    """An option of one value or more, which may be given again; an empty list without it."""
    parser.add_argument(flag, nargs="+", action="extend", default=[], metavar=metavar, help=words)


def add_repeatable(parser: ArgumentParser, flag: str, metavar: str, words: str) -> None:
    """An option of one value, which may be given again; an empty list without it."""
    parser.add_argument(flag, action="append", default=[], metavar=metavar, help=words)


def whole(least: int, most: float = math.inf) -> Callable[[str], int]:
    """A whole number from `least` to `most`."""
    expected = f"a whole number from {least}" + (f" to {most}" if most < math.inf else "")

    def read(text: str) -> int:
        if not (text.isascii() and text.isdecimal()) or not least <= int(text) <= most:
            raise ArgumentTypeError(f"{text!r} is not {expected}")
        return int(text)

    return read


def number(
    *, least: float = -math.inf, above: float = -math.inf, below: float = math.inf, most: float = math.inf
) -> Callable[[str], float]:
    """A number between these bounds; `least` and `most` are themselves allowed. Never NaN or infinite."""
    bounds = {"from": least, "above": above, "below": below, "up to": most}
    words = " and ".join(f"{name} {bound:g}" for name, bound in bounds.items() if math.isfinite(bound))

    def read(text: str) -> float:
        try:
            value = float(text)
        except ValueError:
            value = math.nan
        if not (math.isfinite(value) and least <= value <= most and above < value < below):
            raise ArgumentTypeError(f"{text!r} is not a number {words}".rstrip())
        return value

    return read


def slug(text: str) -> str:
    """A study's name in addresses, or nothing."""
    if text and not is_slug(text):
        raise ArgumentTypeError(
            f"{text!r} is not a valid slug: use lower-case letters, digits and single hyphens, at most {LONGEST}"
        )
    return text


def title(text: str) -> str:
    """A study's title, or nothing."""
    if len(text) > LONGEST_TITLE or not text.isprintable():
        raise ArgumentTypeError(f"a title is one line of at most {LONGEST_TITLE} characters")
    return text


class Help(str):
    """The help of an option on a command line; and on a page: what its field is called, what the page says of it if it
    is not the same, what the empty field shows, and what choices are called.
    """

    label: str
    page: str
    example: str
    choices: Mapping[str, str]

    def __new__(
        cls,
        command: str,
        label: str = "",
        *,
        page: str = "",
        example: str = "",
        choices: Mapping[str, str] | None = None,
    ) -> "Help":
        help = super().__new__(cls, command)  # noqa: A001
        help.label, help.page, help.example, help.choices = label, page, example, choices or {}
        return help


# Written out, because importing the reader would load spaCy into every command that only shows its help.
CORPUS_FORMS = ("plain", "tsv", "jsonl", "conllu")


FILES = (
    "text files or folders of text files: .txt, .tsv, .jsonl or .conllu, plain or compressed as .gz, .zst, .bz2 or .xz"
)


def add_corpus_arguments(parser: ArgumentParser) -> None:
    """A builder's: --corpus, and how it is read."""
    files = Help(FILES, page="Text as .txt, .tsv, .jsonl or .conllu, also compressed.")
    parser.add_argument("--corpus", type=Path, nargs="+", required=True, metavar="FILE", help=files)
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


def corpus_sweep(finder: Finder, workplace: Workplace, options: dict[str, Any]) -> Iterator[Any]:
    """`sweep` with what those options say."""
    from corpus.sweep import sweep

    return sweep(options["corpus"], finder, workplace, form=options["format"], field=options["field"])


def corpus_sources(options: dict[str, Any]) -> list[Path]:
    """The corpus's files, for the manifest."""
    from corpus.texts import corpus_files

    return [path for path, _ in corpus_files(options["corpus"], form=options["format"])]
