"""What is said of how a score file is read, and the reading that comes of it: of a table, or of another tool's records.

Free of Django.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from corpus.formats.contract import Use
from corpus.formats.reading import Records
from corpus.tables.opening import AS_IT_SAYS, How
from scoring.imported.lines import open_table
from scoring.imported.reading import KEYS, By, Reading, reading


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """`pairs` say which column is what, `how` a table is read; `only` (column → text) leaves out other records, and
    `meanings` says what the file's words for labels are here.
    """

    pairs: Sequence[tuple[str, str]] = ()
    by: By = "id"
    how: How = AS_IT_SAYS
    only: Mapping[str, str] = field(default_factory=dict)
    meanings: Mapping[str, str] = field(default_factory=dict)
    lower_is_better: bool = False
    ranks_from: int = 1
    skip_unknown: bool = False
    length_normalized: bool = False

    @property
    def use(self) -> Use:
        return "texts" if self.by == "text" else "scores"


def reading_of(read: bytes | Records | None, name: str, asked: Asked) -> Reading:
    """The columns as they are mapped, else those that the file has names for; ReadingError, ScoreFileError.

    Without a file, it is seen whether what is mapped makes sense.
    """
    if isinstance(read, Records):
        names = read.names
    else:
        is_known = KEYS[asked.by] in dict(asked.pairs)
        names = [] if read is None or is_known else open_table(read, name, asked.how).names
    made = reading(
        asked.pairs,
        by=asked.by,
        how=asked.how,
        lower_is_better=asked.lower_is_better,
        ranks_from=asked.ranks_from,
        skip_unknown=asked.skip_unknown,
        length_normalized=asked.length_normalized,
        meanings=asked.meanings,
        names=names,
    )
    return replace(made, format=read.format, only=tuple(asked.only.items())) if isinstance(read, Records) else made
