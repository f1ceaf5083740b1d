"""How a score file is to be read: which column says what. Faults are sentences; free of Django."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

By = Literal["id", "text"]

SCORE, LABEL, LOGPROB, PROB, RANK = "score", "label", "logprob", "prob", "rank"
# Those that may be given for each option: `rank.negation`.
BY_OPTION = (SCORE, LOGPROB, PROB, RANK)
KEYS: dict[By, str] = {"id": "item", "text": "text"}
DELIMITERS = {"comma": ",", "tab": "\t", "semicolon": ";"}
PLACEHOLDER = re.compile(r"\{([^{}]+)\}")


class ReadingError(ValueError):
    """The columns asked for make no sense together, or are not there. str() says what would."""


@dataclass(frozen=True)
class Reading:
    """`columns` says what stands where: (`score`, `3`) or (`rank.negation`, `rank_not`); numbers count from 1.

    The key may be put together from several columns: (`item`, `{adverb}-{idx}`).
    """

    columns: tuple[tuple[str, str], ...]
    by: By = "id"
    delimiter: str = ","
    header: bool = True
    lower_is_better: bool = False
    ranks_from: int = 1
    skip_unknown: bool = False

    @cached_property
    def key(self) -> str:
        return KEYS[self.by]

    @cached_property
    def values(self) -> tuple[str, ...]:
        """What is read beside the key: `score`, `label`, `rank.negation` …"""
        return tuple(what for what, _ in self.columns if what != self.key)

    def where(self, what: str) -> str:
        """What is read, with the column that it is read from if that is called otherwise: for faults."""
        column = dict(self.columns)[what]
        return what if column == what else f"{what} (column {column})"

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The options that have columns of their own."""
        return tuple(dict.fromkeys(what.partition(".")[2] for what in self.values if "." in what))

    @cached_property
    def kinds(self) -> set[str]:
        return {what.partition(".")[0] for what in self.values}


def named_in(column: str) -> list[str]:
    """The columns that a mapped text speaks of: one, or those that it is put together from."""
    return PLACEHOLDER.findall(column) or [column]


def read_pairs(pairs: Iterable[str]) -> list[tuple[str, str]]:
    """`WHAT=COLUMN` texts, parted; ReadingError for one that is not."""
    parted = []
    for pair in pairs:
        what, equals, column = pair.partition("=")
        if not equals or not what.strip() or not column.strip():
            raise ReadingError(f"{pair!r} is not WHAT=COLUMN, such as score=3 or rank.negation=rank_not.")
        parted.append((what.strip(), column.strip()))
    return parted


def reading(
    pairs: Sequence[tuple[str, str]],
    *,
    by: By = "id",
    delimiter: str = ",",
    header: bool = True,
    lower_is_better: bool = False,
    ranks_from: int = 1,
    skip_unknown: bool = False,
    names: Collection[str] = (),
) -> Reading:
    """A reading that makes sense; ReadingError if it does not. With a header, columns may go by their own names.

    `names` are those that the file's header has: where nothing is mapped, it says whether there are scores, labels or
    both.
    """
    columns = dict(pairs)
    if len(columns) < len(pairs):
        twice = next(what for what, _ in pairs if [name for name, _ in pairs].count(what) > 1)
        raise ReadingError(f"{twice} is mapped twice.")
    if header:
        columns.setdefault(KEYS[by], KEYS[by])
    if len(columns) <= 1 and header:
        own = [what for what in (SCORE, LABEL) if what in names] if by == "id" else []
        columns |= {what: what for what in own or [SCORE]}
    made = Reading(tuple(columns.items()), by, delimiter, header, lower_is_better, ranks_from, skip_unknown)
    fault = _fault(made, columns)
    if fault:
        raise ReadingError(fault)
    return made


def _fault(made: Reading, columns: dict[str, str]) -> str:
    unknown = [what for what in made.values if not _known(what)]
    if unknown:
        names = f"{made.key}, {LABEL}, {', '.join(BY_OPTION)}, and one for each option, such as {RANK}.negation"
        return f"{unknown[0]!r} cannot be read. Known are {names}."
    if made.key not in columns:
        return f"Which column holds the {made.key}? Map it: {made.key}=2."
    if not made.header and not all(one.isdecimal() for column in columns.values() for one in named_in(column)):
        return (
            "A file without a header has no column names: map numbers, counted from 1, such as score=3 or item={1}-{2}."
        )
    return _misfit_by_text(made) if made.by == "text" else _misfit_by_id(made)


def _misfit_by_text(made: Reading) -> str:
    if made.values not in ((SCORE,), (LOGPROB,), (PROB,)):
        return "Where lines are found by their text, each has one number: map score, logprob or prob, and no more."
    return _misfit_of_sign(made)


def _misfit_by_id(made: Reading) -> str:
    alone = {what for what in made.values if "." not in what}
    kinds = made.kinds
    if not alone and not made.options:
        return f"Nothing is mapped but the {made.key}: map {SCORE}, {LABEL}, or a number for each option."
    if made.options and alone:
        return f"{', '.join(sorted(alone))} is about the item and the others are about options; map one or the other."
    if not made.options:
        return _misfit_of_sign(made) if alone <= {SCORE, LABEL} else "An item has one score, or a number an option."
    if len(kinds - {RANK}) != 1:
        return "Map exactly one of score, logprob and prob for each option; ranks go beside logprob or prob."
    if RANK in kinds and SCORE in kinds:
        return "Ranks are ranks of probabilities: map logprob or prob beside them."
    missing = [f"{kind}.{option}" for kind in kinds for option in made.options if f"{kind}.{option}" not in made.values]
    return f"{', '.join(sorted(missing))} is not mapped, and the others are." if missing else _misfit_of_sign(made)


def _misfit_of_sign(made: Reading) -> str:
    if made.lower_is_better and SCORE not in made.kinds:
        return "Lower is better only for scores; a lower probability is a lower probability."
    return ""


def _known(what: str) -> bool:
    kind, dot, option = what.partition(".")
    return bool(option) and kind in BY_OPTION if dot else what in (LABEL, *BY_OPTION[:3])
