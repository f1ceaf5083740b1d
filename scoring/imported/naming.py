"""What the names of published score files say: whose scores they are, of what, and how they are read. Free of Django.

To add a paper's files: a `Naming` in NAMINGS, whose `parts` are tried in order.

And what is said of how a score file is read, and what comes of it: a table, or another tool's records, with a reading.
The command, a page's job and the API say it with `ScoreOptions` and read with `open_scores`.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from corpus.errors import SourceError
from corpus.formats.apart import records_apart
from corpus.formats.reading import Records, read_records
from corpus.formats.source import FormatFault, of_bytes, of_path
from corpus.tables.columns import MapError
from corpus.tables.opening import How
from corpus.tables.quotes import TAB
from scoring.imported.lines import ScoreFileError, open_table
from scoring.imported.reading import KEYS, SCORE, Reading, ScoreOptions, reading

# What a file without a header line is split by, and where its sentence stands.
TEXT_COLUMN = "2"


class NotNamed(ValueError):
    """A file whose name is not of that kind. str() says which there are."""


@dataclass(frozen=True, slots=True)
class NamedRun:
    """What the name of a file says."""

    model: str
    metric: str
    family: str
    reading: Reading


@dataclass(frozen=True, slots=True)
class Part:
    """One kind of name: `pattern` may have the groups `model` and `metric`; what it has not is given."""

    pattern: re.Pattern[str]
    column: int
    model: str = ""
    metric: str = ""
    lower_is_better: bool = False


@dataclass(frozen=True, slots=True)
class Naming:
    """A paper's way to name its files. `families` are by how the model's name begins; `source` is who they are by."""

    source: str
    parts: tuple[Part, ...]
    families: Mapping[str, str]
    example: str

    def read(self, path: Path) -> NamedRun:
        """What the name says; NotNamed."""
        for part in self.parts:
            if match := part.pattern.fullmatch(path.name):
                groups = match.groupdict()
                model = groups.get("model") or part.model
                family = next((kind for start, kind in self.families.items() if model.startswith(start)), "other")
                return NamedRun(model, groups.get("metric") or part.metric, family, _reading(part))
        raise NotNamed(f"is not named as these files are, such as {self.example}")


def _reading(part: Part) -> Reading:
    """Without a header, parted by tabs, by sentence; sentences of no item are left out."""
    return Reading(
        columns=(("text", TEXT_COLUMN), (SCORE, str(part.column))),
        by="text",
        how=How(delimiter=TAB, header=False),
        lower_is_better=part.lower_is_better,
        skip_unknown=True,
        sign_is_known=True,
    )


# A set's name, an alias of it, or that of its parsed form: `ev1`, `dtfit`, `new-EventsAdapt`, `ev1_deps_v2`.
SET = r"[A-Za-z0-9_-]+\."
NAMINGS = {
    "kauf": Naming(
        source="Kauf, Ivanova, Rambelli, Chersoni, She et al. (2023), Cognitive Science 47 (11)",
        parts=(
            Part(
                re.compile(SET + r"tinylstm\.surprisal_scores\.txt"), 3, "tinyLSTM", "surprisal", lower_is_better=True
            ),
            # Column 3 has the two associations that column 4 is the sum of.
            Part(re.compile(SET + r"scores_baseline1\.txt"), 4, "PPMI-syntax", "scores_baseline1"),
            Part(re.compile(SET + r"update-model\.(?P<metric>TF-\w+\.n\d+)\.txt"), 3, "thematicFit"),
            Part(re.compile(SET + r"sdm-scores\.txt"), 6, "SDM", "sdm-scores"),
            Part(
                re.compile(
                    SET + r"(?P<model>[\w-]+)\."
                    r"(?P<metric>(?:sentence-(?:PLL|l2r-PLL|LL)|verb-PLL|last-word-PLL)(?:\.average_byNr(?:Words|Tokens))?)"
                    r"\.txt"
                ),
                3,
            ),
        ),
        families=dict.fromkeys(("roberta", "bert", "deberta"), "masked") | dict.fromkeys(("gpt", "mpt"), "causal"),
        example="ev1.roberta-large.sentence-PLL.txt or ev1_deps_v2.sdm-scores.txt",
    )
}


def open_scores(
    path: Path,
    options: ScoreOptions,
    *,
    format: str = "",  # noqa: A002 (it is called that everywhere)
    apart: bool = False,
    is_mapped: bool | None = None,
) -> tuple[bytes | Records, Reading]:
    """The bytes of a table, or another tool's records, of the format that is named or seen; and how they are read.

    `apart`: what strangers have sent is read in a process of its own. A table whose columns are mapped is one, unless
    `is_mapped` says otherwise. ScoreFileError, MapError, OSError.
    """
    data = b"" if path.is_dir() else path.read_bytes()
    mapped = bool(options.pairs) if is_mapped is None else is_mapped
    params: dict[str, Any] = {"asked": format, "is_mapped": mapped, "only": options.only}
    try:
        if apart:
            records = records_apart(data, path.name, options.use, **params, how=options.how)
        else:
            source = of_path(path) if path.is_dir() else of_bytes(path.name, data)
            records = read_records(source, None if path.is_dir() else data, options.use, **params, how=options.how)
    except SourceError as error:
        raise ScoreFileError(path.name, error.faults) from None
    except FormatFault as fault:
        raise ScoreFileError(path.name, fault.faults) from None
    if records is None and options.only:
        raise MapError(
            "Records can be filtered only in exports of other tools, but this is a table: choose the tool that "
            "wrote it."
        )
    read = (data or path.read_bytes()) if records is None else records
    return read, reading_of(read, path.name, options)


def reading_of(read: bytes | Records | None, name: str, options: ScoreOptions) -> Reading:
    """The columns as they are mapped, else those that the file has names for; ReadingError, ScoreFileError."""
    if isinstance(read, Records):
        names = read.names
    else:
        is_known = KEYS[options.by] in dict(options.pairs)
        names = [] if read is None or is_known else open_table(read, name, options.how).names
    base = reading(options, names=names)
    return replace(base, format=read.format, only=tuple(options.only.items())) if isinstance(read, Records) else base
