"""A study's figures for the comparison page and the report, computed once for each state of the data."""

from pydantic import TypeAdapter

from annotation.models import Study
from comparison.frame.judging import panel_verdict
from comparison.frame.panel import Panel
from comparison.frame.remembered import data_version, remembered
from comparison.frame.selection import Selection
from comparison.page.findings import Findings, find
from comparison.statistics.verdict.parts import Verdict

FINDINGS = TypeAdapter(Findings)
VERDICT = TypeAdapter(Verdict)


def read_findings(study: Study, panel: Panel, selection: Selection, version: object = None) -> Findings:
    """The figures of the selected part of a study's panel; `version` is its data_version, where it is at hand."""
    parts = ["findings", version or data_version(study), selection.of_items]
    return remembered(FINDINGS, parts, lambda: find(panel))


def read_verdict(study: Study, panel: Panel, selection: Selection, version: object = None) -> Verdict:
    """Who is nearest, in the same part; as in the list of studies where all of it is selected."""
    parts = ["verdict", version or data_version(study), selection.of_items, selection.against]
    return remembered(
        VERDICT,
        parts,
        lambda: panel_verdict(panel, against=selection.against, measure=study.measure, people=study.people),
    )
