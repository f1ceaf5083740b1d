"""A study's figures for the comparison page and the report, computed once for each state of the data."""

from collections.abc import Iterator, Mapping, Sequence

from pydantic import TypeAdapter

from annotation.models import Study
from comparison.frame.coded import coded
from comparison.frame.judging import panel_verdict
from comparison.frame.panel import Panel, RunColumn
from comparison.frame.remembered import data_version, each_remembered, known, remembered
from comparison.frame.selection import Selection
from comparison.frame.ways import WAYS, Way
from comparison.page.aggregations import Aggregations, WayFinding, aggregations, laid_out
from comparison.page.agreement import Named, others
from comparison.page.alternative import AlternativeFinding, alternatives
from comparison.page.findings import Findings, find
from comparison.page.planning import Known
from comparison.page.powered import PoweredPart, powered_part
from comparison.statistics.planning.drawing import Design
from comparison.statistics.planning.plan import Planned, planned
from comparison.statistics.powered.mean import Of
from comparison.statistics.verdict.parts import Verdict
from scoring.models import Run

FINDINGS = TypeAdapter(Findings)
ALTERNATIVES = TypeAdapter(tuple[AlternativeFinding, ...])
WAY = TypeAdapter(WayFinding)
NAMED = TypeAdapter(tuple[Named, ...])
PLANNED = TypeAdapter(Planned)
VERDICT = TypeAdapter(Verdict)


def read_findings(study: Study, panel: Panel, selection: Selection, *, version: list[object] | None = None) -> Findings:
    """The figures of the selected part of a study's panel. `version` is the data's, where it has been read."""
    of_data = data_version(study) if version is None else version
    return remembered(FINDINGS, ["findings", of_data, selection.of_items], lambda: find(panel))


def read_verdict(study: Study, panel: Panel, selection: Selection, *, version: list[object] | None = None) -> Verdict:
    """Who is nearest, in the same part; as in the list of studies where all of it is selected."""
    of_data = data_version(study) if version is None else version
    return remembered(
        VERDICT,
        ["verdict", of_data, selection.of_items, selection.against],
        lambda: panel_verdict(panel, against=selection.against, measure=study.measure, people=study.people),
    )


def read_others(study: Study, panel: Panel, selection: Selection) -> tuple[Named, ...]:
    """The coefficients of agreement that stand in the report and not on top of the page; apart, as they cost more."""
    parts = ["other agreement", data_version(study), selection.of_items]

    def compute() -> tuple[Named, ...]:
        return others(panel, coded(panel.people, items=list(panel.items), values=panel.values))

    return remembered(NAMED, parts, compute)


def read_powered(study: Study, panel: Panel, run: RunColumn, *, of: Of = "rest") -> PoweredPart:
    """One run's help with the label shares of the items that nobody has labeled."""
    return powered_part(panel, run, learned=_has_learned(study, run), of=of)


def _has_learned(study: Study, run: RunColumn) -> bool:
    """Whether its model was trained here on this study, and so on these labels."""
    trained = Run.objects.filter(pk=run.key, model__training__isnull=False).select_related("model__training").first()
    return trained is not None and study.slug in trained.model.training.studies


def read_plans(study: Study, found: Known, asked: Sequence[Design], *, studies: int, coarse: bool) -> list[Planned]:
    """What to expect of each design: seconds the first time, for each state of the data, and nothing afterwards."""
    here = found.here
    if here is None:
        return []
    parts = {design: ["plan", data_version(study), coarse, design.items, design.labels, studies] for design in asked}
    computed = each_remembered(
        PLANNED, parts, lambda missing: {design: planned(here, design, studies=studies) for design in missing}
    )
    return [computed[design] for design in asked]


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
