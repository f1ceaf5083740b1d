"""What was left out at each stage and why: counts, and a few examples of each."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from typing import Any

EXAMPLES = 5


@dataclass(slots=True)
class Dropped:
    """Reasons with their counts. The first examples are kept; the order of the work is fixed, so they are too."""

    counts: Counter[tuple[str, str]] = field(default_factory=Counter)
    examples: dict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))

    def add(self, stage: str, why: str, example: str) -> None:
        self.counts[stage, why] += 1
        if len(self.examples[stage, why]) < EXAMPLES:
            self.examples[stage, why].append(example)

    def total(self, stage: str) -> int:
        return sum(n for (at, _), n in self.counts.items() if at == stage)

    def listed(self) -> list[dict[str, Any]]:
        """For the manifest, by stage, the most frequent reason first."""
        order = sorted(self.counts.items(), key=lambda one: (one[0][0], -one[1], one[0][1]))
        return [
            {"stage": stage, "why": why, "count": n, "examples": self.examples[stage, why]} for (stage, why), n in order
        ]
