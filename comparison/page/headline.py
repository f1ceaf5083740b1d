"""The answer first: which model is nearest, how near, and how that compares with one person."""

from collections.abc import Iterable
from dataclasses import dataclass

from comparison.page.findings import Findings, RunFinding
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict import nearest


@dataclass(frozen=True, slots=True)
class Headline:
    """The nearest model and the best baseline against one truth; None where no run of that sort has an accuracy."""

    nearest: RunFinding | None
    baseline: RunFinding | None
    band: Estimate
    verdict: str


def headline(found: Findings, target: str) -> Headline:
    leading = _most_accurate((run for run in found.runs if not run.is_baseline), target)
    baseline = _most_accurate((run for run in found.runs if run.is_baseline), target)
    band = found.band(target)
    held = leading or baseline
    return Headline(leading, baseline, band, _verdict(held, band, target) if held else "")


def strongest(found: Findings, target: str) -> RunFinding | None:
    """Of the runs that name no label, the one whose strength goes with `target` most closely."""
    by_number = {int(run.key): run for run in found.runs}
    led = nearest.strongest(_candidate(run, target) for run in found.runs)
    return by_number[led.run] if led else None


def _most_accurate(runs: Iterable[RunFinding], target: str) -> RunFinding | None:
    """The one that is nearest, if it has an accuracy."""
    by_number = {int(run.key): run for run in runs}
    led = nearest.nearest(_candidate(run, target) for run in by_number.values())
    return by_number[led.run] if led and led.statistic == nearest.ACCURACY else None


def _candidate(run: RunFinding, target: str) -> nearest.Candidate:
    return nearest.Candidate(
        run=int(run.key),
        is_baseline=run.is_baseline,
        decides=run.decided > 0,
        accuracy=run.against(target).hits.accuracy,
        rho=run.strength(target),
    )


def _verdict(run: RunFinding, band: Estimate, target: str) -> str:
    """How the run stands to one person, by their intervals. Words, so that no one need compare by eye."""
    own = run.against(target).hits.accuracy
    if own.low is None or own.high is None or band.low is None or band.high is None:
        return ""
    if own.high < band.low:
        return "lies below that one"
    if own.low > band.high:
        return "lies above that one"
    return "overlaps that one"
