"""A study's figures for the comparison page and the report, computed once for each state of the data."""

from pydantic import TypeAdapter

from annotation.models import Study
from comparison.frame.panel import Panel
from comparison.frame.remembered import data_version, remembered
from comparison.frame.selection import Selection
from comparison.page.findings import Findings, find

FINDINGS = TypeAdapter(Findings)


def read_findings(study: Study, panel: Panel, selection: Selection, *, version: list[object] | None = None) -> Findings:
    """The figures of the selected part of a study's panel. `version` is the data's, where it has been read."""
    of_data = data_version(study) if version is None else version
    return remembered(FINDINGS, ["findings", of_data, selection.of_items], lambda: find(panel))
