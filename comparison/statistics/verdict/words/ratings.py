"""What is said of runs by ρ: whose scores follow people's ratings, whose best, and what people reach themselves."""

from collections.abc import Sequence

from comparison.statistics.verdict.evidence import Evidence
from comparison.statistics.verdict.parts import Labels, Placed, Runs
from comparison.statistics.verdict.words.models import chance_said
from comparison.statistics.verdict.words.wording import (
    MOST_NAMES,
    in_a_tile,
    listed,
    listed_shares,
    not_separated,
    of_all,
    resampled,
    spread,
)


def on_ratings(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    """How many items have something to correlate scores with.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> ratings, unlabeled = np.arange(40.0), np.full(40, -1)
    >>> one = Entrant(run=1, name="A", is_baseline=False, decided=unlabeled, scores=ratings**3)
    >>> found = verdict(Evidence(counts=np.zeros((40, 7), dtype=int), truth=unlabeled, words=tuple("1234567"),
    ...     ordered=True, entrants=(one,), measure="spearman", ratings=ratings, rated="people’s mean ratings"))
    >>> print(found.on("labels"))
    Scores are compared with people’s mean ratings, which all 40 items have.
    """
    if not labels.known:
        return "There are no ratings yet to compare scores with."
    have = of_all(labels.known, labels.items, "item")
    return f"Scores are compared with {evidence.rated}, which {have} {'has' if labels.known == 1 else 'have'}."


def on_chance(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    if not runs.models:
        return chance_said(evidence, labels, runs)
    return (_on_models(evidence, runs),)


def _on_models(evidence: Evidence, runs: Runs) -> str:
    models = runs.models
    told, below = [one for one in models if one.beats_chance], [one for one in models if one.is_below_chance]
    if told:
        return _named_models(told, models, evidence.rated)
    if below:
        return f"No model’s scores rise with {evidence.rated}; those of {_named(below)} fall."
    reached = models[0].value.short if len(models) == 1 else spread([one.value.value or 0.0 for one in models])
    whose = f"The scores of {models[0].name} are" if len(models) == 1 else "No model’s scores are"
    shown = "not shown" if len(models) == 1 else "shown"
    return f"{whose} {shown} to rise with {evidence.rated}: ρ = {reached} on {of_all(runs.items, runs.items, 'item')}."


def on_nearest(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    """The answer, and how sure it is."""
    nearest = runs.nearest
    if not nearest or len(runs.models) == 1:
        return ()
    figures = [one.value.short for one in nearest]
    shares = [one.best for one in nearest if one.best is not None]
    if len(nearest) == 1:
        best = f"It is first in {resampled(shares[0])} resampled sets of items." if shares else ""
        return f"{nearest[0].name} follows them best: ρ = {figures[0]} on {runs.items:,} items.", best
    if len(nearest) <= MOST_NAMES:
        others = listed([f"{one.name} ({figure})" for one, figure in zip(nearest[1:], figures[1:], strict=True)])
        best = f"They are first in {listed_shares(shares)} resampled sets of items." if shares else ""
    else:
        others = f"{len(nearest) - 1:,} others (down to {figures[-1]})"
        best = f"None of them is first in more than {resampled(max(shares))} resampled sets of items." if shares else ""
    first = f"{nearest[0].name} has the highest ρ, {figures[0]} on {runs.items:,} items"
    return f"{first}; that it is higher than that of {others} is not shown.", best


def on_ceiling(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    if runs.person.value is None:
        return ""
    return (
        f"The mean ratings of {evidence.many} reach ρ = {runs.person.short} with those of as many others "
        "(split halves, Spearman–Brown)."
    )


def in_short(runs: Runs) -> tuple[str, str]:
    nearest, models = runs.nearest, runs.models
    if not models:
        return "", ""
    if not nearest:
        return "none shown to follow the ratings", ""
    if len(nearest) == 1:
        return in_a_tile(nearest[0].name), f"ρ = {nearest[0].value.short}"
    return not_separated([one.name for one in nearest]), f"ρ = {spread([one.value.value or 0.0 for one in nearest])}"


def _named_models(told: Sequence[Placed], models: Sequence[Placed], rated: str) -> str:
    """Up to four by name with their figures; of more, the one that rises most."""
    of_them = of_all(len(told), len(models), "model")
    if len(told) > MOST_NAMES:
        most = f"most those of {told[0].name}, ρ = {told[0].value.short}"
        return f"The scores of {of_them} rise with {rated} more than by chance (ρ = 0), {most}."
    who = _named(told) if len(told) == len(models) else f"{of_them}, {_named(told)},"
    return f"The scores of {who} rise with {rated} more than by chance (ρ = 0)."


def _named(some: Sequence[Placed]) -> str:
    figures = [f"{one.name} (ρ = {one.value.short})" for one in some[:MOST_NAMES]]
    return f"{', '.join(figures)} and {len(some) - MOST_NAMES:,} more" if len(some) > MOST_NAMES else listed(figures)
