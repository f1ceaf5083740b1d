"""What a reader noticed and did, beside what is wrong: told to people, and never a reason to refuse a file."""

from collections.abc import Sequence
from dataclasses import dataclass

PLACES_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Remark:
    """One thing noticed: what was seen and done. `where` names its lines; it is empty for the whole file."""

    where: str
    message: str

    def __str__(self) -> str:
        return f"{self.where}: {self.message}" if self.where else f"{self.message[:1].upper()}{self.message[1:]}"


def listed(places: Sequence[object], *, word: str = "line") -> str:
    """Lines as a sentence names them: `line 3`, `lines 2, 3 and 9`, `lines 2, 3, 4, 5, 6, 7 and 12 more`."""
    if len(places) == 1:
        return f"{word} {places[0]}"
    shown = [str(place) for place in places[:PLACES_SHOWN]]
    more = len(places) - len(shown)
    last = f"{more:,} more" if more else shown.pop()
    return f"{word}s {', '.join(shown)} and {last}"
