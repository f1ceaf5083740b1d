"""Which models are nearest, and which baselines are as near: in sentences."""

from comparison.statistics.verdict.best import FEWEST_GROUPS
from comparison.statistics.verdict.evidence import Evidence
from comparison.statistics.verdict.parts import Labels, Placed, Runs
from comparison.statistics.verdict.words.wording import (
    MOST_NAMES,
    listed,
    listed_shares,
    of_all,
    reach,
    resampled,
    spread,
)


def nearest_said(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    """The answer, which names all that cannot be told from the best, and how sure it is.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> right = np.arange(40) % 2
    >>> runs = [Entrant(run=run, name=name, is_baseline=False, decided=np.where(np.arange(40) < 40 - run, right, 0))
    ...     for run, name in enumerate("AB", 1)]
    >>> print(verdict(Evidence(counts=np.eye(2, dtype=int)[right] * 3, truth=right, words=("no", "yes"), ordered=False,
    ...     entrants=tuple(runs))).on("nearest"))
    The nearest is one of these: A and B. They reach accuracy .98 [.86, 1.00] and .98 [.86, 1.00] against the majority
    label on 40 items (intervals hold for all at once). They are first in 50 and 50 of 100 resampled sets of items.
    """
    nearest, models = runs.nearest, runs.models
    if not nearest or (len(models) == 1 and not models[0].is_told):
        return ()
    of = "" if any(one.is_told for one in models) else " of the models"
    chances = _chances(labels, nearest)
    if len(nearest) > 1:
        return f"{_one_of_these(evidence, labels, runs, of)}{_not_ruled_out(runs)}", chances
    reaching = reach(evidence.by.key, labels.against, nearest[0].joint.short, runs.items)
    if len(models) == 1:
        return (f"It {reaching}.",)
    what = of or (" model" if not runs.not_above else "")
    return f"{nearest[0].name} is the nearest{what}: it {reaching}.{_not_ruled_out(runs)}", chances


def _one_of_these(evidence: Evidence, labels: Labels, runs: Runs, of: str) -> str:
    """Several, by name where they are few."""
    nearest, measure = runs.nearest, evidence.by.key
    if len(nearest) > MOST_NAMES:
        figures = spread([one.value.value or 0.0 for one in nearest])
        reaching = reach(measure, labels.against, figures, runs.items, several=True)
        return f"The nearest is one of {of_all(len(nearest), len(runs.models), 'model')}: they {reaching}."
    names, figures = listed([one.name for one in nearest]), listed([one.joint.short for one in nearest])
    reaching = reach(measure, labels.against, figures, runs.items, several=True)
    together = " (intervals hold for all at once)" if any(one.joint.low is not None for one in nearest) else ""
    return f"The nearest{of} is one of these: {names}. They {reaching}{together}."


def _not_ruled_out(runs: Runs) -> str:
    """Members of the set whose own value is chance's or worse: they may be the best all the same."""
    some = runs.not_above
    if not some:
        return ""
    who = listed([one.name for one in some]) if len(some) <= MOST_NAMES else f"{len(some):,} more"
    return f" {who}, no better than chance, {'is' if len(some) == 1 else 'are'} not ruled out."


def _chances(labels: Labels, nearest: tuple[Placed, ...]) -> str:
    best = [one.best for one in nearest if one.best is not None]
    if not best and labels.groups > 1:
        return f"Fewer than {FEWEST_GROUPS} groups of items are too few to separate any two models."
    if not best:
        return "All items are of one group, which tells nothing of others."
    if len(best) == 1:
        return f"It is first in {resampled(best[0])} resampled sets of items."
    if len(best) <= MOST_NAMES:
        return f"They are first in {listed_shares(best)} resampled sets of items."
    return f"None of them is first in more than {resampled(max(best))} resampled sets of items."


def baselines_said(runs: Runs) -> str:
    """A clause on those that are as near as models."""
    level = runs.level
    if not level or (len(runs.models) == 1 and not runs.models[0].is_told):
        return ""
    names = listed([f"{one.name} ({one.value.short})" for one in level])
    subject, verb = ("the baseline", "is") if len(level) == 1 else ("the baselines", "are")
    said = f"{verb} nearer than every model" if runs.are_behind else f"{verb} tied with the nearest"
    return f"{subject} {names} {said}"
