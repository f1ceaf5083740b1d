"""From the database to a panel."""

from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from annotation.models import Study
from comparison.frame.coded import codes, count_labels
from comparison.frame.frames import (
    attribute_names,
    item_frame,
    merged,
    model_frame,
    people_frame,
    published_strengths,
    reference_frame,
)
from comparison.frame.names import named_runs
from comparison.frame.panel import Panel, RunColumn, Texts
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.strengths.cut_points import decided_or_cut, labels_to_fit
from comparison.statistics.verdict.evidence import is_one_role
from scoring.models import Run


def read_panel(study: Study, *, coarse: bool) -> Panel:
    """Every target item of a study with people's labels, references and runs; `coarse` merges values first."""
    scale = study.task.scale
    merging = scale.coarse if coarse else {}
    values = scale.coarse_values if coarse else scale.values
    items = item_frame(study)
    people = merged(people_frame(study), merging)
    names = list(items["item"])
    published = published_strengths(study)
    references = merged(reference_frame(study), merging).set_index("item")["label"].reindex(names)
    truth = codes(references, values)
    panel = Panel(
        items=_texts(items["item"]),
        texts=_texts(items["text"]),
        lengths=items["length"].to_numpy(dtype=np.float64),
        groups=_texts(items["group"]),
        attributes={name: _texts(items[f"attr:{name}"]) for name in attribute_names(items)},
        values=values,
        words={value: scale.text(value) for value in values},
        ordered=scale.ordered,
        people=people,
        counts=count_labels(people, items=names, values=values),
        truth=truth,
        published=np.array([published.get(name, np.nan) for name in names], dtype=np.float64),
        runs=_runs(study, merged(model_frame(study), merging), names, values),
        numeric=tuple(study.numbers),
        one_role=is_one_role(truth, of_roles=scale.of_roles),
    )
    return _with_degrees(panel) if scale.ordered else panel


def _with_degrees(panel: Panel) -> Panel:
    """Runs that give strengths and name no label get degrees, by cut points set by the labels as they are shown.

    By those of all items, so that an item's degree does not depend on which others a reader has selected.
    """
    truth = labels_to_fit(panel.truth, panel.majority)
    return replace(panel, runs=tuple(_cut(run, truth, degrees=len(panel.values)) for run in panel.runs))


def _cut(run: RunColumn, truth: Ints, *, degrees: int) -> RunColumn:
    decided, cuts = decided_or_cut(run.decided, run.strengths, truth, degrees=degrees)
    return replace(run, decided=decided, cuts=cuts)


def _runs(study: Study, scores: pd.DataFrame, names: list[str], values: tuple[str, ...]) -> tuple[RunColumn, ...]:
    """Models first, then baselines, each by name."""
    size = len(names)
    items, labels = scores["item"].cat.codes.to_numpy(dtype=np.int64), codes(scores["label"], values)
    strengths, reasons = scores["strength"].to_numpy(), scores["unscored"].to_numpy()
    of_run = scores["rater"].to_numpy()
    columns = []
    for run, model in named_runs(study):
        own = np.flatnonzero(of_run == str(run.pk))
        columns.append(
            RunColumn(
                key=str(run.pk),
                model=model,
                metric=run.metric_shown,
                family=run.model.family,
                is_baseline=run.model.is_baseline,
                state=run.state,
                decided=_laid(np.full(size, MISSING), items[own], labels[own]),
                strengths=_laid(np.full(size, np.nan), items[own], strengths[own]),
                unscored=_laid(np.full(size, "", dtype=object), items[own], reasons[own]),
                scored=_laid(np.zeros(size, dtype=bool), items[own], True),
                always=_always(run),
            )
        )
    return tuple(columns)


def _laid(column: Any, rows: Any, cells: Any) -> Any:
    """The column with these cells in these rows."""
    column[rows] = cells
    return column


def _always(run: Run) -> str:
    """The one label that the majority baseline answers with, and of what it is the most common."""
    label, of = run.settings.get("label"), run.settings.get("of")
    if run.model.method != "majority" or label is None:
        return ""
    word = f"always {run.study.task.scale.text(label)}"
    return f"{word}: {run.settings['count']:,} of {run.settings['n']:,} {of}" if of else word


def _texts(column: "pd.Series[str]") -> Texts:
    return np.array(column.tolist(), dtype=object)
