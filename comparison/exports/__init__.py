"""The downloads there are: functions from a study and a selection to rows, which are streamed as CSV.

Imports page, frame and statistics. `rows` is the contract, `cells` how a value is written, `writing` how lines leave.
To add one: a file beside this one, or in `runs` where its lines are figures of runs; a line in EXPORTS, a button where
its figures stand, a section in docs/exports.md.
"""

from importlib import import_module
from typing import cast

from comparison.exports.rows import Export

EXPORTS = {
    "judgments": "comparison.exports.stored.judgments:judgments",
    "scores": "comparison.exports.stored.scores:scores",
    "pairs": "comparison.exports.stored.pairs:pair_rows",
    "participants": "comparison.exports.stored.participants:participants",
    "adjudications": "comparison.exports.stored.adjudications:adjudications",
    "reports": "comparison.exports.stored.reports:reports",
    "payments": "comparison.exports.stored.payments:payments",
    "items": "comparison.exports.items.lines:items",
    "report": "comparison.exports.report:report",
    "shares": "comparison.exports.shares:share_rows",
    "numbers": "comparison.exports.by_attribute:number_rows",
    "regression": "comparison.exports.by_attribute:regression_rows",
    "between-values": "comparison.exports.by_attribute:between_value_rows",
    "heatmap": "comparison.exports.by_attribute:heatmap_rows",
    "breakdown": "comparison.exports.breakdown:breakdown_rows",
    "confusion": "comparison.exports.runs.confusion:confusion_rows",
    "ratings": "comparison.exports.runs.ratings:rating_rows",
    "ranks": "comparison.exports.runs.ranks:ranks",
    "powered": "comparison.exports.powered:powered_rows",
    "planning": "comparison.exports.planning:planning_rows",
    "next-labels": "comparison.exports.planning:next_rows",
    "run-figures": "comparison.exports.runs.run_figures:run_figure_rows",
    "between-runs": "comparison.exports.runs.between_runs:between_rows",
    "biases": "comparison.exports.runs.biases:bias_rows",
    "aggregations": "comparison.exports.aggregations:aggregation_rows",
    "assessors": "comparison.exports.assessors:assessor_rows",
    "alternative": "comparison.exports.runs.alternative:alternative_rows",
}


# Those that have nothing of runs.
OF_PEOPLE = ("judgments", "participants", "adjudications", "reports", "payments")


# Those that say who somebody is, whatever is selected.
IDENTIFYING = ("payments",)


def export(what: str) -> Export:
    """The export of that name; LookupError, listing those there are, if it is unknown."""
    if what not in EXPORTS:
        raise LookupError(f"There is no export {what!r}. There are: {', '.join(sorted(EXPORTS))}.")
    module, name = EXPORTS[what].split(":")
    return cast(Export, getattr(import_module(module), name))
