"""Judgments and scores as frames with the columns `item, rater, rater_kind, label`: people and models alike."""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from annotation.models import Assignment, Item, Study
from scoring.models import Run, Score

COLUMNS = ["item", "rater", "rater_kind", "label"]
SCORE_COLUMNS = [*COLUMNS, "strength", "unscored"]


def annotator_name(annotator_id: int) -> str:
    """How an annotator is called outside the house: a number that says nothing about the platform's id."""
    return f"a{annotator_id}"


def people_frame(study: Study) -> pd.DataFrame:
    """One row a countable label on a target item."""
    rows = (
        Assignment.objects.filter(item__study=study, item__kind=Item.Kind.TARGET, state=Assignment.State.COUNTED)
        .order_by("item__position", "annotator_id")
        .values_list("item__external_id", "annotator_id", "judgment__answer")
    )
    kind = "synthetic" if study.population == Study.Population.SYNTHETIC else "people"
    return pd.DataFrame(
        [(item, annotator_name(annotator), kind, label) for item, annotator, label in rows], columns=COLUMNS
    )


def model_frame(study: Study) -> pd.DataFrame:
    """One row a score on a target item; label is None where the run did not decide. The rater is the run's id."""
    families = dict(Run.objects.filter(study=study).values_list("pk", "model__family"))
    rows = (
        Score.objects.filter(run__study=study, item__kind=Item.Kind.TARGET)
        .order_by("run_id", "item__position")
        .values_list("item__external_id", "run_id", "decision", "strength", "unscored")
    )
    return pd.DataFrame(
        [(item, str(run), families[run], decision, strength, reason) for item, run, decision, strength, reason in rows],
        columns=SCORE_COLUMNS,
    )


def reference_frame(study: Study) -> pd.DataFrame:
    """One row a target item with a reference, as given by one more rater."""
    rows = study.items.filter(kind=Item.Kind.TARGET, reference__isnull=False).values_list("external_id", "reference")
    return pd.DataFrame([(item, "reference", "reference", label) for item, label in rows], columns=COLUMNS)


def published_strengths(study: Study) -> dict[str, float]:
    """The published number of each target item that has one."""
    rows = study.items.filter(kind=Item.Kind.TARGET).values_list("external_id", "reference_strength")
    return {item: strength for item, strength in rows if strength is not None}


def item_frame(study: Study) -> pd.DataFrame:
    """One row a target item, in the order of the item file: item, text, group, source, and `attr:<name>`.

    The source is the sentence that the item starts from, in lower case: items that share it are not independent.
    """
    task = study.task
    rows = study.items.filter(kind=Item.Kind.TARGET).order_by("position")
    read = rows.values_list("external_id", "content", "group", "attributes")
    frame = pd.DataFrame(
        [(item, task.text(content), group, source(content), attributes) for item, content, group, attributes in read],
        columns=["item", "text", "group", "source", "attributes"],
    )
    names = list(dict.fromkeys(name for attributes in frame["attributes"] for name in attributes))
    for name in names:
        frame[f"attr:{name}"] = [str(attributes.get(name, "")) for attributes in frame["attributes"]]
    return frame.drop(columns="attributes")


def source(content: Mapping[str, Any]) -> str:
    """The original of a changed sentence, the first of a pair, or the one sentence; empty for items without one."""
    name = next((name for name in ("original", "first", "sentence") if name in content), None)
    return "" if name is None else " ".join(str(content[name]).split()).casefold()


def attribute_names(items: pd.DataFrame) -> list[str]:
    """The attributes of an item frame, in the order of the item file."""
    return [str(column).removeprefix("attr:") for column in items.columns if str(column).startswith("attr:")]


def with_attributes(frame: pd.DataFrame, items: pd.DataFrame) -> pd.DataFrame:
    """A frame of labels with the attribute columns of its items joined on."""
    return frame.merge(items.drop(columns=["text", "group", "source"]), on="item", how="left", validate="many_to_one")


def merged(frame: pd.DataFrame, coarse: Mapping[str, str]) -> pd.DataFrame:
    """The same labels with values merged, such as five degrees to three."""
    return frame.assign(label=frame["label"].map(lambda label: coarse.get(label, label), na_action="ignore"))
