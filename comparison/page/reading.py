"""A study's figures for the comparison page and the report, computed once for each state of the data."""

from collections.abc import Iterator, Mapping

from pydantic import TypeAdapter

from annotation.models import Study
from comparison.frame.panel import Panel
from comparison.frame.remembered import data_version, each_remembered, known, remembered
from comparison.frame.selection import Selection
from comparison.page.aggregations import Aggregations, WayFinding, aggregations, laid_out
from comparison.page.alternative import AlternativeFinding, alternatives
from comparison.page.findings import Findings, find
from comparison.page.ways import WAYS, Way

FINDINGS = TypeAdapter(Findings)
ALTERNATIVES = TypeAdapter(tuple[AlternativeFinding, ...])
WAY = TypeAdapter(WayFinding)


def read_findings(study: Study, panel: Panel, selection: Selection) -> Findings:
    """The figures of the selected part of a study's panel."""
    return remembered(FINDINGS, ["findings", data_version(study), selection.of_items], lambda: find(panel))


def read_alternatives(panel: Panel, selection: Selection, *, version: list[object]) -> tuple[AlternativeFinding, ...]:
    """The alternative annotator test of every run, over the selected part; `version` is the data's."""
    parts = ["alternative", version, selection.of_items]
    return remembered(ALTERNATIVES, parts, lambda: alternatives(panel))


def read_aggregations(panel: Panel, selection: Selection, *, version: list[object]) -> Aggregations:
    """Votes, and those of the learned ways that somebody has had computed: they take too long for a page."""
    parts = _parts(selection, version)
    voted = {way.key: parts[way.key] for way in WAYS if not way.is_learned}
    found = each_remembered(WAY, voted, lambda keys: aggregations(panel, keys))
    learned = {way.key: parts[way.key] for way in WAYS if way.is_learned}
    return laid_out(panel, found | known(WAY, learned))


def compute_aggregations(study: Study, panel: Panel, selection: Selection) -> Iterator[tuple[Way, WayFinding]]:
    """Every way, one after the other: each is remembered as soon as it is there."""
    parts = _parts(selection, data_version(study))
    for way in WAYS:
        one = {way.key: parts[way.key]}
        yield way, each_remembered(WAY, one, lambda keys: aggregations(panel, keys))[way.key]


def _parts(selection: Selection, version: list[object]) -> Mapping[str, object]:
    return {way.key: ["aggregation", way.key, version, selection.of_items] for way in WAYS}
