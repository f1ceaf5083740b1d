"""An item's degree in each run that gives strengths and names no label: by the same cut points as in the results."""

from collections.abc import Mapping
from dataclasses import dataclass

from pydantic import TypeAdapter

from comparison.frame.panel import RunColumn
from comparison.frame.selected import NotComputed, Selected
from comparison.statistics.counts import MISSING

TOO_LARGE = "in a study this large its degree by cut points stands in the table of items"


@dataclass(frozen=True, slots=True)
class RunDegrees:
    """`by_item` holds labels in words by item; empty where there are none, and `said` tells why not."""

    said: str
    by_item: Mapping[str, str]


DEGREES = TypeAdapter(dict[str, RunDegrees])


def read_degrees(chosen: Selected) -> Mapping[str, RunDegrees] | None:
    """By the run's key, for all items at once: the labels of all set the cut points. None where it would take long."""
    if not chosen.study.task.scale.ordered:
        return {}

    def compute() -> dict[str, RunDegrees]:
        panel = chosen.whole
        words = [panel.words[value] for value in panel.values]
        return {run.key: _of(run, panel.items.tolist(), words) for run in panel.runs if run.cuts is not None}

    try:
        return chosen.remembered(DEGREES, ["degrees", chosen.asked.classes], compute)
    except NotComputed:
        return None


def _of(run: RunColumn, items: list[str], words: list[str]) -> RunDegrees:
    assert run.cuts is not None
    if run.cuts.undefined:
        return RunDegrees(f"no degree by cut points: {run.cuts.undefined}", {})
    pairs = zip(items, run.decided.tolist(), strict=True)
    return RunDegrees("degree by cut points", {item: words[code] for item, code in pairs if code != MISSING})
