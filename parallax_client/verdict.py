"""The verdict: which models are nearest to people, in sentences and figures."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from parallax_client.frames import frame_of

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Verdict:
    """`lead` is the answer in two sentences, `said` all of it; `figures` is the answer as the API gives it."""

    lead: tuple[str, ...]
    said: tuple[str, ...]
    figures: Mapping[str, Any]

    def __str__(self) -> str:
        return " ".join(self.lead)

    def runs(self) -> "pd.DataFrame":
        """The compared runs, the nearest first: a line each, with its figure, interval and n."""
        rows = []
        for run in self.figures["runs"]:
            value = {name: run["value"][name] for name in ("value", "low", "high", "n", "undefined")}
            names = ("run", "name", "is_baseline", "rank", "nearest", "p_no_better_than_chance")
            rows.append({name: run[name] for name in names} | value)
        return frame_of(rows)


def verdict_of(said: Mapping[str, Any]) -> Verdict:
    return Verdict(tuple(said["lead"]), tuple(one["text"] for one in said["said"]), said)
