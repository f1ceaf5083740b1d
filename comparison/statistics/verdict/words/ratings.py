"""What is said of runs by ρ: whose scores follow people's ratings, whose best, and what people reach themselves."""

from collections.abc import Iterator, Sequence

from comparison.statistics.strengths.correlation import BY_LUCK
from comparison.statistics.verdict import parts
from comparison.statistics.verdict.evidence import Evidence
from comparison.statistics.verdict.finding import OPEN, Finding, State, joined
from comparison.statistics.verdict.parts import Labels, People, Placed, Runs
from comparison.statistics.verdict.words.models import (
    IS_TIE,
    MISSING,
    NEAREST,
    NOT_SHOWN,
    NOTE,
    ONLY,
    WORSE,
    are_nearest,
    beside_intervals,
    difference_of,
    figures_of,
    has_too_few_groups,
    more_tied,
    no_models,
    not_nearer,
    state_of,
    too_few_groups,
)
from comparison.statistics.verdict.words.people import all_of, are_enough, coming_in
from comparison.statistics.verdict.words.person import all_named
from comparison.statistics.verdict.words.wording import (
    MOST_NAMES,
    capital,
    in_a_tile,
    in_letters,
    listed,
    named,
    resampled,
    tied,
)
from corpus.errors import counted

BELOW = State("Below", OPEN)


def on_ratings(evidence: Evidence, labels: Labels, people: People | None = None) -> Iterator[Finding]:
    """How many items have something to correlate scores with.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> ratings, unlabeled = np.arange(40.0), np.full(40, -1)
    >>> one = Entrant(run=1, name="A", is_baseline=False, decided=unlabeled, scores=ratings**3)
    >>> found = verdict(Evidence(counts=np.zeros((40, 7), dtype=int), truth=unlabeled, words=tuple("1234567"),
    ...     ordered=True, entrants=(one,), measure="spearman", ratings=ratings, rated="people’s mean ratings"))
    >>> print(found.on("labels"))
    All 40 items have ratings. Scores are compared with people’s mean ratings
    """
    if not labels.known:
        yield Finding(parts.LABELS, MISSING, "There are no ratings yet.")
        return
    text = f"{all_of(labels.known, labels.items)} {'has' if labels.known == 1 else 'have'} ratings."
    compared = f"Scores are compared with {evidence.rated}"
    yield Finding(parts.LABELS, are_enough(labels, people), text, joined(compared, coming_in(labels)))


def on_chance(evidence: Evidence, labels: Labels, runs: Runs) -> Iterator[Finding]:
    models = runs.models
    if not models:
        yield from no_models(evidence, labels)
        return
    told, below = [one for one in models if one.beats_chance], [one for one in models if one.is_below_chance]
    if told:
        rest = len(models) - len(told) - len(below)
        silent = [one.name for one in models if one not in told and one not in below]
        whom = named(silent) if 0 < rest <= MOST_NAMES else f"the other {in_letters(rest)}"
        others = f"not shown for {whom}" if rest else ""
        state = state_of(told, models, is_all_of_it=True)
        text = f"{_whose(told, runs)} rise with {evidence.rated}."
        yield Finding(parts.CHANCE, state, text, joined("ρ > 0, p < .05 (Holm)", others, beside_intervals(runs)))
    elif not below:
        luck = BY_LUCK if any(one.value.no_interval == BY_LUCK for one in models) else ""
        figures = joined(f"ρ = {figures_of(models)}", luck, beside_intervals(runs))
        yield Finding(parts.CHANCE, NOT_SHOWN, none_rises(evidence, runs), figures)
    if below:
        figures = f"ρ = {figures_of(below)}, p < .05 (Holm)"
        yield Finding(parts.CHANCE, WORSE, f"{_whose(below, runs)} fall with {evidence.rated}.", figures)


def none_rises(evidence: Evidence, runs: Runs) -> str:
    models = runs.models
    whose = f"Scores of {in_a_tile(models[0].name)} are not" if len(models) == 1 else "No model’s scores are"
    return f"{whose} shown to rise with {evidence.rated}."


def on_nearest(evidence: Evidence, labels: Labels, runs: Runs) -> Iterator[Finding]:
    """The answer, and how sure it is."""
    nearest, on = runs.nearest, f"on {counted(runs.items, 'item')}"
    if runs.only_shown and not has_too_few_groups(labels, runs):
        yield not_nearer(f"No model is shown to follow {evidence.rated} best.", runs.only_shown, labels, runs)
    if not nearest:
        return
    figure = f"ρ = {nearest[0].value.short}"
    if len(runs.models) == 1:
        yield Finding(
            parts.NEAREST, ONLY, f"{in_a_tile(nearest[0].name)} is the only model compared.", f"{figure} {on}"
        )
    elif has_too_few_groups(labels, runs):
        yield too_few_groups(labels)
    elif len(nearest) == 1:
        first = "" if nearest[0].best is None else f"first in {resampled(nearest[0].best)} resamples"
        text = f"{in_a_tile(nearest[0].name)}’s scores follow {evidence.rated} best."
        yield Finding(parts.NEAREST, NEAREST, text, joined(f"{figure} {on}", first))
    else:
        few = len(nearest) <= MOST_NAMES
        names = named([one.name for one in nearest]) if few else how_many(nearest, runs)
        figures = listed([one.value.short for one in nearest]) if few else figures_of(nearest)
        if runs.is_even:
            text = f"{names} follow {evidence.rated} best and cannot be separated."
        else:
            text = f"{names} {are_nearest(runs)} to {evidence.rated}."
        yield Finding(
            parts.NEAREST,
            IS_TIE if runs.is_even else NOT_SHOWN,
            text,
            joined(f"ρ = {figures} {on}", difference_of(runs, labels), more_tied(runs, to="rise")),
        )


def on_ceiling(evidence: Evidence, labels: Labels, runs: Runs) -> Iterator[Finding]:
    """What people's mean ratings reach with one another, and whether all the nearest models are below it.

    Two 95 % intervals that do not meet show a difference, however the two figures hang together.
    """
    person, nearest = runs.person, runs.leading
    if person.value is None:
        return
    how = f"split halves of the {evidence.annotators}, Spearman–Brown"
    if nearest and person.low is not None and all((one.value.high or 1.0) < person.low for one in nearest):
        they = f"{all_named(nearest)} correlate{'s' if len(nearest) == 1 else ''}"
        text = f"{they} less with the mean ratings than two halves of the {evidence.annotators} do."
        yield Finding(parts.PERSON, BELOW, text, joined(f"ρ = {figures_of(nearest)} against {person.short}", how))
        return
    text = f"Mean ratings of {evidence.people} agree with each other at ρ = {person.short}."
    yield Finding(parts.PERSON, NOTE, text, capital(how))


def headline(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    """What goes by ρ: never that two follow ratings equally well, which no test shows."""
    nearest, below = runs.nearest, [one for one in runs.models if one.is_below_chance]
    if not runs.leading:
        return (f"{_whose(below, runs)} fall with {evidence.rated}." if below else none_rises(evidence, runs),)
    if has_too_few_groups(labels, runs):
        return (too_few_groups(labels).statement,)
    rho = f"ρ {runs.leading[0].value.number}"
    if runs.only_shown or len(runs.models) == 1:
        return (f"{in_a_tile(runs.leading[0].name)}’s scores rise with {evidence.rated} ({rho}).",)
    if len(nearest) == 1:
        return (f"{in_a_tile(nearest[0].name)}’s scores follow {evidence.rated} best ({rho}).",)
    return (f"{how_many(nearest, runs)} {are_nearest(runs)} to {evidence.rated}.",)


def how_many(some: Sequence[Placed], runs: Runs) -> str:
    """Of the compared models, or of their runs: two, or 5 of 7."""
    few = capital(f"{in_letters(len(some))} {runs.noun}s")
    return few if len(some) <= MOST_NAMES else f"{len(some):,} of {len(runs.models):,} {runs.noun}s"


def in_short(runs: Runs) -> tuple[str, str]:
    nearest = runs.nearest
    if not runs.models:
        return "", ""
    if runs.only_shown:
        return "none shown to follow the ratings best", ""
    if not nearest:
        return "none shown to follow the ratings", ""
    if len(nearest) == 1:
        return in_a_tile(nearest[0].name), f"ρ = {nearest[0].value.short}"
    return tied([one.name for one in nearest], is_even=runs.is_even), f"ρ = {figures_of(nearest)}"


def _whose(some: Sequence[Placed], runs: Runs) -> str:
    if len(some) == 1:
        return f"Scores of {in_a_tile(some[0].name)}"
    return capital(f"{in_letters(len(some))} {runs.noun}s’ scores")
