"""Every score of every run, one line each, with what it takes to repeat the run."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from math import exp
from typing import Any

from annotation.models import Item, Study
from comparison.exports.cells import cell, cell_line, json_cell, quoted, read_all, text_of
from comparison.figures.file import ORIGIN, Row, Stored, Written, number, origin
from comparison.frame.filters.selection import RIGHT, WRONG, Selection
from comparison.statistics.divergence import bits
from scoring.models import Score

HEADER = [
    *ORIGIN, "item", "kind", "run", "model", "family", "metric", "metric_version", "decision", "strength",
    "unscored", "reference", "detail", "surprisal_bits", "provenance",
]  # fmt: skip
CHUNK = 2000
COLUMNS = (
    "item__external_id", "item__kind", "decision", "strength", "unscored", "item__reference", text_of("detail"),
)  # fmt: skip


def scores(study: Study, selection: Selection) -> Iterator[Row | Written]:
    """All kinds of items. `detail`, `surprisal_bits` and `provenance` are JSON."""
    yield HEADER
    head = [cell_line(text) for text in origin(study)]
    for run in study.runs.select_related("model").order_by("pk"):
        names = (run.model.name, run.model.family, run.metric_shown, run.metric_version)
        middle = (str(run.pk), *(cell_line(cell(one)) for one in names))
        provenance = quoted(json_cell(run.provenance))
        # A run at a time and in this order, its scores come straight from an index, and nothing is sorted.
        rows = Score.objects.filter(run=run).order_by("item_id").values_list(*COLUMNS)
        records = rows.iterator(chunk_size=CHUNK)
        while chunk := list(islice(records, CHUNK)):
            details = read_all([row[-1] for row in chunk])
            for (item, kind, decision, strength, unscored, reference, _), detail in zip(chunk, details, strict=True):
                yield (
                    *head, cell_line(item), kind, *middle, cell_line(decision), cell(strength), cell_line(unscored),
                    cell_line(reference), quoted(json_cell(detail)), _surprisal(detail), provenance,
                )  # fmt: skip


def _surprisal(detail: Mapping[str, Any]) -> str:
    surprisals = of_options(detail) if "options" in detail else None
    return quoted(json.dumps(surprisals, ensure_ascii=False)) if surprisals else ""


def of_options(detail: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The surprisal of each option of a score's detail, and of its tokens; empty where nothing has a probability."""
    surprisals: dict[str, dict[str, Any]] = {}
    for name, option in detail.get("options", {}).items():
        if option.get("logprob") is not None:
            surprisals[name] = {"bits": bits(option["logprob"])}
            if option.get("tokens"):
                surprisals[name]["tokens"] = [[token, bits(logprob)] for token, logprob in option["tokens"]]
    return surprisals


SCORES = Stored(
    key="scores",
    title="Scores",
    says="one row per run and item, with answer and score",
    line="a run and an item",
    rows=scores,
)


PAIR_HEADER = [
    *ORIGIN, "item", "run", "sentence", "correct", "p_correct", "incorrect", "p_incorrect", "decision",
]  # fmt: skip
PAIR_COLUMNS = ("item__external_id", "item__content", "item__reference", "decision", "detail")


def pair_rows(study: Study, selection: Selection) -> Iterator[Row | Written]:
    """Of target items with a reference and two options, run by run; of the run that is named, or of all.

    A probability is e to the log-probability of what the run was shown, whatever its metric makes of it: of the word,
    where it fills a slot, else of the sentence. Empty where the run gives none.
    """
    yield PAIR_HEADER
    head = origin(study)
    for run in study.runs.select_related("model").order_by("pk"):
        if selection.run not in ("", str(run.pk)):
            continue
        name = f"{run.model.name} · {run.metric_shown}"
        targets = Score.objects.filter(run=run, item__kind=Item.Kind.TARGET, item__reference__isnull=False)
        for item, content, reference, decision, detail in (
            targets.order_by("item_id").values_list(*PAIR_COLUMNS).iterator(chunk_size=CHUNK)
        ):
            options: Mapping[str, str] = content.get("options", {})
            if len(options) != 2 or reference not in options:
                continue
            (other,) = [role for role in options if role != reference]
            verdict = "" if decision is None else RIGHT if decision == reference else WRONG
            correct = [options[reference], _probability(detail, reference)]
            incorrect = [options[other], _probability(detail, other)]
            yield [*head, item, name, content.get("sentence", ""), *correct, *incorrect, verdict]


def _probability(detail: Mapping[str, Any], role: str) -> float | None:
    logprob = detail.get("options", {}).get(role, {}).get("logprob")
    return None if logprob is None else number(exp(logprob))


PAIRS = Stored(
    key="pairs",
    title="Pairs",
    says="one row per pair: sentence, right and wrong word, each run’s probabilities",
    line="a run and a target item with a reference and two options",
    rows=pair_rows,
)
