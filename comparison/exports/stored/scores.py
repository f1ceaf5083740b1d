"""Every score of every run, one line each, with what it takes to repeat the run."""

import json
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from annotation.models import Study
from comparison.exports.cells import cell, cell_line, quoted
from comparison.exports.columns import json_cell, read_all, text_of
from comparison.figures.file import ORIGIN, File, Row, Written, origin
from comparison.frame.filters.selection import Selection
from comparison.statistics.strengths.surprisal import bits
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
        named = (run.model.name, run.model.family, run.metric_shown, run.metric_version)
        middle = (str(run.pk), *(cell_line(cell(one)) for one in named))
        provenance = quoted(json_cell(run.provenance))
        # A run at a time and in this order, its scores come straight from an index, and nothing is sorted.
        rows = Score.objects.filter(run=run).order_by("item_id").values_list(*COLUMNS)
        found = rows.iterator(chunk_size=CHUNK)
        while chunk := list(islice(found, CHUNK)):
            details = read_all([row[-1] for row in chunk])
            for (item, kind, decision, strength, unscored, reference, _), detail in zip(chunk, details, strict=True):
                yield (
                    *head, cell_line(item), kind, *middle, cell_line(decision), cell(strength), cell_line(unscored),
                    cell_line(reference), quoted(json_cell(detail)), _surprisal(detail), provenance,
                )  # fmt: skip


def _surprisal(detail: Mapping[str, Any]) -> str:
    found = of_options(detail) if "options" in detail else None
    return quoted(json.dumps(found, ensure_ascii=False)) if found else ""


def of_options(detail: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The surprisal of each option of a score's detail, and of its tokens; empty where nothing has a probability."""
    found: dict[str, dict[str, Any]] = {}
    for name, option in detail.get("options", {}).items():
        if option.get("logprob") is not None:
            found[name] = {"bits": bits(option["logprob"])}
            if option.get("tokens"):
                found[name]["tokens"] = [[token, bits(logprob)] for token, logprob in option["tokens"]]
    return found


SCORES = File(
    key="scores",
    title="Scores",
    says="every run’s decision and strength for every item",
    rows=scores,
    is_whole=True,
    is_streamed=True,
)
