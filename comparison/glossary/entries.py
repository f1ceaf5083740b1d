"""Every term by its key: those of statistics, and `metric_` and its key for every metric."""

from comparison.glossary.people import AGGREGATION, AGREEMENT, OVER_PEOPLE, PEOPLE
from comparison.glossary.runs import ACCURACY, ASKED, BETWEEN, DISTRIBUTIONS, STRENGTHS, VERDICT
from comparison.glossary.term import Term
from comparison.statistics.verdict import measure
from scoring.metrics import METRICS, Metric


def _of_metric(metric: Metric) -> Term:
    what = f"{metric.description[0].upper()}{metric.description[1:]}."
    return Term(f"metric_{metric.key}", metric.key, what, metric.trust, metric.rule, page="metrics")


STATISTICS = (
    *AGREEMENT, *OVER_PEOPLE, *PEOPLE, *AGGREGATION,
    *ACCURACY, *DISTRIBUTIONS, *VERDICT, *STRENGTHS, *BETWEEN, *ASKED,
)  # fmt: skip
METRIC_TERMS = tuple(map(_of_metric, METRICS.values()))
GLOSSARY = {term.key: term for term in (*STATISTICS, *METRIC_TERMS)}
# A study's own measure, by the key that the verdict has for it.
MEASURES = {measure.ACCURACY: "accuracy", measure.KAPPA: "kappa_quadratic", measure.DISTANCE: "mean_distance"}


def term_of(key: str) -> Term:
    """The term; LookupError where nothing says what it is."""
    term = GLOSSARY.get(MEASURES.get(key, key))
    if term is None:
        raise LookupError(f"The glossary has no entry {key!r} (comparison/glossary).")
    return term
