"""How many more items and labels: what an address asks for, and what studies drawn for it would show."""

from collections.abc import Mapping
from dataclasses import dataclass

from comparison.figures.people.plan_ground import Ground, ratings_of, read_own_ground
from comparison.figures.people.planning import NEXT, STOPPING, NextItem, Stopping, labels_an_item, read_plans
from comparison.frame.cache.computing import WorkerTask
from comparison.frame.names import Shortened
from comparison.frame.selected import Selected
from comparison.page.drawn.curve import Curve, curve
from comparison.statistics.planning.plan import Design, Planned
from comparison.statistics.planning.power import Assumed
from comparison.statistics.planning.rating_power import AssumedRatings
from comparison.statistics.verdict.measure import ACCURACY
from researcher.studies.assumed import (
    FAULT,
    FAULT_OF_RATINGS,
    Field,
    assumed_of,
    fields,
    headline,
    plan_in_words,
    read_assumed,
    read_ratings,
)

# What a page draws; the command takes more.
STUDIES = 200
MOST_ITEMS, MOST_LABELS = 10_000, 50
# Of a study without items.
FEW = 100
PART = "planning"
PLAN = WorkerTask(name="plan")


@dataclass(frozen=True, slots=True)
class PlanningPage:
    """`fault` says why the address cannot be answered."""

    ground: Ground
    plans: list[Planned]
    # None where accuracy is not the measure.
    stopping: Stopping | None
    waiting: tuple[NextItem, ...]
    fault: str
    # Puts the short names of runs for the whole ones.
    shortened: Shortened
    items: int
    labels: int
    # None where the address asks for what cannot be.
    assumed: Assumed | AssumedRatings | None
    curve: Curve | None
    headline: str
    said: str
    fields: tuple[Field, ...]


def read_planning(chosen: Selected, query: Mapping[str, str]) -> PlanningPage:
    """NotComputed where a reader would wait too long."""
    of_ratings, by_accuracy = chosen.study.is_averaged, chosen.study.measure == ACCURACY
    if not (of_ratings or by_accuracy):
        # The page has no form then, in which a number could be mended.
        query = {}
    ground = read_own_ground(chosen)
    options, given = 0 if of_ratings else len(chosen.study.task.scale.values), labels_an_item(chosen)
    asked, fault = _designs_of(query, ground, given)
    own = ground.labeled or chosen.gathered.items or FEW
    items = _whole(query.get("items", ""), min(own, MOST_ITEMS), MOST_ITEMS)
    labels = _whole(query.get("labels", ""), given, MOST_LABELS)
    usual, assumed = _assumed(query, ground, options=options, labels=given)
    if assumed is None:
        fault = fault or (FAULT_OF_RATINGS if of_ratings else FAULT)
    is_shown = (by_accuracy or of_ratings) and assumed is not None and items is not None and labels is not None
    return PlanningPage(
        ground=ground,
        plans=read_plans(chosen, asked, studies=STUDIES) if by_accuracy else [],
        stopping=STOPPING.read(chosen) if by_accuracy and ground.labeled else None,
        waiting=NEXT.read(chosen),
        fault=fault,
        shortened=Shortened.of(chosen.outline.runs),
        items=items or own,
        labels=labels or given,
        assumed=assumed,
        curve=curve(assumed, items=items, labels=labels) if is_shown else None,  # type: ignore[arg-type]
        headline=headline(assumed, labels) if is_shown else "",  # type: ignore[arg-type]
        said=plan_in_words(assumed, items, labels) if is_shown else "",  # type: ignore[arg-type]
        fields=fields(assumed or usual) if by_accuracy or of_ratings else (),
    )


def _assumed(
    query: Mapping[str, str], ground: Ground, *, options: int, labels: int
) -> tuple[Assumed | AssumedRatings, Assumed | AssumedRatings | None]:
    """What the study's labels say or is common, and what the address asks for; of ratings where there are no options.

    None of what the address asks for where that cannot be.
    """
    if not options:
        return ratings_of(ground), read_ratings(query, ground)
    usual = assumed_of(ground, options=options, labels=labels)
    return usual, read_assumed(query, ground, options=options, labels=labels)


def _designs_of(query: Mapping[str, str], ground: Ground, labels_per_item: int) -> tuple[list[Design], str]:
    """This study's own design and the one that the address asks for; nothing is drawn until it asks."""
    own = Design(min(ground.labeled or FEW, MOST_ITEMS), labels_per_item)
    items = _whole(query.get("items", ""), own.items, MOST_ITEMS)
    labels = _whole(query.get("labels", ""), own.labels, MOST_LABELS)
    if items is None or labels is None:
        return [], f"Items are a whole number from 1 to {MOST_ITEMS:,}, labels from 1 to {MOST_LABELS}."
    if not ground.labeled or not ("items" in query or "labels" in query):
        return [], ""
    return list(dict.fromkeys([own, Design(items, labels)])), ""


def _whole(text: str, default: int, most: int) -> int | None:
    if not text:
        return default
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 and 1 <= int(text) <= most else None
