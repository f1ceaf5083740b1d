"""What is wrong with an input: a fault by place and field, and the refusal of a whole source with all of them.

And what a reader noticed and did: a remark is told to people, and never a reason to refuse a file.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from corpus.bounds import LONGEST_MESSAGE

PLACES_SHOWN = 6

FAULTS_SHOWN = 50


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


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing wrong with an input: where it stands, and what to do about it. What it quotes is cut."""

    field: str
    message: str

    def __post_init__(self) -> None:
        for name in ("field", "message"):
            if len(said := getattr(self, name)) > LONGEST_MESSAGE:
                object.__setattr__(self, name, f"{said[:LONGEST_MESSAGE]}…")

    def under(self, prefix: str) -> "Fault":
        return Fault(f"{prefix}.{self.field}" if self.field else prefix, self.message)


def listing(path: Path, faults: list[Fault]) -> str:
    """The faults as lines of text, the first FAULTS_SHOWN of them."""
    lines = [f"{path}: {len(faults)} {'problem' if len(faults) == 1 else 'problems'}; nothing was loaded."]
    lines += [f"  {fault.field}: {fault.message}" for fault in faults[:FAULTS_SHOWN]]
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
        found = [self.remedy("--skip-incomplete")] if self.incomplete else []
        if self.sound and len(self.faulty) > self.incomplete:
            rows = "1 row has a problem" if len(self.faulty) == 1 else f"{len(self.faulty):,} rows have problems"
            found.append(f"{rows}: --skip-faulty takes the other {self.sound:,} and lists what is left out.")
        return found


class BuildError(ValueError):
    """Sound sources that what was asked for cannot be made of. str() says what is missing."""
