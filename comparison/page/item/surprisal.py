"""Surprisal token by token: two texts as pairs of bars, more of them one by one, all on one scale."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from comparison.page.item.detail import SPACE, Option, RunAnswer, Token

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


def picture(answers: Sequence[RunAnswer], *, asked: str) -> Picture | None:
    """Of the run whose key is asked for, or else of the first that has tokens; None where none has."""
    able = {str(answer.run.pk): answer for answer in answers if any(option.tokens for option in answer.options)}
    if not able:
        return None
    key = asked if asked in able else next(iter(able))
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
    said = f"“{_word(added)}” costs {sum(token.bits for token in added):.1f} bits"
    after = columns[new[-1] + 1] if new[-1] + 1 < len(columns) else None
    if after is None or after.before is None or after.after is None:
        return f"{said}."
    change = after.after.token.bits - after.before.token.bits
    if abs(change) < SAID or after.before.token.text != after.after.token.text:
        return f"{said}."
    how = "less" if change > 0 else "more"
    return f"{said}, and “{_word([after.after.token])}” is {abs(change):.1f} bits {how} expected after it."


def _word(tokens: Sequence[Token]) -> str:
    return "".join(token.text.replace(SPACE, " ").removeprefix(PIECE) for token in tokens).strip()
