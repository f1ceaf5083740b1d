"""Every score of every run, one line each, with what it takes to repeat the run."""

import json
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from annotation.models import Study
from comparison.exports.columns import json_cell, text_of
from comparison.exports.rows import ORIGIN, Row, origin
from comparison.frame.selection import Selection
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


def scores(study: Study, selection: Selection) -> Iterator[Row]:
    """All kinds of items. `detail`, `surprisal_bits` and `provenance` are JSON."""
    yield HEADER
    for run in study.runs.select_related("model").order_by("pk"):
        head = [run.pk, run.model.name, run.model.family, run.metric_shown, run.metric_version]
        provenance = json_cell(run.provenance)
        # A run at a time and in this order, its scores come straight from an index, and nothing is sorted.
        rows = Score.objects.filter(run=run).order_by("item_id").values_list(*COLUMNS)
        for item, kind, decision, strength, unscored, reference, detail in rows.iterator(chunk_size=CHUNK):
            said = _said(detail)
            yield [*origin(study), item, kind, *head, decision, strength, unscored, reference, *said, provenance]


@lru_cache(maxsize=256)
def _said(detail: str) -> tuple[str, str | None]:
    """A score's detail, and the surprisal of its options."""
    found = json.loads(detail)
    surprisal = of_options(found)
    return json_cell(found), json.dumps(surprisal, ensure_ascii=False) if surprisal else None


def of_options(detail: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The surprisal of each option of a score's detail, and of its tokens; empty where nothing has a probability."""
    found: dict[str, dict[str, Any]] = {}
    for name, option in detail.get("options", {}).items():
        if option.get("logprob") is not None:
            found[name] = {"bits": bits(option["logprob"])}
            if option.get("tokens"):
                found[name]["tokens"] = [[token, bits(logprob)] for token, logprob in option["tokens"]]
    return found
