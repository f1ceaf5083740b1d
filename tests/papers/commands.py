"""The commands of docs/papers/: read off a page, and run in this process on a slice of the shared data.

A page's `sh` fences hold nothing but lines `manage.py COMMAND …`. They run in the page's order, with $DATA as a folder
that has the files they name (cut as the test says), $OUT as an empty one, and any other variable as the test gives it:
a text, or a function that is asked when a command names it, such as for the key of a model that an earlier one trained.
"""

import csv
import gzip
import json
import re
import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from string import Template

from django.core.management import call_command

from tests.house.sources import ROOT
from tests.shared_data import shared

PAPERS = ROOT / "docs" / "papers"
FENCE = re.compile(r"^```sh\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MANAGE = "manage.py"
DATA, OUT = "$DATA/", "$OUT/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """What is taken of a file: entries from `start`, every `step`-th, `count` of them at most.

    An entry is a record of a CSV file, an element of a JSON array, or a line; `together` of them go as one. The first
    `head` stay in any case.
    """

    count: int | None = None
    step: int = 1
    start: int = 0
    head: int = 0
    together: int = 1

    def of(self, entries: list[str]) -> list[str]:
        head, rest = entries[: self.head], entries[self.head :]
        groups = [rest[at : at + self.together] for at in range(0, len(rest), self.together)]
        chosen = groups[self.start :: self.step][: self.count]
        return head + [one for group in chosen for one in group]


def text_of(name: str, sections: Sequence[str] = ()) -> str:
    """A page, or those sections of it, by their headings; KeyError for one that it has not."""
    page = (PAPERS / f"{name}.md").read_text(encoding="utf-8")
    if not sections:
        return page
    there = {part.partition("\n")[0]: part for part in page.split("\n## ")[1:]}
    return "\n".join(there[section] for section in sections)


def read_commands(name: str, sections: Sequence[str] = ()) -> list[str]:
    """The commands of a page, or of sections, each as one line; ValueError where a fence holds anything else."""
    page = text_of(name, sections)
    lines = "".join(FENCE.findall(page)).replace("\\\n", " ").splitlines()
    commands = [" ".join(line.split()) for line in lines if line.strip()]
    if odd := [line for line in commands if not line.startswith(f"{MANAGE} ")]:
        raise ValueError(f"docs/papers/{name}.md: no line of a sh fence, which begin with {MANAGE}: {odd}")
    return commands


def words(command: str, variables: Mapping[str, str]) -> list[str]:
    """What follows `manage.py`; KeyError for a variable that is not given."""
    return [Template(word).substitute(variables) for word in shlex.split(command)[1:]]


def named(commands: list[str], root: str) -> list[str]:
    """The files and folders below `root` (DATA or OUT) that the commands name, in their order."""
    every = [word.split(root, 1)[1] for command in commands for word in shlex.split(command) if root in word]
    return list(dict.fromkeys(every))


def run_page(
    name: str,
    slices: Mapping[str, Cut],
    folder: Path,
    sections: Sequence[str] = (),
    /,
    **variables: str | Callable[[], str],
) -> Path:
    """Run every command of the page, or of these sections; the folder that stood for $OUT, in which each file that a
    command names has come to be. `slices` goes by a file's path in the shared data, or by that of a folder for all its
    files; what it does not name is taken whole. Skipped where data are absent.
    """
    commands = read_commands(name, sections)
    data, out = folder / "data", folder / "out"
    for path in named(commands, DATA):
        _mirror(path, slices, data)
    out.mkdir(parents=True)
    given: dict[str, str | Callable[[], str]] = {"DATA": str(data), "OUT": str(out), **variables}
    for command in commands:
        said = StringIO()
        try:
            call_command(*words(command, _values(given, command)), stdout=said, stderr=said)
        except BaseException as error:
            error.add_note(f"docs/papers/{name}.md: {command}\n{said.getvalue()[-3000:]}")
            raise
    assert [path for path in named(commands, OUT) if not _is_something(out / path)] == []
    return out


def columns(file: Path) -> list[str]:
    """The first line of an exported file, which has at least one more."""
    with file.open(encoding="utf-8", newline="") as lines:
        rows = csv.reader(lines)
        head = next(rows)
        assert next(rows, None), f"{file.name} has a first line only"
    return head


def check_columns(out: Path, wanted: Mapping[str, set[str]]) -> None:
    """Every CSV file that the page makes is known here, and has these columns at least."""
    assert {path.name for path in out.glob("*.csv")} == wanted.keys()
    lacking = {name: cells - set(columns(out / name)) for name, cells in wanted.items()}
    assert not any(lacking.values()), lacking


def _values(variables: Mapping[str, str | Callable[[], str]], command: str) -> dict[str, str]:
    named = {name: value for name, value in variables.items() if f"${name}" in command}
    return {name: value() if callable(value) else value for name, value in named.items()}


def _is_something(path: Path) -> bool:
    return any(path.iterdir()) if path.is_dir() else path.is_file() and path.stat().st_size > 0


def _mirror(path: str, slices: Mapping[str, Cut], data: Path) -> None:
    source = shared(path)
    for file in sorted(source.rglob("*")) if source.is_dir() else [source]:
        if not file.is_file():
            continue
        place = Path(path) / file.relative_to(source) if source.is_dir() else Path(path)
        cut = slices.get(place.as_posix()) or slices.get(path)
        target = data / place
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.exists():
            continue
        if cut is None:
            target.symlink_to(file.resolve())
        else:
            _write_cut(file, target, cut)


def _write_cut(source: Path, target: Path, cut: Cut) -> None:
    """In the file's own form: .gz stays .gz, a JSON array an array."""
    kind = source.suffixes[-2:][0] if source.suffix == ".gz" else source.suffix
    opened = gzip.open if source.suffix == ".gz" else open
    with opened(source, "rt", encoding="utf-8", newline="") as lines:
        if kind == ".json":
            text = f"[{','.join(cut.of([json.dumps(one) for one in json.load(lines)]))}]"
        else:
            text = "".join(cut.of(list(_records(lines) if kind == ".csv" else lines)))
    with opened(target, "wt", encoding="utf-8", newline="") as written:
        written.write(text)


def _records(lines: Iterator[str]) -> Iterator[str]:
    """Lines of a CSV file, joined where a quoted cell goes on in the next."""
    held = ""
    for line in lines:
        held += line
        if held.count('"') % 2 == 0:
            yield held
            held = ""
    if held:
        yield held
