"""Numbers of items that a reader may give a range of, as an address has it: at least, at most, in bits. Free of Django.

To add one: its name and words here, its two fields in selection.py, and where it is read from in numbers.py.
"""

import re
from dataclasses import dataclass

from comparison.frame.panel import Mask
from comparison.statistics.counts import Floats

ENTROPY, JENSEN_SHANNON, SURPRISAL = "entropy", "jensen_shannon", "surprisal"
RANGES = (ENTROPY, JENSEN_SHANNON, SURPRISAL)
# Those that are of the run that a reader looks at.
OF_A_RUN = (JENSEN_SHANNON, SURPRISAL)
WORDS = {
    ENTROPY: "the entropy of labels",
    JENSEN_SHANNON: "the Jensen–Shannon divergence of the run from the labels",
    SURPRISAL: "the run’s surprisal",
}
NUMBER = re.compile(r"-?(\d{1,9}(\.\d{0,9})?|\.\d{1,9})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Range:
    """`least` and `most` are numbers as they were written; empty where that side is open."""

    name: str
    least: str
    most: str

    @property
    def is_open(self) -> bool:
        return not (self.least or self.most)

    def fault(self) -> str:
        """What is wrong with it, in words; empty where nothing is."""
        for side, text in (("min", self.least), ("max", self.most)):
            if text and not NUMBER.fullmatch(text):
                return f"{self.name}_{side} must be a number such as 0.5, not {text[:20]!r}."
        if self.least and self.most and float(self.least) > float(self.most):
            return f"{self.name}_min ({self.least}) must not be higher than {self.name}_max ({self.most})."
        return ""

    def holds(self, numbers: Floats) -> Mask:
        """Where the number is in the range, ends included; not where there is none (NaN)."""
        low = float(self.least) if self.least else -float("inf")
        high = float(self.most) if self.most else float("inf")
        return (numbers >= low) & (numbers <= high)

    def words(self) -> str:
        ends = [f"at least {self.least}" if self.least else "", f"at most {self.most}" if self.most else ""]
        return f"{WORDS[self.name]} is {' and '.join(end for end in ends if end)} bits"
