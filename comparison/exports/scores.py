"""Every score of every run, one line each, with what it takes to repeat the run."""

import json
from collections.abc import Iterator, Mapping
from typing import Any

from annotation.models import Study
from comparison.exports.rows import ORIGIN, Row, origin
from comparison.frame.selection import Selection
from comparison.statistics.strengths.surprisal import bits
from scoring.models import Score

HEADER = [
    *ORIGIN, "item", "kind", "run", "model", "family", "metric", "metric_version", "decision", "strength",
    "unscored", "reference", "detail", "surprisal_bits", "provenance",
]  # fmt: skip
CHUNK = 2000


def scores(study: Study, selection: Selection) -> Iterator[Row]:
    """All kinds of items. `detail`, `surprisal_bits` and `provenance` are JSON."""
    yield HEADER
    rows = Score.objects.filter(run__study=study).select_related("item", "run__model").order_by("run_id", "item_id")
    provenance: dict[int, str] = {}
    for score in rows.iterator(chunk_size=CHUNK):
        run, item = score.run, score.item
        surprisal = of_options(score.detail)
        if run.pk not in provenance:
            provenance[run.pk] = json.dumps(run.provenance, ensure_ascii=False, sort_keys=True)
        yield [
            *origin(study),
            item.external_id,
            item.kind,
            run.pk,
            run.model.name,
            run.model.family,
            run.metric_shown,
            run.metric_version,
            score.decision,
            score.strength,
            score.unscored,
            item.reference,
            json.dumps(score.detail, ensure_ascii=False, sort_keys=True),
            json.dumps(surprisal, ensure_ascii=False) if surprisal else None,
            provenance[run.pk],
        ]


def of_options(detail: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The surprisal of each option of a score's detail, and of its tokens; empty where nothing has a probability."""
    found: dict[str, dict[str, Any]] = {}
    for name, option in detail.get("options", {}).items():
        if option.get("logprob") is not None:
            found[name] = {"bits": bits(option["logprob"])}
            if option.get("tokens"):
                found[name]["tokens"] = [[token, bits(logprob)] for token, logprob in option["tokens"]]
    return found
