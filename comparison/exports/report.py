"""The agreement and accuracy report: every figure of the comparison page, one line each, at full precision."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.estimate import Estimate
from comparison.exports.rows import ORIGIN, Row, origin
from comparison.findings import Findings, RunFinding
from comparison.reading import read_panel
from comparison.selection import Selection, fitted
from comparison.version import findings
from comparison.yields import read_yield

HEADER = [
    *ORIGIN, "items_selected", "classes", "section", "rater", "family", "against", "statistic", "value", "low", "high",
    "n", "n_counts", "count", "undefined", "note",
]  # fmt: skip


def report(study: Study, selection: Selection) -> Iterator[Row]:
    """With all labels and, where the scale has a coarser form, with that too."""
    # Before the first line goes out: an address that does not fit is refused.
    fitted(selection, read_panel(study, coarse=selection.coarse))
    yield HEADER
    for classes in ("", "coarse") if study.task.scale.coarse else ("",):
        chosen = selection.with_classes(classes)
        panel = read_panel(study, coarse=chosen.coarse)
        chosen = fitted(chosen, panel)
        found = findings(study, panel.where(chosen.mask(panel)), chosen)
        head = [*origin(study), chosen.words(), len(panel.values)]
        yield from ([*head, *line] for line in _lines(found))
    every = [*origin(study), "all items", len(study.task.scale.values), "yield", "people", "", ""]
    for name, count in read_yield(study).counts():
        yield [*every, name, None, None, None, None, "", count, "", ""]


def _lines(found: Findings) -> Iterator[Row]:
    counts = found.counts
    kinds = [("unanimous", counts.unanimous), ("majority", counts.majority), ("no_agreement", counts.none)]
    for kind, count in [*kinds, ("lone_label", counts.lone), ("unlabeled", counts.unlabeled)]:
        yield ["agreement counts", "people", "", "", kind, None, None, None, found.items, "items", count, "", ""]
    for label in counts.by_label:
        for kind, count in (("unanimous", label.unanimous), ("majority", label.majority)):
            name = f"{kind}:{label.value}"
            yield ["agreement counts", "people", "", "", name, None, None, None, counts.agreed, "items", count, "", ""]
    for named in found.agreement:
        yield ["agreement", "people", "", "", named.key, *_estimate(named.estimate)]
    yield ["ceiling", "one person", "", "majority of the others", "accuracy", *_estimate(found.ceiling)]
    yield ["ceiling", "one person", "", "reference", "accuracy", *_estimate(found.people_reference)]
    hits = found.majority_reference.hits
    yield ["ceiling", "majority", "", "reference", "accuracy", *_estimate(hits.accuracy, hits.correct)]
    yield ["ceiling", "majority", "", "reference", "cohen_kappa", *_estimate(found.majority_reference.kappa)]
    for annotator in found.annotators:
        hits = annotator.hits
        line = ["annotators", annotator.rater, "", "majority of the others", "accuracy"]
        yield [*line, *_estimate(hits.accuracy, hits.correct)]
    for run in found.runs:
        yield from _run_lines(run)


def _run_lines(run: RunFinding) -> Iterator[Row]:
    for target in ("majority", "reference"):
        against = run.against(target)
        hits = against.hits
        yield ["runs", run.name, run.family, target, "accuracy", *_estimate(hits.accuracy, hits.correct)]
        yield ["runs", run.name, run.family, target, "cohen_kappa", *_estimate(against.kappa)]
        yield ["runs", run.name, run.family, target, "spearman_strength", *_estimate(run.strength(target))]
    if run.strength_published.value is not None:
        line = ["runs", run.name, run.family, "published strength", "spearman_strength"]
        yield [*line, *_estimate(run.strength_published)]
    for name in ("decided", "undecided", "unscored", "waiting"):
        count = getattr(run, name)
        yield ["runs", run.name, run.family, "", name, None, None, None, None, "items", count, "", ""]
    for reason, count in run.reasons:
        yield ["runs", run.name, run.family, "", "unscored_because", None, None, None, None, "items", count, "", reason]


def _estimate(found: Estimate, count: int | None = None) -> Row:
    return [found.value, found.low, found.high, found.n, found.unit, count, found.undefined, found.remarks]
