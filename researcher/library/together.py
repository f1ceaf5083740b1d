"""The accuracy of every rater in each of two studies and over the items of both: the BoolQ+ of Shen (2022).

The table is that of `manage.py accuracy_table A B --pool A+B=A,B`, by the same code; single annotators are not in it.
Of large studies nobody waits for it: `manage.py two_studies` computes it, and it stands on the page afterwards.
"""

from dataclasses import dataclass, replace
from typing import Any

from django.db.models import QuerySet
from pydantic import TypeAdapter

from annotation.models import Study
from comparison.across.layout import Caption, records
from comparison.across.pooled import different_items, pooled
from comparison.across.reading import read_column
from comparison.across.table import RaterLine, accuracy_table, selected
from comparison.figures.findings import MAJORITY, REFERENCE
from comparison.frame.cache.remembered import known, remembered
from comparison.statistics.counts import MISSING
from researcher.library.same_items import RestingOn, Studies, resting_on, same_labels
from scoring.models import Run


@dataclass(frozen=True, slots=True)
class Column:
    """One study, or both: `items` with something to compare with, which have so many `ids`, and `others` without."""

    name: str
    items: int
    ids: int
    others: int
    is_pooled: bool


@dataclass(frozen=True, slots=True)
class Together:
    """`rows` are those of the file, `caption` says what is counted how, and `command` makes it anew."""

    columns: tuple[Column, ...]
    lines: tuple[RaterLine, ...]
    rows: tuple[list[Any], ...]
    caption: str
    command: str


TOGETHER = TypeAdapter(Together)
# What stands for studies that the reader may not see.
OTHERS = "studies in which you have no role"
TRAINED_ON = "trained_on"


def read_together(studies: Studies, *, seen: QuerySet[Study]) -> Together | None:
    """What is known, or None; small studies are computed now. `seen`: the reader's studies, others are not named."""
    if not same_labels(studies):
        return None
    rests = resting_on(studies)
    if rests.are_large:
        found = known(TOGETHER, {"": _parts(rests)}).get("")
    else:
        found = remembered(TOGETHER, _parts(rests), lambda: _computed(studies))
    return found and _shown_to(found, _hidden(studies, seen))


def compute_together(studies: Studies) -> Together:
    """Now, and remembered for the page."""
    return remembered(TOGETHER, _parts(resting_on(studies)), lambda: _computed(studies))


def _hidden(studies: Studies, seen: QuerySet[Study]) -> set[str]:
    """Studies that models of these learned from, and that the reader may not see."""
    runs = Run.objects.filter(study__in=studies, model__training__isnull=False)
    named = {slug for several in runs.values_list("model__training__studies", flat=True) for slug in several}
    return named - set(seen.filter(slug__in=named).values_list("slug", flat=True))


def _shown_to(found: Together, hidden: set[str]) -> Together:
    """Without the names of these."""
    place = found.rows[0].index(TRAINED_ON)
    names = {" + ".join(line.trained_on) for line in found.lines if hidden & {*line.trained_on}}
    return replace(
        found,
        lines=tuple(replace(one, trained_on=(OTHERS,)) if hidden & {*one.trained_on} else one for one in found.lines),
        rows=tuple([*row[:place], OTHERS, *row[place + 1 :]] if row[place] in names else row for row in found.rows),
    )


def _parts(rests: RestingOn) -> list[object]:
    return ["accuracy together", *rests.versions]


def _computed(studies: Studies) -> Together:
    # Here and not above: pandas and its pyarrow take 70 MB, which a web process that computes nothing does without.
    from comparison.frame.reading import read_panel

    panels = [read_panel(study, coarse=False) for study in studies]
    against = REFERENCE if all((panel.truth != MISSING).any() for panel in panels) else MAJORITY
    each = [
        read_column(study, panel, against=against, where=selected(panel, {}))
        for study, panel in zip(studies, panels, strict=True)
    ]
    slugs = [study.slug for study in studies]
    name = "+".join(slugs)
    columns = [*each, pooled(name, each)]
    table = accuracy_table(columns)
    is_grouped = any(column.sample.clusters is not None for column in columns)
    caption = Caption(against, "all items", "left-out", is_grouped=is_grouped)
    command = f"manage.py accuracy_table {' '.join(slugs)} --pool {name}={','.join(slugs)}"
    return Together(
        columns=tuple(
            Column(one.name, one.with_truth, different_items(one), one.without_truth, bool(one.pooled))
            for one in columns
        ),
        lines=table,
        rows=tuple(records(columns, table, caption)),
        caption=str(caption),
        command=command if against == REFERENCE else f"{command} --against {against}",
    )
