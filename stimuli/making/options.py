"""What a construction or a data set can be asked, declared once: the command line and the forms of pages read it here.

A declaration is argparse's: `add_arguments` of every importer and builder, and the two functions below for what all of
them share. `Declared` is a parser that remembers it, and that reads what a form was given as the command line does.
"""

import re
from argparse import Action, ArgumentParser
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any, NoReturn

from corpus.arguments import Help, slug, title, whole
from corpus.formats.registry import FORMATS, formats_for
from stimuli.making.registry import BUILDERS, IMPORTERS, builder, importer

ROOT = Path(__file__).parents[2]
# What it says of itself at the terminal, which a page has no use for.
PASSED_OVER = ("Makes",)

CONSTRUCTION, DATA_SET = "construction", "dataset"
# What a word is called that may also be the path of a file: `ADVERB|FILE`.
OR_FILE = "FILE"
FLAG = re.compile(r"--[a-z][a-z-]*")
DEFAULT = " (%(default)s)"


class Misasked(ValueError):
    """Options that do not fit together, or a value that is none. str() says which."""


class Kind(StrEnum):
    """What a form has to ask with."""

    FLAG = "flag"
    CHOICE = "choice"
    FILE = "file"
    TEXT = "text"


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One option. `flag` is empty where the value stands alone; `several` says that there may be more than one value,
    `repeats` that each has its flag. `part` is who declared it: the construction itself, or all of them. `label`,
    `help` and `example` are a page's words for its field, and `choices` has those of each choice.
    """

    name: str
    flag: str
    kind: Kind
    part: str
    label: str
    help: str
    example: str
    required: bool
    default: Any
    several: bool
    repeats: bool
    choices: Mapping[str, str]
    metavar: str
    read: Callable[[str], Any]

    @property
    def may_be_path(self) -> bool:
        """Whether a word given for it could be taken for the path of a file."""
        return self.kind is Kind.TEXT and OR_FILE in self.metavar

    def arguments(self, value: Any) -> list[str]:
        """What stands on the command line for a value: True, a text, or several. Nothing for what is empty."""
        if self.kind is Kind.FLAG:
            return [self.flag] if value else []
        values = [str(one) for one in (value if isinstance(value, list | tuple) else [value]) if str(one)]
        if not values:
            return []
        if not self.flag:
            return values
        if self.several and not self.repeats:
            return [self.flag, *values]
        # With the sign, so that no value is taken for another option.
        return [f"{self.flag}={one}" for one in values]


class Declared(ArgumentParser):
    """A parser whose `options` can be read, and that raises Misasked instead of ending the process."""

    def __init__(self) -> None:
        super().__init__(add_help=False, allow_abbrev=False)
        self.options: list[Option] = []
        self._part = ""

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """What is declared in the block is of this part."""
        before, self._part = self._part, name
        yield
        self._part = before

    def add_argument(self, *names: Any, **keywords: Any) -> Action:
        action: Action = super().add_argument(*names, **keywords)
        self.options.append(_option(action, str(keywords.get("action", "")), self._part))
        return action

    def error(self, message: str) -> NoReturn:
        raise Misasked(message)

    def in_words(self, text: str) -> str:
        """A refusal, with options by what their fields are called; a flag that has no field stays."""
        labels = {one.flag: one.label for one in self.options if one.flag}
        if text in labels:
            return labels[text]
        return FLAG.sub(lambda match: f"“{labels[match[0]]}”" if match[0] in labels else match[0], text)

    def read(self, values: Mapping[str, Any]) -> dict[str, Any]:
        """Option values as the command has them, of what was given by name; Misasked."""
        return vars(self.parse_args(self.arguments(values)))

    def arguments(self, values: Mapping[str, Any]) -> list[str]:
        """Option values as a command line, positional arguments first."""
        ordered = sorted(self.options, key=lambda one: bool(one.flag))
        return [text for one in ordered if one.name in values for text in one.arguments(values[one.name])]


def declared(kind: str, key: str) -> Declared:
    """Everything that this construction, or this data set, can be asked by whoever does not run the server."""
    parser = Declared()
    declare(parser, kind, key)
    return parser


def declare(parser: ArgumentParser, kind: str, key: str) -> None:
    """What a construction or a data set of that name can be asked: its own options, and those of every study."""
    with _part(parser, "source"):
        if kind == DATA_SET:
            what = "the file as the tool wrote it" if key in FORMATS else "the file as published"
            parser.add_argument("source", type=Path, metavar="FILE", help=Help(what, "File"))
            parser.add_argument(
                "--limit",
                type=whole(1),
                metavar="N",
                help=Help("use only this many entries from the start of the file", "First entries only"),
            )
    with _part(parser, "own"):
        chosen = importer(key) if kind == DATA_SET else builder(key)
        chosen.add_arguments(parser)
    drawn, on_page = ("--sample", "“Random sample”") if kind == DATA_SET else 2 * ("choices at random",)
    with _part(parser, "study"):
        parser.add_argument(
            "--seed",
            type=int,
            default=0,
            help=Help(f"the same number draws the same {drawn} (0)", page=f"The same number draws the same {on_page}."),
        )
    declare_study(parser)


def declare_study(parser: ArgumentParser) -> None:
    """What every study can be asked that is made, whatever of."""
    with _part(parser, "study"):
        address, letters = "URL name of the study", "Lower-case letters, digits and hyphens."
        title_help = Help("title of the study", page="Annotators see it.")
        parser.add_argument("--slug", type=slug, default="", help=Help(address, "URL name", page=letters))
        parser.add_argument("--title", type=title, default="", help=title_help)
        parser.add_argument(
            "--sample",
            type=whole(1),
            metavar="N",
            help=Help(
                "number of items drawn at random with --seed; the same items in every study with these IDs",
                "Random sample",
                page="Number of items drawn at random with “Seed”; the same items in every study with these IDs.",
            ),
        )
        parser.add_argument(
            "--without-context",
            action="store_true",
            help="the same items without the text around them, if they have any",
        )
    with _part(parser, "join"):
        _declare_joining(parser)


# What joining tables asks for once for each table: the flag, how a value is read and called, and its help.
OF_EACH_TABLE: Sequence[tuple[str, type, str, Help]] = (
    (
        "--join",
        Path,
        "FILE",
        Help(
            "CSV or TSV of more attributes, one row per value of --on; repeatable, each with its --on",
            "Tables",
            page="CSV or TSV files of more attributes, one row per value of an attribute of the items.",
        ),
    ),
    (
        "--on",
        str,
        "ATTRIBUTE[=COLUMN]",
        Help(
            "attribute to join on, and its column in --join if named differently",
            "Attribute that joins",
            page="One line per table: the attribute to join on, followed by = and the column if it has another name.",
            example="noun=lemma",
        ),
    ),
    (
        "--columns",
        str,
        "NAMES",
        Help(
            "column names of a --join without a header: a,b,c; for several, in order, '' for one with a header",
            "Names of columns",
            page=(
                "For tables without a header: comma-separated column names, one line per table; '' for a table with "
                "a header."
            ),
            example="lemma,frequency,concreteness",
        ),
    ),
)


def _declare_joining(parser: ArgumentParser) -> None:
    for flag, read, metavar, help_text in OF_EACH_TABLE:
        parser.add_argument(flag, type=read, action="append", default=[], metavar=metavar, help=help_text)
    incomplete = Help(
        "leave out rows of --join with too many or too few cells, and list them",
        "Leave out incomplete rows of the tables",
        page="Leave out rows of “Tables” with too many or too few cells, and list them.",
    )
    numbers = Help(
        "attributes that results treat as numbers: a,b",
        page="Attributes that results treat as numbers, separated by commas.",
        example="frequency,concreteness",
    )
    parser.add_argument("--join-skip-incomplete", action="store_true", help=incomplete)
    parser.add_argument("--numbers", default="", metavar="NAMES", help=numbers)


@contextmanager
def _part(parser: ArgumentParser, name: str) -> Iterator[None]:
    if not isinstance(parser, Declared):
        yield
        return
    with parser.part(name):
        yield


def _option(action: Action, action_name: str, part: str) -> Option:
    flags = [one for one in action.option_strings if one.startswith("--")]
    metavar = action.metavar if isinstance(action.metavar, str) else ""
    several = action.nargs in ("+", "*") or action_name in ("append", "extend")
    words = action.help if isinstance(action.help, Help) else Help(action.help or "")
    flag = flags[0] if flags else ""
    return Option(
        name=action.dest,
        flag=flag,
        kind=_kind(action),
        part=part,
        label=words.label or (flag or action.dest).strip("-").replace("-", " ").capitalize(),
        help=words.page or _sentence(words.replace(DEFAULT, "").replace("%%", "%"), _kind(action), several=several),
        example=words.example,
        required=action.required,
        default=action.default,
        several=several,
        repeats=action_name == "append",
        choices={one: words.choices.get(one) or re.sub("[_-]", " ", one) for one in map(str, action.choices or ())},
        metavar=metavar,
        read=action.type if callable(action.type) else str,
    )


def _sentence(text: str, kind: Kind, *, several: bool) -> str:
    """A help text with a full stop, and with a capital but where it begins with the name of a file."""
    first = text.split()[0]
    sentence = text[:1].upper() + text[1:] if first.islower() and "." not in first else text
    return sentence.removesuffix(".") + (". One a line." if several and kind is Kind.TEXT else ".")


def _kind(action: Action) -> Kind:
    if action.nargs == 0:
        return Kind.FLAG
    if action.choices is not None:
        return Kind.CHOICE
    if action.type is Path:
        return Kind.FILE
    return Kind.TEXT


def values_of(value: Any) -> Sequence[str]:
    """A default, or what was given, as texts: none, one or several; what is empty is none."""
    if value is None or value is False:
        return []
    many: Iterable[Any] = value if isinstance(value, list | tuple) else [value]
    return [str(one) for one in many if str(one)]


@dataclass(frozen=True, slots=True)
class About:
    """`makes` is a sentence, `rows` what its table says: paper, data, license. Both are Markdown."""

    key: str
    title: str
    makes: str
    rows: tuple[tuple[str, str], ...]


@cache
def about(kind: str, key: str) -> About:
    """LookupError for a name that is none."""
    if kind == DATA_SET and key in formats_for("items"):
        return _of_format(key)
    modules = IMPORTERS if kind == DATA_SET else BUILDERS
    if key not in modules:
        raise LookupError(f"There is no {kind} {key!r}. Available: {', '.join(sorted(modules))}.")
    module = ROOT.joinpath(*modules[key].split("."))
    page = module.with_suffix(".md") if module.with_suffix(".md").exists() else module.parent / "README.md"
    text = page.read_text(encoding="utf-8")
    title = re.search(r"^# (.+)$", text, re.MULTILINE)
    makes = re.search(r"^makes .+$", text, re.MULTILINE)
    if title is None or makes is None:
        raise LookupError(f"{page.name} of {key} must begin with a title and a sentence that begins with “makes”.")
    head = text.split("\n## ", 1)[0].partition("| | |")[2]
    rows = re.findall(r"^\| ([A-Z][\w ]*) \| (.+) \|$", head.split("\n\n", 1)[0], re.MULTILINE)
    sentence = makes[0][0].upper() + makes[0][1:]
    # A link to another file of the project leads nowhere on the site.
    facts = ((name, re.sub(r"\[([^]]+)\]\([^):]+\)", r"\1", text)) for name, text in rows if name not in PASSED_OVER)
    return About(key, title[1], sentence, tuple(facts))


def _of_format(key: str) -> About:
    one = FORMATS[key]
    makes = f"Makes a study of the items that {one.tool} exports; you name their fields."
    return About(key, f"Files of {one.tool}", makes, (("File", one.exported),))
