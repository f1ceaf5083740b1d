"""How long people take for an answer, and how many answers are quicker than the study's floor."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from pydantic import TypeAdapter

from annotation.models import Item
from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import Download, Row, estimated
from comparison.figures.table import Statistic, Table
from comparison.frame.response_times import Timed, read_timed
from comparison.frame.selected import Selected
from comparison.pictures.charts import Bin, histogram
from comparison.statistics.accuracy.hits import share_of
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.response_times import EDGES, Times, binned, median, medians_of, times_of

UNTIMED = "no answers were timed"
IMPORTED = "labels were imported without times"
ONLY_EXCLUDED = "all timed answers are from excluded annotators"
NO_FLOOR = "the exclusion rules set no floor"


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseTimes:
    """Of annotators who count; only `times.excluded` are of the others. Seconds.

    `typical` is the median annotator's own median, `under` the share of answers that are quicker than the floor.
    `why_none` says why there are no `times`.
    """

    times: Times | None
    floor_ms: int
    typical: Estimate
    under: Estimate
    why_none: str = ""

    @property
    def sentence(self) -> str:
        """Whether people rush."""
        if self.times is None:
            return f"None: {self.why_none}."
        if self.floor_ms:
            return f"{self.under.short} of answers are faster than the floor of {self.floor_ms / 1000:g} s."
        first, third = (seconds for percent, seconds in self.times.quantiles if percent in (25, 75))
        if f"{first:.1f}" == f"{third:.1f}":
            return f"Half of the answers take about {first:.1f} s."
        return f"Half of the answers take {first:.1f} to {third:.1f} s."


def response_times(timed: Timed, *, floor_ms: int, why_untimed: str = UNTIMED) -> ResponseTimes:
    out = np.isin(timed.annotators, timed.excluded)
    who, took = timed.annotators[~out], timed.took[~out]
    times = times_of(who, took)
    why = "" if times else ONLY_EXCLUDED if len(timed.took) else why_untimed
    typical = median(medians_of(who, took) / 1000, unit="annotators", reason=why)
    under = Estimate.none(NO_FLOOR, unit="answers")
    if floor_ms:
        every = np.ones(len(took), dtype=np.bool_)
        # Those of one annotator are quick or slow together.
        under = share_of(took < floor_ms, every, reason=why, sample=Sample(clusters=who))
    return ResponseTimes(
        times=times and replace(times, excluded=binned(timed.took[out])),
        floor_ms=floor_ms,
        typical=typical,
        under=replace(under, unit="answers"),
        why_none=why,
    )


# --- The figure -------------------------------------------------------------------------------------


def _compute(chosen: Selected, floor_ms: int) -> ResponseTimes:
    timed = read_timed(chosen.study)
    if chosen.selection.narrows:
        selected = set(chosen.panel.items)
        items = Item.objects.filter(study=chosen.study, kind=Item.Kind.TARGET).values_list("pk", "external_id")
        timed = timed.of_items([pk for pk, name in items if name in selected])
    why = IMPORTED if chosen.study.label_sources.exists() else UNTIMED
    return response_times(timed, floor_ms=floor_ms, why_untimed=why)


def _statistics(times: ResponseTimes) -> Iterator[tuple[str, Statistic | str, Estimate]]:
    """Each as files name it, and in words; a quantile says itself what it is."""
    typical = "median_annotator_seconds"
    yield typical, Statistic("Median annotator, seconds", typical), times.typical
    under = f"Answers faster than {times.floor_ms / 1000:g} s" if times.floor_ms else "Answers faster than the floor"
    yield "share_under_floor", Statistic(under, "share_under_floor"), times.under
    for percent, seconds in times.times.quantiles if times.times else ():
        whole = Estimate(seconds, n=times.times.answers, unit="answers", no_interval="it describes these answers")  # type: ignore[union-attr]
        yield f"p{percent}_seconds", f"{percent} % of answers are faster than, seconds", whole


def _tables(chosen: Selected) -> Iterator[Table]:
    times = RESPONSE_TIMES.read(chosen)
    if times.times:
        yield Table(
            name="response-times",
            title="Response times",
            columns=("Statistic", "Value"),
            rows=tuple((words, one) for _, words, one in _statistics(times)),
            rests_on="n counts annotators for the median annotator, otherwise answers; excluded "
            "annotators are left out, and quantiles of answers have no interval",
            method="Brackets are 95 % intervals (of the median, by order statistics of annotators; of the share, "
            "Wilson with the design effect of annotators)",
        )


def _charts(chosen: Selected) -> dict[str, Chart]:
    times, people = RESPONSE_TIMES.read(chosen), chosen.study.people
    if times.times is None:
        return {}
    bins = [Bin(*one) for one in zip(EDGES[:-1], EDGES[1:], times.times.counted, times.times.excluded, strict=True)]
    middle = next(seconds for percent, seconds in times.times.quantiles if percent == 50)
    rules = {f"median {middle:.1f} s": middle}
    if times.floor_ms:
        rules[f"floor {times.floor_ms / 1000:g} s"] = times.floor_ms / 1000
    spec = histogram(bins, rules=rules, synthetic=people.are_synthetic, title=synthetic(people))
    caption = f"Seconds from display to answer on a log scale: {times.times.words}; outlined: excluded annotators."
    return Chart.of("response-times", spec, caption)


def _lines(chosen: Selected) -> Iterator[Row]:
    head = ["response times", "people", "", ""]
    for name, _, one in _statistics(RESPONSE_TIMES.read(chosen)):
        yield [*head, name, *estimated(one)]


def _and_bins(chosen: Selected) -> Iterator[Row]:
    """Statistics, and the columns of the picture."""
    yield from _lines(chosen)
    times = RESPONSE_TIMES.read(chosen).times
    for kind, counts in (("valid", times.counted), ("excluded", times.excluded)) if times else ():
        for low, high, count in zip(EDGES[:-1], EDGES[1:], counts, strict=True):
            name = f"answers_{kind}:{low / 1000:.3g}-{high / 1000:.3g}_seconds"
            yield ["response times", "people", "", "", name, count, None, None, None, "answers", count, "", ""]


RESPONSE_TIMES = Figure(
    key="response-times",
    part="people",
    title="Response times",
    shape=TypeAdapter(ResponseTimes),
    rests_on=lambda chosen: (chosen.study.policy.item_floor_ms,),
    compute=_compute,
    tables=_tables,
    charts=_charts,
    lines=_lines,
    download=Download(
        says="how long {many} take for an answer, and how many answers are faster than the floor",
        line="a figure of the answers of included annotators, or a column of the histogram; "
        "lines of the report by themselves, but for the columns",
        lines=_and_bins,
    ),
)
