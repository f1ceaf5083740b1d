"""What is wrong with an input: a fault by place and field, and the refusal of a whole source with all of them.

And what a reader noticed and did: a remark is told to people, and never a reason to refuse a file.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote

from corpus.bounds import LONGEST_MESSAGE

PLACES_SHOWN = 6

FAULTS_SHOWN = 50

# `line 82.item`, `entry 3 (line 9).text`: where in a file, and what of it.
PLACED = re.compile(r"(.*\b(?:line|row|record|entry|task|annotation|sample) \d+(?: \(line \d+\))?)\.(.+)", re.DOTALL)
# `score (column Punkte)`: what a person's column was taken for, and what they call it.
MAPPED = re.compile(r".* \(column (.+)\)", re.DOTALL)
BY_FIELD = (".json", ".jsonl", ".ndjson")
OF_ITEMS = ("content.", "attributes.")
# An address: who logs in and with what, where it is, and what is asked there, which may be a key.
ADDRESS = re.compile(r"(?<=://)(?P<login>[^\s/]*(?::\S*)?@)?(?P<place>[^\s?]*)(?P<asked>\?\S*)?")


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing noticed: what was seen and done. `where` names its lines; it is empty for the whole file."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else f"{self.message[:1].upper()}{self.message[1:]}"


def counted(number: int, noun: str) -> str:
    """
    >>> counted(1, "item"), counted(1200, "ID")
    ('1 item', '1,200 IDs')
    """
    return f"{number:,} {noun}{'' if number == 1 else 's'}"


def listed(places: Sequence[object], *, word: str = "line") -> str:
    """Lines as a sentence names them: `line 3`, `lines 2, 3 and 9`, `lines 2, 3, 4, 5, 6, 7 and 12 more`."""
    if len(places) == 1:
        return f"{word} {places[0]}"
    visible = [str(place) for place in places[:PLACES_SHOWN]]
    more = len(places) - len(visible)
    last = f"{more:,} more" if more else visible.pop()
    return f"{word}s {', '.join(visible)} and {last}"


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an input: where it stands, and what to do about it. What it quotes is cut."""

    field: str
    message: str

    def __post_init__(self) -> None:
        for name in ("field", "message"):
            if len(text := getattr(self, name)) > LONGEST_MESSAGE:
                object.__setattr__(self, name, f"{text[:LONGEST_MESSAGE]}…")

    def under(self, prefix: str) -> "Fault":
        return Fault(f"{prefix}.{self.field}" if self.field else prefix, self.message)

    def by_column(self, columns: Mapping[str, str]) -> "Fault":
        """With what the file calls its columns, where something else is read from them."""
        if not (match := PLACED.fullmatch(self.field)):
            return self
        names = ", ".join(columns.get(name, name) for name in match[2].split(", "))
        return Fault(f"{match[1]}.{names}", self.message)

    @property
    def place(self) -> str:
        """Where it is, to a person."""
        return placed(self.field)

    def said(self, file: str = "") -> str:
        return f"{placed(self.field, file)}: {self.message}"


def placed(field: str, file: str = "") -> str:
    """A fault's `field` as a person reads it; the name of its `file` tells whether it has columns.

    >>> placed("line 82.item"), placed("line 2.content.noun", "items.jsonl"), placed("line 7.item, annotator")
    ('line 82, column “item”', 'line 2, field “content.noun”', 'line 7, columns “item” and “annotator”')
    >>> placed("row 3.score (column 2)"), placed("line 4"), placed("collection.lists")
    ('row 3, column 2', 'line 4', 'collection.lists')
    """
    match = PLACED.fullmatch(field)
    if match is None:
        return field
    mapped = MAPPED.fullmatch(match[2])
    names = [mapped[1]] if mapped else match[2].split(", ")
    word = "field" if file.lower().endswith(BY_FIELD) or names[0].startswith(OF_ITEMS) else "column"
    quoted = [name if name.isdecimal() else f"“{name}”" for name in names]
    return f"{match[1]}, {word}{'s' * (len(quoted) > 1)} {' and '.join(quoted)}"


# Of a path of this machine, or an address of a store, all but its last name. Addresses of the web are for people.
FOLDERS = re.compile(r"(?:(?<![^\s\"'“‘(\[:=])/(?:[^\s/]+/)+|(?!https?:)\b[a-z][a-z0-9+]*://(?:\S*/)?)(?=[^\s/])")


def without_folders(text: str) -> str:
    """Files by their names alone, to who is not to know where a server has them.

    >>> without_folders("/srv/my/a.txt: no text, and 's3://bucket/b.txt' changed; see https://example.org/c and/or d")
    "a.txt: no text, and 'b.txt' changed; see https://example.org/c and/or d"
    """
    return FOLDERS.sub("", text)


def without_secrets(text: str, *, of: str = "") -> str:
    """The text without logins and queries of addresses, and without those of the address `of`, wherever they stand.

    >>> without_secrets("s3://key:p@ss@bucket/a?token=1 cannot be read")
    's3://bucket/a cannot be read'
    >>> without_secrets("FTPError: 530 for store with pass-w0rd", of="ftp://store:pass-w0rd@far/store")
    'FTPError: 530 for store with …'
    """
    if match := ADDRESS.search(of):
        login, query = match["login"] or "", match["asked"] or ""
        password = login.removesuffix("@").partition(":")[2]
        for secret in filter(None, (login, password, unquote(password), query, query[1:])):
            text = text.replace(secret, "" if secret in (login, query) else "…")
    return ADDRESS.sub(r"\g<place>", text)


def in_short(error: Exception) -> str:
    r"""A library's exception as a part of a sentence: its kind and its first line.

    >>> in_short(OSError("No such bucket.\nRequest 7")), in_short(TimeoutError())
    ('OSError: No such bucket', 'TimeoutError')
    """
    lines = str(error).strip().splitlines()
    return f"{type(error).__name__}: {lines[0].rstrip('.')}" if lines else type(error).__name__


def listing(path: Path, faults: list[Fault]) -> str:
    """The faults as lines of text, the first FAULTS_SHOWN of them."""
    lines = [f"{path}: {len(faults)} {'problem' if len(faults) == 1 else 'problems'}; nothing was loaded."]
    lines += [f"  {fault.said(path.name)}" for fault in faults[:FAULTS_SHOWN]]
    if len(faults) > FAULTS_SHOWN:
        lines.append(f"  … and {len(faults) - FAULTS_SHOWN} more")
    return "\n".join(lines)


class SourceError(ValueError):
    """A source that was refused whole. `faults` has every reason; str() lists them by place and field.

    `incomplete` of its entries lack something that each must have, and could be left out by an option. `faulty` are the
    places of all with a fault, where `sound` others could be taken without them. `remarks` are what its reader noticed
    and did, which may be why it is refused.
    """

    remarks: Sequence[object] = ()

    def __init__(
        self, path: Path, faults: list[Fault], *, incomplete: int = 0, faulty: tuple[str, ...] = (), sound: int = 0
    ) -> None:
        self.path = path
        self.faults = faults
        self.incomplete = incomplete
        self.faulty = faulty
        self.sound = sound
        super().__init__(listing(path, faults))

    def __str__(self) -> str:
        return "\n".join([super().__str__(), *(f"  note: {remark}" for remark in self.remarks)])

    def remedy(self, option: str) -> str:
        """That these entries can be left out by the option, in a sentence; empty where there are none."""
        if not self.incomplete:
            return ""
        these = "1 entry lacks" if self.incomplete == 1 else f"{self.incomplete:,} entries lack"
        return f"{these} a required value: {option} leaves such entries out and lists them."

    def remedies(self) -> list[str]:
        """What the options of a command can leave out, a sentence for each."""
        sentences = [self.remedy("--skip-incomplete")] if self.incomplete else []
        if self.sound and len(self.faulty) > self.incomplete:
            rows = "1 row has a problem" if len(self.faulty) == 1 else f"{len(self.faulty):,} rows have problems"
            sentences.append(f"{rows}: --skip-faulty takes the other {self.sound:,} and lists what is left out.")
        return sentences


class BuildError(ValueError):
    """Sound sources that what was asked for cannot be made of. str() says what is missing."""
