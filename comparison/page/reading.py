"""A study's figures for the comparison page and the report, computed once for each state of the data."""

from pydantic import TypeAdapter

from annotation.models import Study
from comparison.frame.coded import coded
from comparison.frame.panel import Panel
from comparison.frame.remembered import data_version, remembered
from comparison.frame.selection import Selection
from comparison.page.agreement import Named, others
from comparison.page.findings import Findings, find

FINDINGS = TypeAdapter(Findings)
NAMED = TypeAdapter(tuple[Named, ...])


def read_findings(study: Study, panel: Panel, selection: Selection, *, version: object = None) -> Findings:
    """The figures of the selected part of a study's panel; `version` is the study's data_version(), if it was read."""
    parts = ["findings", version or data_version(study), selection.of_items]
    return remembered(FINDINGS, parts, lambda: find(panel))


def read_others(study: Study, panel: Panel, selection: Selection, *, version: object = None) -> tuple[Named, ...]:
    """The coefficients of agreement that stand in the report and not on top of the page; apart, as they cost more."""
    parts = ["other agreement", version or data_version(study), selection.of_items]

    def compute() -> tuple[Named, ...]:
        return others(panel, coded(panel.people, items=list(panel.items), values=panel.values))

    return remembered(NAMED, parts, compute)
