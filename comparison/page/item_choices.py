"""What a reader of the items can choose: what is asked for most, with how many items that has, and an order."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from pydantic import TypeAdapter

from annotation.models.population import Words
from comparison.frame.filters.ranges import ENTROPY, JENSEN_SHANNON, SURPRISAL
from comparison.frame.filters.selection import DIFFERS, WRONG, Selection
from comparison.frame.outline import Outline
from comparison.frame.selected import Selected
from comparison.statistics.aggregation import NONE, UNANIMOUS
from comparison.statistics.verdict.measure import RHO

COUNTS = TypeAdapter(dict[str, int])
ALL = "All"


@dataclass(frozen=True, slots=True)
class Preset:
    """`query` is its address; `is_here`, whether the reader is at it."""

    words: str
    query: str
    items: int
    is_here: bool


def read_presets(chosen: Selected) -> tuple[Preset, ...]:
    """Those that have items, whatever filters are set. Counted once for each state of the data."""
    asked, shown = chosen.asked, chosen.selection
    kept = Selection(
        classes=asked.classes,
        against=asked.against,
        ties=asked.ties,
        measure=asked.measure,
        sort=asked.sort,
        runs=asked.runs,
        run=asked.run,
    )
    offered = {words: replace(kept, **changes) for words, changes in _offered(chosen)}

    def count() -> dict[str, int]:
        everything = replace(shown, **{name: getattr(Selection(), name) for name in NARROWING})
        return {
            words: int(replace(everything, **changes).mask(chosen.whole, {}).sum())
            for words, changes in _offered(chosen)
        }

    counts = chosen.remembered(
        COUNTS, ["presets", asked.classes, shown.against, asked.adjudicated, chosen.measure], count
    )
    return tuple(
        Preset(words, one.query(), counts[words], _is_here(one, shown))
        for words, one in offered.items()
        if counts.get(words) or words == ALL
    )


def _is_here(one: Selection, shown: Selection) -> bool:
    is_run = not one.looks_at_run or one.run == shown.run
    return is_run and all(getattr(one, name) == getattr(shown, name) for name in NARROWING)


# What chooses items.
NARROWING = (
    *("agreement", "where", "people", "q", "true", "given", "right", "beside_right", "models", "within"),
    *("entropy_min", "entropy_max", "jensen_shannon_min", "jensen_shannon_max", "surprisal_min", "surprisal_max"),
)


def _offered(chosen: Selected) -> Iterator[tuple[str, dict[str, Any]]]:
    """Each in words, and the choices that make it."""
    found = chosen.outline
    models = [run.key for run in found.runs if not run.is_baseline and run.key in found.deciding]
    yield ALL, {}
    best = next((key for key in found.nearest if key in models), "")
    # Of ratings that are averaged, no label is right.
    is_averaged = chosen.measure == RHO
    if best and not is_averaged:
        yield "Best model wrong", {"run": best, "right": WRONG}
    if len(models) > 1 and not is_averaged:
        yield "All models wrong", {"models": WRONG}
    if found.has_labels:
        yield "No majority", {"agreement": NONE}
        yield "Unanimous", {"agreement": UNANIMOUS}
    if found.has_labels and found.has_references:
        yield "Majority differs from reference", {"people": DIFFERS}


# --- Orders -----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Sort:
    """`run`: of which run, as the address has it; empty where it is of none."""

    key: str
    words: str
    run: str
    is_here: bool


def sorts(shown: Selection, found: Outline, people: Words) -> list[Sort]:
    return [Sort(key, words, run, key == shown.sort) for key, words, run in _orders(shown, found, people)]


def _orders(shown: Selection, found: Outline, people: Words) -> Iterator[tuple[str, str, str]]:
    one = "annotator" if people.are_synthetic else "human"
    yield "divergence", f"model–{one if found.has_labels else 'reference'} disagreement", ""
    if found.has_labels:
        yield ENTROPY, "label entropy", ""
        yield "people", f"disagreement among {people.many}", ""
    yield "position", "file order", ""
    run = found.run(shown.run)
    if run is not None:
        has = found.numbers[run.key]
        if has.shares and found.has_labels:
            yield JENSEN_SHANNON, f"distance of {run.short} from labels", run.key
        if has.options:
            yield SURPRISAL, f"surprisal in {run.short}", run.key
        yield "strength", f"score of {run.short}", run.key
