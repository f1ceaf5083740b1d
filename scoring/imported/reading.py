"""How a score file is to be read: which column says what. Faults are sentences; free of Django."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from annotation.tasktypes.words import bare_name
from corpus.formats.contract import Use
from corpus.tables.columns import Column, MapError, named_in
from corpus.tables.opening import AS_IT_SAYS, How

By = Literal["id", "text"]

SCORE, LABEL, LOGPROB, PROB, RANK = "score", "label", "logprob", "prob", "rank"
# Those that may be given for each option: `rank.negation`.
BY_OPTION = (SCORE, LOGPROB, PROB, RANK)
# The most probable words of a slot, and what goes before a number for the slot with next to nothing around it.
TOP, NEUTRAL = "top", "neutral"
# All options in one cell, by their texts: `[["Yes", -1.05], ["No", -0.43]]`.
OPTIONS = "options"
# What is said beside a label, in words.
NOTE = "note"
KEYS: dict[By, str] = {"id": "item", "text": "text"}
# What may be said of an item or a sentence; numbers for each option beside it.
COLUMNS = (
    Column(
        name="item",
        label="Item",
        help="The id of the item.",
        also_called=("itemid", "id", "stimulusid", "sentenceid", "sentid", "idx", "key", "uid"),
    ),
    Column(
        name="text",
        label="Sentence",
        help="In place of the item: a whole sentence, whichever items it stands in.",
        also_called=("sentence", "sentences", "stimulus", "utterance", "satz", "input"),
    ),
    Column(
        name=SCORE,
        label="Score",
        also_called=("scores", "loglikelihood", "logp", "ll", "pll", "acceptability"),
    ),
    Column(
        name=LOGPROB,
        label="Log-probability",
        help="Of a sentence.",
        also_called=("logprobability", "logprobs", "sumlogprob", "sumlogprobs"),
    ),
    Column(name=PROB, label="Probability", help="Of a sentence."),
    Column(name=LABEL, label="Label", also_called=("prediction", "predicted", "response", "choice")),
    Column(name=NOTE, label="Note", help="What is said beside a label, in words."),
    Column(name=OPTIONS, label="Options", help="A JSON list of their texts and log-probabilities."),
    Column(name=TOP, label="Most probable words", help="A JSON list of words and numbers, beside ranks."),
)
ALSO_CALLED = {column.name: column.also_called for column in COLUMNS}


class ReadingError(MapError):
    """The columns asked for make no sense together, or are not there. str() says what would."""


@dataclass(frozen=True)
class Reading:
    """`columns`: (`score`, `3`) or (`rank.negation`, `rank_not`), counted from 1; the key may join several columns."""

    columns: tuple[tuple[str, str], ...]
    by: By = "id"
    how: How = AS_IT_SAYS
    lower_is_better: bool = False
    ranks_from: int = 1
    skip_unknown: bool = False
    # Whose file it is (corpus/formats), which of its records are read, and what its words for labels mean here.
    format: str = ""
    only: tuple[tuple[str, str], ...] = ()
    meanings: tuple[tuple[str, str], ...] = ()
    # Options told by their texts: by the log-probability of a character, as lm-eval's acc_norm, and not by the sum.
    length_normalized: bool = False
    # Whether it is known, and need not be looked at, if more or less is better.
    sign_is_known: bool = False
    # Whether a column was seen to be what is asked for, though it is called otherwise.
    is_guessed: bool = False

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
    def asked(self) -> tuple[str, ...]:
        """The values in context: without those of the neutral one, and without the most probable words."""
        return tuple(what for what in self.values if what not in (TOP, NOTE) and not what.startswith(f"{NEUTRAL}."))

    @cached_property
    def neutral(self) -> tuple[str, ...]:
        """The values in the neutral context: `neutral.rank.negation`."""
        return tuple(what for what in self.values if what.startswith(f"{NEUTRAL}."))

    @cached_property
    def options(self) -> tuple[str, ...]:
        """The options that have columns of their own."""
        return tuple(dict.fromkeys(option_of(what) for what in self.asked if "." in what))

    @cached_property
    def kinds(self) -> set[str]:
        return {kind_of(what) for what in self.asked}

    @cached_property
    def measured(self) -> str:
        """What an option's number is: score, logprob or prob."""
        return next((kind for kind in (LOGPROB, PROB) if kind in self.kinds), SCORE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreOptions:
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


def kind_of(what: str) -> str:
    """`rank` of `rank.negation`, and of `neutral.rank.negation`."""
    return what.removeprefix(f"{NEUTRAL}.").partition(".")[0]


def option_of(what: str) -> str:
    """`negation` of `rank.negation`, and of `neutral.rank.negation`; empty where it is of the item."""
    return what.removeprefix(f"{NEUTRAL}.").partition(".")[2]


def reading(options: ScoreOptions, *, names: Collection[str] = ()) -> Reading:
    """A reading that makes sense; ReadingError if it does not. With a header, columns may go by their own names.

    `names` are those that the file's header has: where nothing is mapped, it says whether there are scores, labels or
    both.
    """
    pairs, by = options.pairs, options.by
    columns = dict(pairs)
    if len(columns) < len(pairs):
        twice = next(what for what, _ in pairs if [name for name, _ in pairs].count(what) > 1)
        raise ReadingError(f"{twice} is mapped twice.")
    mapped = set(columns)
    if options.how.header:
        columns.setdefault(KEYS[by], _called(KEYS[by], names))
        if len(columns) <= 1:
            columns |= _own(by, names)
    reading = Reading(
        tuple(columns.items()),
        by,
        options.how,
        options.lower_is_better,
        options.ranks_from,
        options.skip_unknown,
        meanings=tuple(options.meanings.items()),
        length_normalized=options.length_normalized,
        is_guessed=any(what != column for what, column in columns.items() if what not in mapped),
    )
    fault = _fault(reading, columns)
    if fault:
        raise ReadingError(fault)
    return reading


def _called(what: str, names: Collection[str]) -> str:
    """The column that is called what is asked for, or the one that is called otherwise; else the name itself."""
    matches = [name for name in names if bare_name(name) in (what, *ALSO_CALLED[what])]
    return what if what in names or len(matches) != 1 else matches[0]


def _own(by: By, names: Collection[str]) -> dict[str, str]:
    """What a file says of itself, by the names of its columns: what → column."""
    if OPTIONS in names and by == "id":
        return {OPTIONS: OPTIONS}
    own = [what for what in ((SCORE, LOGPROB) if by == "text" else (SCORE, LABEL)) if what in names]
    own = own[:1] if by == "text" else own + [NOTE] * (LABEL in own and NOTE in names)
    if own:
        return {what: what for what in own}
    score, logprob, label = (_called(what, names) for what in (SCORE, LOGPROB, LABEL))
    if score not in names and logprob in names:
        # Of an item, a log-probability is a score.
        return {LOGPROB if by == "text" else SCORE: logprob}
    return {LABEL: label} if by == "id" and score not in names and label in names else {SCORE: score}


def _fault(reading: Reading, columns: dict[str, str]) -> str:
    unknown = [what for what in reading.values if not _known(what)]
    if unknown:
        names = f"{reading.key}, {LABEL}, {', '.join(BY_OPTION)}, and one for each option, such as {RANK}.negation"
        return f"{unknown[0]!r} cannot be read. Use {names}; also {TOP} and {NEUTRAL}.{RANK}.negation."
    if reading.key not in columns:
        return f"Which column has the {reading.key}? Map it: {reading.key}=2."
    if not reading.how.header and not all(one.isdecimal() for column in columns.values() for one in named_in(column)):
        return (
            "A file without a header has no column names: map numbers, counted from 1, such as score=3 or item={1}-{2}."
        )
    if reading.length_normalized and OPTIONS not in reading.values:
        return f"Length normalization needs the texts of the options: map {OPTIONS}, or turn it off."
    return _misfit_by_text(reading) if reading.by == "text" else _misfit_by_id(reading)


def _misfit_by_text(reading: Reading) -> str:
    if reading.values not in ((SCORE,), (LOGPROB,), (PROB,)):
        return "Lines matched by text have one number each: map only score, logprob or prob."
    return _misfit_of_sign(reading)


def _misfit_by_id(reading: Reading) -> str:
    of_item = {what for what in reading.asked if "." not in what}
    kinds = reading.kinds
    if not of_item and not reading.options:
        return f"Nothing is mapped but the {reading.key}: map {SCORE}, {LABEL}, or a number for each option."
    if reading.options and of_item:
        return f"{', '.join(sorted(of_item))} describes the item and the others describe options; map one or the other."
    if NOTE in reading.values and LABEL not in of_item:
        return f"Map {NOTE} only together with {LABEL}."
    if not reading.options:
        if TOP in reading.values or reading.neutral:
            return f"Map {TOP} and {NEUTRAL} only together with a probability and a rank for each option."
        return (
            _misfit_of_sign(reading)
            if of_item <= {SCORE, LABEL} or of_item == {OPTIONS}
            else "Map one score per item or one number per option."
        )
    if len(kinds - {RANK}) != 1:
        return "Map exactly one of score, logprob and prob for each option; ranks go beside logprob or prob."
    if RANK in kinds and SCORE in kinds:
        return "Ranks are ranks of probabilities: map logprob or prob beside them."
    return _unmapped(reading.asked, kinds, reading.options) or _misfit_beside(reading) or _misfit_of_sign(reading)


def _misfit_beside(reading: Reading) -> str:
    """Of what a slot's probabilities may have beside them."""
    if TOP in reading.values and reading.measured == SCORE:
        return f"{TOP} has probabilities: map logprob or prob beside it."
    if not reading.neutral:
        return ""
    if RANK not in reading.kinds:
        return f"A rank in the {NEUTRAL} context goes beside a rank in context: map rank for each option too."
    kinds = {kind_of(what) for what in reading.neutral}
    if kinds not in ({RANK}, {RANK, reading.measured}):
        return f"For the {NEUTRAL} context, map rank for each option, and {reading.measured} if available."
    return _unmapped(reading.neutral, kinds, reading.options, before=f"{NEUTRAL}.")


def _unmapped(mapped: Collection[str], kinds: Collection[str], options: Sequence[str], *, before: str = "") -> str:
    missing = [f"{before}{kind}.{one}" for kind in kinds for one in options if f"{before}{kind}.{one}" not in mapped]
    return f"{', '.join(sorted(missing))} is not mapped, but the others are." if missing else ""


def _misfit_of_sign(reading: Reading) -> str:
    if reading.lower_is_better and SCORE not in reading.kinds:
        return "Lower is better applies only to scores, not to probabilities."
    return ""


def _known(what: str) -> bool:
    if what.startswith(f"{NEUTRAL}."):
        return bool(option_of(what)) and kind_of(what) in (LOGPROB, PROB, RANK)
    kind, dot, option = what.partition(".")
    return bool(option) and kind in BY_OPTION if dot else what in (LABEL, NOTE, TOP, OPTIONS, *BY_OPTION[:3])
