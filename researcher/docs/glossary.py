"""The glossary as a page: every statistic and every metric, under headings, each with an anchor of its own."""

from collections.abc import Sequence

from comparison.page.glossary.entries import METRIC_TERMS
from comparison.page.glossary.people import AGGREGATION, AGREEMENT, OVER_PEOPLE, PEOPLE
from comparison.page.glossary.runs import ACCURACY, ASKED, BETWEEN, DISTRIBUTIONS, STRENGTHS, VERDICT
from comparison.page.glossary.term import Term

SECTIONS: dict[str, tuple[str, Sequence[Term]]] = {
    "agreement": ("Agreement between people", AGREEMENT),
    "people": ("People", (*OVER_PEOPLE, *PEOPLE)),
    "aggregation": ("One label out of several", AGGREGATION),
    "accuracy": ("Models beside labels", ACCURACY),
    "distributions": ("Distributions of labels", DISTRIBUTIONS),
    "verdict": ("The verdict", VERDICT),
    "strengths": ("Strengths", STRENGTHS),
    "runs": ("Between runs", BETWEEN),
    "asked": ("Models that are asked in words", ASKED),
    "metrics": ("Metrics: what is measured of a model", METRIC_TERMS),
}
