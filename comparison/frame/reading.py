"""From the database to a panel, by frames with the columns `item, rater, rater_kind, label`: people and models alike.

It imports pandas, which the web process loads only to compute: modules of figures import from here inside a function.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from sys import intern
from typing import Any

import numpy as np
import pandas as pd

from annotation.models import Assignment, Item, Sitting, Study
from comparison.frame.coded import codes, count_labels
from comparison.frame.names import named_runs
from comparison.frame.panel import Panel, RunColumn, Texts
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.strengths.cut_points import decided_or_cut, labels_to_fit
from comparison.statistics.verdict.evidence import is_one_role
from scoring.models import Run, Score
from scoring.short_names import short_names

# Rows that are fetched at once.
CHUNK = 10_000
COLUMNS = ["item", "rater", "rater_kind", "label"]


@dataclass(frozen=True)
class _Targets:
    """A study's target items in order, to be found by their keys in the database."""

    names: tuple[str, ...]
    pks: Ints

    def rows(self, keys: Ints) -> Ints:
        """The place of each key; MISSING where it is no target's."""
        return np.asarray(pd.Index(self.pks).get_indexer(pd.Index(keys)), dtype=np.int64)


def _targets(study: Study) -> _Targets:
    rows = list(study.items.filter(kind=Item.Kind.TARGET).order_by("position").values_list("pk", "external_id"))
    return _Targets(tuple(name for _, name in rows), np.array([pk for pk, _ in rows], dtype=np.int64))


def people_frame(study: Study) -> pd.DataFrame:
    """One row a countable label on a target item, by item and annotator."""
    place = {value: code for code, value in enumerate(study.task.scale.values)}
    # By sitting, as labels were stored: by item, each lies at another place of the database.
    sittings = Sitting.objects.filter(study=study)
    rows = Assignment.objects.filter(sitting__in=sittings, state=Assignment.State.COUNTED).order_by()
    read = rows.values_list("item_id", "annotator_id", "judgment__answer").iterator(chunk_size=CHUNK)
    coded = ((item, who, place[answer]) for item, who, answer in read)
    records = np.fromiter(coded, dtype=[("item", "i8"), ("who", "i8"), ("label", "i8")])
    targets = _targets(study)
    items = targets.rows(records["item"])
    order = np.lexsort((records["who"], items))
    order = order[items[order] != MISSING]
    who, raters = np.unique(records["who"][order], return_inverse=True)
    names = study.annotator_numbers.names()
    kind = "synthetic" if study.population == Study.Population.SYNTHETIC else "people"
    return pd.DataFrame(
        {
            "item": _named(items[order], targets.names),
            "rater": _named(raters, [names[one] for one in who.tolist()]),
            "rater_kind": _named(np.zeros(len(order), dtype=np.int64), [kind]),
            "label": _named(records["label"][order], study.task.scale.values),
        }
    )


def model_frame(study: Study) -> pd.DataFrame:
    """One row a score on a target item; label is absent where the run did not decide. The rater is the run's id."""
    families = dict(Run.objects.filter(study=study).order_by("pk").values_list("pk", "model__family"))
    kinds = sorted(set(families.values()))
    targets, records, reasons = _targets(study), *_scores(study)
    items = targets.rows(records["item"])
    order = np.lexsort((items, records["run"]))
    order = order[items[order] != MISSING]
    runs = np.searchsorted(list(families), records["run"][order])
    kind_of = np.array([kinds.index(kind) for kind in families.values()], dtype=np.int64)
    return pd.DataFrame(
        {
            "item": _named(items[order], targets.names),
            "rater": _named(runs, [str(run) for run in families]),
            "rater_kind": _named(kind_of[runs], kinds),
            "label": _named(records["label"][order], study.task.scale.values),
            "strength": records["strength"][order],
            "unscored": _named(records["why"][order], reasons),
        }
    )


def _scores(study: Study) -> tuple[Any, list[str]]:
    """Every score with its decision and its reason as codes, and what the reasons are."""
    place = {value: code for code, value in enumerate(study.task.scale.values)}
    reasons: dict[str, int] = {"": 0}
    rows = Score.objects.filter(run__study=study).order_by()
    read = rows.values_list("item_id", "run_id", "decision", "strength", "unscored").iterator(chunk_size=CHUNK)
    coded = (
        (
            item,
            run,
            MISSING if decision is None else place[decision],
            np.nan if strength is None else strength,
            reasons.setdefault(why, len(reasons)),
        )
        for item, run, decision, strength, why in read
    )
    columns = [("item", "i8"), ("run", "i8"), ("label", "i8"), ("strength", "f8"), ("why", "i8")]
    return np.fromiter(coded, dtype=columns), list(reasons)


def _named(codes: Any, names: Sequence[str]) -> Any:
    """A column of names by their codes: each name is kept once, however many rows have it."""
    return pd.Categorical.from_codes(np.asarray(codes, dtype=np.int64), pd.Index(list(names), dtype=object))


def reference_frame(study: Study) -> pd.DataFrame:
    """One row a target item with a reference, as given by one more rater."""
    rows = study.items.filter(kind=Item.Kind.TARGET, reference__isnull=False).values_list("external_id", "reference")
    return pd.DataFrame([(item, "reference", "reference", label) for item, label in rows], columns=COLUMNS)


def published_strengths(study: Study) -> dict[str, float]:
    """The published number of each target item that has one."""
    rows = study.items.filter(kind=Item.Kind.TARGET).values_list("external_id", "reference_strength")
    return {item: strength for item, strength in rows if strength is not None}


def item_frame(study: Study) -> pd.DataFrame:
    """One row a target item, in the order of the item file: item, text, length, group, and `attr:<name>`."""
    task = study.task
    rows = study.items.filter(kind=Item.Kind.TARGET).order_by("position")
    read = rows.values_list("external_id", "content", "group", "attributes")
    columns: dict[str, list[Any]] = {name: [] for name in ("item", "text", "length", "group")}
    by_attribute: dict[str, list[str]] = {}
    # A row at a time, and texts that many items share once: the decoded items at once take ten times their columns.
    for place, (item, content, group, attributes) in enumerate(read.iterator(chunk_size=CHUNK)):
        cells = item, task.text(content), task.length(content), intern(group)
        for column, cell in zip(columns.values(), cells, strict=True):
            column.append(cell)
        for name in attributes:
            if name not in by_attribute:
                by_attribute[name] = [""] * place
        for name, values in by_attribute.items():
            values.append(intern(str(attributes.get(name, ""))))
    columns |= {f"attr:{name}": values for name, values in by_attribute.items()}
    return pd.DataFrame({name: pd.Series(column, dtype=object) for name, column in columns.items()})


def attribute_names(items: pd.DataFrame) -> list[str]:
    """The attributes of an item frame, in the order of the item file."""
    return [str(column).removeprefix("attr:") for column in items.columns if str(column).startswith("attr:")]


def merged(frame: pd.DataFrame, coarse: Mapping[str, str]) -> pd.DataFrame:
    """The labels with values merged, such as five degrees to three."""
    return frame.assign(label=frame["label"].map(lambda label: coarse.get(label, label), na_action="ignore"))


def adjudication_frame(study: Study) -> pd.DataFrame:
    """One row a target item of which a researcher has decided the label; not those that cannot be decided."""
    standing = study.adjudications.filter(stands=True, item__kind=Item.Kind.TARGET).exclude(decision="")
    rows = standing.values_list("item__external_id", "decision")
    return pd.DataFrame([(item, "adjudicated", "adjudicated", label) for item, label in rows], columns=COLUMNS)


def read_panel(study: Study, *, coarse: bool, adjudicated: bool = False) -> Panel:
    """Every target item of a study with people's labels, references and runs; `coarse` merges values first.

    `adjudicated`: what researchers decided of items without a majority counts as their majority.
    """
    scale = study.task.scale
    merging = scale.coarse if coarse else {}
    values = scale.coarse_values if coarse else scale.values
    items = item_frame(study)
    people = merged(people_frame(study), merging)
    names = list(items["item"])
    published = published_strengths(study)
    references = merged(reference_frame(study), merging).set_index("item")["label"].reindex(names)
    truth = codes(references, values)
    decided = merged(adjudication_frame(study), merging).set_index("item")["label"].reindex(names)
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
        decisions=codes(decided, values) if adjudicated else None,
    )
    return _with_degrees(panel) if scale.ordered else panel


def _with_degrees(panel: Panel) -> Panel:
    """Strengths become degrees by cut points set on all items, so that no selection changes an item's degree."""
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
    shorts = short_names(study.runs.select_related("model"))
    for run, model in named_runs(study):
        own = np.flatnonzero(of_run == str(run.pk))
        columns.append(
            RunColumn(
                key=str(run.pk),
                short=shorts[run.pk],
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
