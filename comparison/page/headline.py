"""The answer first: which model is nearest, how near, and how that compares with one person."""

from collections.abc import Sequence
from dataclasses import dataclass

from comparison.page.findings import Findings, RunFinding
from comparison.statistics.estimate import Estimate


@dataclass(frozen=True, slots=True)
class Headline:
    """The nearest model and the best baseline against one truth; None where no run of that sort has labels.

    Models that name labels come before those whose strengths were cut into degrees: only these have seen labels.
    """

    nearest: RunFinding | None
    baseline: RunFinding | None
    band: Estimate
    verdict: str


def headline(found: Findings, target: str) -> Headline:
    models = [run for run in found.runs if not run.is_baseline]
    own = _best([run for run in models if not run.is_cut], target)
    nearest = own or _best([run for run in models if run.is_cut], target)
    baseline = _best([run for run in found.runs if run.is_baseline], target)
    band = found.band(target)
    leading = nearest or baseline
    return Headline(nearest, baseline, band, _verdict(leading, band, target) if leading else "")


def strongest(found: Findings, target: str) -> RunFinding | None:
    """Of the runs that decide nothing, the one whose strength goes with people's labels most closely."""
    rated = [run for run in found.runs if run.decided == 0 and run.strength(target).value is not None]
    return max(rated, key=lambda run: run.strength(target).value or 0.0, default=None)


def _best(runs: Sequence[RunFinding], target: str) -> RunFinding | None:
    """By the lower end of the interval: a run that answered few items must not lead by luck."""
    rated = [run for run in runs if run.against(target).hits.compared]
    return max(rated, key=lambda run: run.against(target).hits.accuracy.low or 0.0, default=None)


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
