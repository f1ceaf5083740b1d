"""How surprised a run is by each token of an item's texts, as bars that stand above the tokens."""

from collections.abc import Sequence
from dataclasses import dataclass

from comparison.page.item.detail import RunAnswer, Token

# A bar is drawn in a box this high.
HIGH = 100


@dataclass(frozen=True, slots=True)
class Bar:
    """A token with its bits in words; the bar's upper edge and height within HIGH."""

    token: Token
    y: float
    height: float


@dataclass(frozen=True, slots=True)
class PicturedText:
    name: str
    total: str
    bars: tuple[Bar, ...]


@dataclass(frozen=True, slots=True)
class Picture:
    """Of one run: all of its texts on one scale, whose end is `most` bits. `others` have tokens too, by key."""

    key: str
    name: str
    most: str
    texts: tuple[PicturedText, ...]
    others: tuple[tuple[str, str], ...]


def picture(answers: Sequence[RunAnswer], *, asked: str) -> Picture | None:
    """Of the run whose key is asked for, or else of the first that has tokens; None where none has."""
    able = {str(answer.run.pk): answer for answer in answers if any(option.tokens for option in answer.options)}
    if not able:
        return None
    key = asked if asked in able else next(iter(able))
    texts = [option for option in able[key].options if option.tokens]
    most = max((token.bits for option in texts for token in option.tokens), default=0.0)
    return Picture(
        key=key,
        name=str(able[key].run),
        most=f"{most:.1f}",
        texts=tuple(
            PicturedText(option.name, option.surprisal, tuple(_bar(token, most) for token in option.tokens))
            for option in texts
        ),
        others=tuple((other, str(answer.run)) for other, answer in able.items()),
    )


def _bar(token: Token, most: float) -> Bar:
    """Of what is no surprise, or less (scores from elsewhere may be anything), nothing is drawn."""
    height = HIGH * max(token.bits, 0.0) / most if most > 0 else 0.0
    return Bar(token, round(HIGH - height, 1), round(height, 1))
