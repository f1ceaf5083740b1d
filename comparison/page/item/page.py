"""The page of one item: all that is known of it, what is before and after it in the reader's list,
and surprisal token by token.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from urllib.parse import urlencode

import numpy as np

from annotation.models import Item, Study
from comparison.frame.cache.gathered import read_one
from comparison.frame.coded import count_tallies
from comparison.frame.filters.selection import TARGETS, Selection, spelled
from comparison.frame.outline import Offer
from comparison.frame.selected import NotComputed, Selected
from comparison.page.item.answers import AnswerTable, answer_table, read_degrees
from comparison.page.item.detail import SPACE, ItemDetail, Option, RunAnswer, Token, read_item
from comparison.page.item_table import read_table
from comparison.statistics.divergence import entropy
from comparison.statistics.estimate import plain

# A bar is drawn in a box this high.
HIGH = 100
PAIR = 2
# A change of surprisal that is said in words, in bits.
SAID = 0.05
PIECE = "##"


@dataclass(frozen=True, slots=True)
class Bar:
    """A token with its bits in words; the bar's upper edge and height within HIGH."""

    token: Token
    y: float
    height: float

    @property
    def bits(self) -> str:
        return f"{self.token.bits:.1f}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Column:
    """A token in both texts, or in one alone: `before` is the first text's, `after` the second's."""

    before: Bar | None
    after: Bar | None

    @property
    def said(self) -> str:
        """In words, in the order of the texts."""
        return f"{self.text}: {', '.join(f'{bar.bits} bits' for bar in (self.before, self.after) if bar)}"

    @property
    def text(self) -> str:
        bar = self.after or self.before
        return _word([bar.token]) if bar else ""

    @property
    def is_new(self) -> bool:
        return self.before is None


@dataclass(frozen=True, slots=True)
class PicturedText:
    name: str
    total: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """Of one run: all of its texts on one scale, whose end is `most` bits. `others` have tokens too, by key.

    `columns` are there of two texts, and `sentence` says what words cost that the second alone has.
    """

    key: str
    name: str
    most: str
    texts: tuple[PicturedText, ...]
    columns: tuple[Column, ...]
    sentence: str
    others: tuple[tuple[str, str], ...]

    @property
    def short(self) -> str:
        return dict(self.others)[self.key]


def picture(answers: Sequence[RunAnswer], *, run_key: str) -> Picture | None:
    """Of the run whose key is asked for, or else of the first that has tokens; None where none has."""
    able = {str(answer.run.pk): answer for answer in answers if any(option.tokens for option in answer.options)}
    if not able:
        return None
    key = run_key if run_key in able else next(iter(able))
    options = [option for option in able[key].options if option.tokens]
    most = max((token.bits for option in options for token in option.tokens), default=0.0)
    texts = tuple(_text(option, most) for option in options)
    columns = tuple(_columns(texts[0].bars, texts[1].bars)) if len(texts) == PAIR else ()
    return Picture(
        key=key,
        name=str(able[key].run),
        most=f"{most:.1f}",
        texts=texts,
        columns=columns,
        sentence=_sentence(columns),
        others=tuple((other, answer.short) for other, answer in able.items()),
    )


def _text(option: Option, most: float) -> PicturedText:
    total = f"{sum(token.bits for token in option.tokens):.1f}"
    return PicturedText(option.name, total, tuple(_bar(token, most) for token in option.tokens))


def _bar(token: Token, most: float) -> Bar:
    """Of what is no surprise, or less (scores from elsewhere may be anything), nothing is drawn."""
    height = HIGH * max(token.bits, 0.0) / most if most > 0 else 0.0
    return Bar(token, round(HIGH - height, 1), round(height, 1))


def _columns(one: Sequence[Bar], other: Sequence[Bar]) -> Iterator[Column]:
    """Tokens that both texts have stand together; where others stand in their place, these do one by one."""
    texts = [[bar.token.text for bar in bars] for bars in (one, other)]
    for what, i, j, k, m in SequenceMatcher(a=texts[0], b=texts[1], autojunk=False).get_opcodes():
        shared = min(j - i, m - k) if what == "replace" else j - i if what == "equal" else 0
        yield from (Column(one[i + place], other[k + place]) for place in range(shared))
        yield from (Column(bar, None) for bar in one[i + shared : j])
        yield from (Column(None, bar) for bar in other[k + shared : m])


def _sentence(columns: Sequence[Column]) -> str:
    """Where the second text has words more, in one place, and is else the same."""
    new = [place for place, column in enumerate(columns) if column.is_new]
    if not new or new != list(range(new[0], new[-1] + 1)) or any(column.after is None for column in columns):
        return ""
    added = [column.after.token for column in columns[new[0] : new[-1] + 1] if column.after]
    cost = f"“{_word(added)}” costs {sum(token.bits for token in added):.1f} bits"
    after = columns[new[-1] + 1] if new[-1] + 1 < len(columns) else None
    if after is None or after.before is None or after.after is None:
        return f"{cost}."
    change = after.after.token.bits - after.before.token.bits
    if abs(change) < SAID or after.before.token.text != after.after.token.text:
        return f"{cost}."
    how = "less" if change > 0 else "more"
    return f"{cost}, and “{_word([after.after.token])}” is {abs(change):.1f} bits {how} expected after it."


def _word(tokens: Sequence[Token]) -> str:
    return "".join(token.text.replace(SPACE, " ").removeprefix(PIECE) for token in tokens).strip()


@dataclass(frozen=True, slots=True)
class Step:
    """An item beside this one, and the page of the list that it is on."""

    item: str
    page: int


@dataclass(frozen=True, slots=True)
class Place:
    """`at` counts from 1 to `total`."""

    at: int
    total: int
    before: Step | None
    after: Step | None


def read_place(chosen: Selected, item: str) -> Place | None:
    """On the page of the list that the address names; None where the item is not on it, or it is not computed yet."""
    try:
        table = read_table(chosen)
        names = [row.item for row in table.rows]
        if item not in names:
            return None
        index = names.index(item)
        before = Step(names[index - 1], table.page) if index else _edge(chosen, table.page - 1, last=True)
        after = Step(names[index + 1], table.page) if index + 1 < len(names) else None
        if after is None and table.page < table.pages:
            after = _edge(chosen, table.page + 1, last=False)
    except NotComputed:
        return None
    return Place(table.first + index, table.total, before, after)


def _edge(chosen: Selected, page: int, *, last: bool) -> Step | None:
    """The item at the end of another page."""
    if page < 1:
        return None
    rows = read_table(replace(chosen, asked=replace(chosen.asked, page=page))).rows
    return Step(rows[-1 if last else 0].item, page) if rows else None


# Of fewer labels there is no agreement.
TWO = 2


@dataclass(frozen=True, slots=True)
class Fact:
    """`query` opens the items that share it, of which there are `items`."""

    name: str
    value: str
    query: str = ""
    items: int = 0


def facts(item: Item, detail: ItemDetail, offer: Offer) -> Iterator[Fact]:
    yield from _attributes(item, offer)
    if item.group:
        yield Fact("Group", item.group)
    yield from _agreement(item)
    if item.reference_strength is not None:
        yield Fact("Published rating", str(item.reference_strength))
    if item.revise:
        yield Fact("Flagged", item.revise)
    if detail.reports:
        yield Fact("Reported", f"{len(detail.reports):,} time{'' if len(detail.reports) == 1 else 's'}")


def _attributes(item: Item, offer: Offer) -> Iterator[Fact]:
    """Those that a filter knows open their items."""
    counts = {one.name: dict(one.values) for one in offer.attributes}
    for name, value in item.attributes.items():
        query = urlencode({"attribute": name, "value": spelled(str(value))}) if name in counts else ""
        yield Fact(name, str(value), query, counts.get(name, {}).get(str(value), 0))


def _agreement(item: Item) -> Iterator[Fact]:
    counts = count_tallies([item.tally], [label.value for label in item.study.task.scale.labels])
    total, most = int(counts.sum()), int(np.max(counts, initial=0))
    if total >= TWO:
        yield Fact("Agreement", f"{most:,} of {total:,} agree")
        yield Fact("Entropy", f"{plain(float(entropy(counts)[0]), decimals=2)} bits")


@dataclass(frozen=True, slots=True)
class ItemPage:
    """`place` is where it stands in the list that the reader came from, if there was one."""

    detail: ItemDetail
    facts: tuple[Fact, ...]
    answers: AnswerTable
    picture: Picture | None
    place: Place | None


def read_item_page(
    study: Study, item: Item, selection: Selection, *, tokens: str = "", listed: bool = False
) -> ItemPage:
    """`tokens` is the key of the run whose tokens are drawn; `listed`, whether the reader came from a list.

    SelectionError if the address names what the study lacks. Of a large study, nothing is computed for it.
    """
    chosen = Selected(study=study, asked=selection, gathered=read_one(study), waits=False)
    try:
        against, nearest = chosen.selection.against, chosen.outline.nearest
    except NotComputed:
        nearest, against = (), selection.against or TARGETS[0]
    detail = read_item(study, item, nearest=nearest)
    return ItemPage(
        detail=detail,
        facts=tuple(facts(item, detail, chosen.offer)),
        answers=answer_table(study, item, detail.answers, against=against, degrees=read_degrees(chosen)),
        picture=picture(detail.answers, run_key=tokens),
        place=read_place(chosen, item.external_id) if listed else None,
    )
