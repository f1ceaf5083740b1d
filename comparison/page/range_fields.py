"""The ranges of numbers that a reader may choose items by, as fields of the filter bar."""

from comparison.frame.filters.ranges import ENTROPY, JENSEN_SHANNON, OF_A_RUN, RANGES, SURPRISAL
from comparison.frame.filters.selection import Selection
from comparison.frame.outline import Outline
from comparison.frame.panel import NamedRun


def range_fields(asked: Selection, found: Outline, run: NamedRun | None) -> list[tuple[str, str, str, str, str]]:
    """Those that can be asked for: name, label, what it is of, and as asked: least and most. `run`: looked at."""
    labels = {
        ENTROPY: f"Entropy of labels, 0 to {found.entropy_most:.3g} bits" if found.has_labels else "",
        JENSEN_SHANNON: "Jensen–Shannon divergence of the run from labels, 0 to 1 bit" if found.has_labels else "",
        SURPRISAL: "Surprisal in the run, bits",
    }
    given = [name for name in RANGES if name not in OF_A_RUN or any(found.giving(name, key) for key in found.keys)]
    ends = {name: [getattr(asked, f"{name}_{side}") for side in ("min", "max")] for name in given}
    return [(name, labels[name], _of(name, found, run), *ends[name]) for name in given if labels[name]]


def _of(number: str, found: Outline, run: NamedRun | None) -> str:
    """What the run that is looked at has of this number, in words."""
    if number not in OF_A_RUN or run is None:
        return ""
    has = found.numbers[run.key]
    if number == JENSEN_SHANNON:
        return f"of {run.name}: {has.shares}" if has.shares else f"{run.name} gives no probability to every label"
    return f"−log₂ of what {run.name} gives the text" if has.options else f"{run.name} gives no text a log-probability"
