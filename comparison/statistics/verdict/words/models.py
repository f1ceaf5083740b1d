"""Which models beat chance and a constant label, who finds a rare class, and which are nearest: lines of a verdict."""

from collections.abc import Iterator, Sequence

from comparison.statistics.estimate import percent, plain
from comparison.statistics.verdict import parts
from comparison.statistics.verdict.best import FEWEST_GROUPS
from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.finding import BAD, GOOD, OPEN, TIE, WARN, Finding, State, joined
from comparison.statistics.verdict.measure import ACCURACY, DISTANCE, KAPPA
from comparison.statistics.verdict.parts import Labels, Placed, Runs
from comparison.statistics.verdict.words.wording import (
    MOST_NAMES,
    capital,
    in_a_tile,
    in_letters,
    named,
    number,
    reached,
    resampled,
    spread,
)
from corpus.errors import counted

NOTHING = "Nothing to compare yet."
# Of a test that holds at every look.
AT_A_LOOK = "tests allow for the labels still to come"
NOT_SHOWN, WORSE, MISSING = State("Not shown", OPEN), State("Worse", BAD), State("Missing", OPEN)
NOTE, CAUTION = State("Note", OPEN), State("Caution", WARN)
NEAREST, IS_TIE, ONLY, TOO_FEW = State("Nearest", GOOD), State("Tie", TIE), State("Only", OPEN), State("Too few", WARN)


# --- Which models beat chance? ---


def on_chance(evidence: Evidence, labels: Labels, runs: Runs) -> Iterator[Finding]:
    models = runs.models
    if not models:
        yield from no_models(evidence, labels)
        return
    told = [one for one in models if one.is_told]
    some = told or [one for one in models if one.beats_chance]
    below = [one for one in models if one.is_below_chance]
    beside = beside_intervals(runs)
    if some:
        rest = _rest(len(models) - len(some) - len(below), len(models))
        state = state_of(some, models, is_all_of_it=bool(told))
        better = beats(evidence, labels, runs, some)
        if told:
            favoring = ", and not by favoring common labels" if runs.can_favor else ""
            bars = joined(_told_by(evidence, runs, told), rest, beside)
            yield Finding(parts.CHANCE, state, f"{better}{favoring}.", bars)
        else:
            common = "knowing the most common label is enough to beat chance" if runs.constant_beats_chance else ""
            bars = joined(f"Chance {runs.chance_words}, constant {runs.constant_words}", common or rest)
            none = "it is not" if len(models) == 1 else "none is"
            text = f"{better}; {none} shown to do more than favor common labels."
            yield Finding(parts.CHANCE, state, text, joined(bars, beside))
    elif not below:
        coming = AT_A_LOOK if labels.are_coming else ""
        figures = joined(_none_by(evidence, runs), coming, beside)
        yield Finding(parts.CHANCE, NOT_SHOWN, none_beats(evidence, labels, runs), figures)
    if below:
        against = f"{figures_of(below)} against {_chances(below)}"
        figures = joined(f"{against}, p < .05 (Holm)", "" if some else beside)
        yield Finding(parts.CHANCE, WORSE, f"{worse(evidence, labels, runs, below)}.", figures)
    yield from _on_constant(evidence, runs)
    yield from _on_rare(evidence, runs)


def beside_intervals(runs: Runs) -> str:
    """Why a sentence on chance says otherwise than the intervals that are drawn: of one run alone, and two-sided."""
    drawn = [one for one in runs.models if one.value.low is not None and one.value.high is not None]
    crossing = [one for one in drawn if (one.value.low or 0.0) <= one.chance <= (one.value.high or 0.0)]
    shown = [one for one in crossing if one.beats_chance or one.is_below_chance]
    hidden = [one for one in drawn if one not in crossing and not (one.beats_chance or one.is_below_chance)]
    said = []
    if shown:
        p = plain(max(min(one.over_chance, one.under_chance) for one in shown), decimals=3)
        said.append(f"one-sided p {'=' if len(shown) == 1 else '≤'} {p}; intervals are two-sided")
    if hidden:
        p = plain(min(min(one.over_chance, one.under_chance) for one in hidden), decimals=3)
        count, sign = len(runs.placed), "=" if len(hidden) == 1 else "≥"
        said.append(f"Holm-corrected p {sign} {p}; intervals are uncorrected" if count > 1 else f"p {sign} {p}")
    return joined(*said)


def no_models(evidence: Evidence, labels: Labels) -> Iterator[Finding]:
    there = any(not one.is_baseline for one in evidence.entrants)
    if labels.known:
        text = "No model can be compared yet." if there else "No model has answered these items yet."
        yield Finding(parts.CHANCE, MISSING, text)


def state_of(some: Sequence[Placed], models: Sequence[Placed], *, is_all_of_it: bool) -> State:
    """How many of the models; `is_all_of_it`: not merely better than chance."""
    kind = GOOD if is_all_of_it else WARN
    if len(models) == 1:
        return State("Yes", GOOD) if is_all_of_it else State("In part", WARN)
    return State(f"All {len(models):,}" if len(some) == len(models) else f"{len(some):,} of {len(models):,}", kind)


def who(some: Sequence[Placed], runs: Runs) -> str:
    """The subject of a sentence: one by name, several by number."""
    return in_a_tile(some[0].name) if len(some) == 1 else capital(f"{in_letters(len(some))} {runs.noun}s")


def near(evidence: Evidence, labels: Labels) -> str:
    """The people, or the reference, that models are compared with."""
    return evidence.people if labels.against == MAJORITY else "the reference"


def beats(evidence: Evidence, labels: Labels, runs: Runs, some: Sequence[Placed]) -> str:
    s = "s" if len(some) == 1 else ""
    if evidence.by.key == DISTANCE:
        return f"{who(some, runs)} {'is' if s else 'are'} closer to {near(evidence, labels)} than chance"
    if evidence.by.key == KAPPA:
        return f"{who(some, runs)} beat{s} chance (κ = 0)"
    return f"{who(some, runs)} beat{s} chance{f' ({number(runs.chance)})' if runs.one_role else ''}"


def only_beats(evidence: Evidence, labels: Labels, runs: Runs, one: Placed) -> str:
    """Of the one model that beats chance, where others that are not shown to cannot be separated from it."""
    return f"{beats(evidence, labels, runs, [one])}; no model is shown to be nearest."


def yet(labels: Labels) -> str:
    """While labels come in: these tests allow for all looks, where one of two runs, now, may tell them apart."""
    return "yet " if labels.are_coming else ""


def none_is(runs: Runs, done: str) -> str:
    """The one model there is by its name, as no other is meant."""
    return f"{in_a_tile(runs.models[0].name)} is not {done}" if len(runs.models) == 1 else f"No model is {done}"


def none_beats(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    not_shown = none_is(runs, "shown")
    if evidence.by.key == DISTANCE:
        return f"{not_shown} to be closer to {near(evidence, labels)} than chance."
    return f"{not_shown} to beat chance{' (κ = 0)' if evidence.by.key == KAPPA else ''}."


def worse(evidence: Evidence, labels: Labels, runs: Runs, below: Sequence[Placed]) -> str:
    if evidence.by.key == DISTANCE:
        are = "is" if len(below) == 1 else "are"
        return f"{who(below, runs)} {are} farther from {near(evidence, labels)} than chance"
    return f"{who(below, runs)} {'does' if len(below) == 1 else 'do'} worse than chance"


def _rest(rest: int, models: int) -> str:
    return f"not shown for the other {in_letters(rest)}" if rest and rest < models else ""


def figures_of(some: Sequence[Placed]) -> str:
    return some[0].value.short if len(some) == 1 else spread([one.value.value or 0.0 for one in some])


def _chances(some: Sequence[Placed]) -> str:
    return spread([one.chance for one in some])


def _told_by(evidence: Evidence, runs: Runs, told: Sequence[Placed]) -> str:
    """What those that are told beat."""
    if evidence.by.key == KAPPA:
        return f"κ = {figures_of(told)}"
    if runs.one_role:
        return f"No constant baseline: {evidence.always_right}"
    chance, own = _chances(told), spread([one.shuffled for one in told if one.shuffled is not None])
    if all(one.how for one in told):
        return f"Chance {chance}, which the same labels score when shuffled across items"
    does = "are {} steps off" if evidence.by.key == DISTANCE else "score {}"
    their = "its" if len(told) == 1 else "their"
    return joined(f"Chance {chance}", f"shuffled across items, {their} labels {does.format(own)}")


def _none_by(evidence: Evidence, runs: Runs) -> str:
    models, constant = runs.models, runs.constant
    cut = any(_is_beyond(one, evidence, runs) for one in models)
    higher = ""
    if constant is not None and all(one.is_below_constant for one in models):
        does = "is closer" if evidence.by.key == DISTANCE else "scores higher"
        higher = f"always answering “{evidence.words[constant.code]}” {does} ({number(constant.value)})"
    as_well = "shuffled across items, cut-point labels score as well" if cut and not higher else ""
    return joined(f"{figures_of(models)} against {_chances(models)}", as_well, higher)


def _is_beyond(one: Placed, evidence: Evidence, runs: Runs) -> bool:
    """Whether labels by cut points have an interval beyond what drawn labels would reach."""
    if not one.how or one.value.low is None or one.value.high is None:
        return False
    return one.value.low > runs.chance if evidence.by.sign > 0 else one.value.high < runs.chance


# --- Would a constant label be nearer, and who finds a rare class? ---


def is_as_right(one: Placed, evidence: Evidence, runs: Runs) -> bool:
    """Whether a model beats chance and, beside a rare class, is not shown to be right more often than the constant."""
    if runs.rare is None or runs.constant is None or evidence.by.key != ACCURACY or one.value.low is None:
        return False
    return one.beats_chance and not one.is_below_constant and one.value.low <= runs.constant.value


def beats_no_constant(evidence: Evidence, runs: Runs) -> str:
    """That no model is shown to beat the best constant label; empty where one may."""
    if runs.constant is None:
        return ""
    is_above = [
        one.is_told and not one.is_below_constant and not is_as_right(one, evidence, runs) for one in runs.models
    ]
    if any(is_above):
        return ""
    return f"{none_is(runs, 'shown')} to beat always answering “{evidence.words[runs.constant.code]}”."


def _on_constant(evidence: Evidence, runs: Runs) -> Iterator[Finding]:
    """That one label for everything is above models that beat chance, or not shown to be below them.

    >>> from comparison.statistics.verdict.evidence import Entrant, Evidence
    >>> from comparison.statistics.verdict.rule import verdict
    >>> import numpy as np
    >>> truth = (np.arange(100) < 4).astype(int)
    >>> run = Entrant(run=1, name="A", is_baseline=False, decided=np.where(np.arange(100) < 20, 1 - truth, truth))
    >>> given = Evidence(counts=np.eye(2, dtype=int)[truth] * 3, truth=truth, words=("no", "yes"), ordered=False,
    ...     entrants=(run,))
    >>> [one.text for one in verdict(given).of("chance") if one.state.word == "Note"][0]
    'Always answering “no” scores .96, more than A. p < .05 (Holm)'
    """
    above = [one for one in runs.models if one.is_below_constant and one.beats_chance]
    level = [one for one in runs.models if is_as_right(one, evidence, runs)]
    if runs.constant is None:
        return
    label, value = f"lways answering “{evidence.words[runs.constant.code]}”", number(runs.constant.value)
    if above:
        all_of_them = "both of them" if len(above) == 2 else "all of them"
        some = sum(one.beats_chance for one in runs.models)
        than = in_a_tile(above[0].name) if len(above) == 1 else f"{in_letters(len(above))} of them"
        than = all_of_them if len(above) == some > 1 else than
        text = f"A{label} scores {value}, more than {than}."
        if evidence.by.key == DISTANCE:
            text = f"A{label} is {value} steps off, less than {than}."
        yield Finding(parts.CHANCE, NOTE, text, "p < .05 (Holm)")
    if level:
        subject = named([one.name for one in level]) if len(level) <= MOST_NAMES else who(level, runs)
        shown = "is not shown" if len(level) == 1 else "are not shown"
        text = f"{subject} {shown} to beat a{label}."
        yield Finding(parts.CHANCE, NOTE, text, f"{figures_of(level)} against {value}")


def _on_rare(evidence: Evidence, runs: Runs) -> Iterator[Finding]:
    """Who finds a class that few items are of."""
    found = runs.rare
    if found is None:
        return
    of = f"{counted(found.items, 'item')} that {'is' if found.items == 1 else 'are'}"
    start = f"Of {of} “{evidence.words[found.code]}”"
    finders = [one for one in found.finders if one.finds]
    if not finders:
        none = none_is(runs, "shown") if len(runs.models) == 1 else "no model is shown"
        yield Finding(parts.CHANCE, NOTE, f"{start}, {none} to find more than chance.")
        return
    best, others = finders[0], len(finders) - 1
    more = f"{in_letters(others)} more find{'s' if others == 1 else ''} some" if others else ""
    figures = f"Recall {best.recall.short}, precision {best.precision.short}"
    yield Finding(
        parts.CHANCE,
        NOTE,
        f"{start}, {in_a_tile(best.name)} finds {percent(best.recall.value or 0.0)}.",
        joined(figures, more),
    )


# --- Which models are nearest? ---


def on_nearest(evidence: Evidence, labels: Labels, runs: Runs) -> Iterator[Finding]:
    """Who is in the confidence set, and which baselines are as near.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> right = np.arange(40) % 2
    >>> runs = [Entrant(run=run, name=name, is_baseline=False, decided=np.where(np.arange(40) < 40 - run, right, 0))
    ...     for run, name in enumerate("AB", 1)]
    >>> [found] = verdict(Evidence(counts=np.eye(2, dtype=int)[right] * 3, truth=right, words=("no", "yes"),
    ...     ordered=False, entrants=tuple(runs))).of("nearest")
    >>> print(found.statement, found.evidence, sep="\\n")
    A and B are nearest to people and cannot be separated.
    .98 [.87, 1.00] and .98 [.87, 1.00] on 40 items · difference .00
    """
    nearest, models = runs.nearest, runs.models
    if runs.only_shown and not has_too_few_groups(labels, runs):
        text = f"No model is {yet(labels)}shown to be nearest to {near(evidence, labels)}."
        yield not_nearer(text, runs.only_shown, labels, runs)
        yield from _on_baselines(evidence, labels, runs)
    if not nearest or (len(models) == 1 and not models[0].is_told):
        return
    on = f"on {counted(runs.items, 'item')}"
    figure = reached(evidence.by.key, nearest[0].value.short)
    if len(models) == 1:
        yield Finding(parts.NEAREST, ONLY, f"{in_a_tile(models[0].name)} is the only model compared.", f"{figure} {on}")
    elif has_too_few_groups(labels, runs):
        yield too_few_groups(labels)
    else:
        yield _set(evidence, labels, runs, on)
    yield from _on_baselines(evidence, labels, runs)


def _set(evidence: Evidence, labels: Labels, runs: Runs, on: str) -> Finding:
    tied, key = runs.nearest, evidence.by.key
    among = "" if any(one.is_told for one in runs.models) else "Among the models, "
    if len(tied) == 1:
        first = "" if tied[0].best is None else f"first in {resampled(tied[0].best)} resamples"
        text = f"{among}{in_a_tile(tied[0].name)} is nearest to {near(evidence, labels)}."
        return Finding(parts.NEAREST, NEAREST, text, joined(f"{reached(key, tied[0].value.short)} {on}", first))
    if len(tied) <= MOST_NAMES:
        names, figures = named([one.name for one in tied]), named([one.value.short for one in tied])
    else:
        names = f"{len(tied):,} of {len(runs.models):,} {runs.noun}s"
        figures = spread([one.value.value or 0.0 for one in tied])
    whom = near(evidence, labels)
    if among or not runs.is_even:
        text = f"{among}{names} {are_nearest(runs)} to {whom}."
    else:
        text = f"{names} are nearest to {whom} and cannot {yet(labels)}be separated."
    return Finding(
        parts.NEAREST,
        IS_TIE if runs.is_even else NOT_SHOWN,
        text,
        joined(f"{reached(key, figures)} {on}", difference_of(runs, labels), more_tied(runs)),
    )


def are_nearest(runs: Runs) -> str:
    return "are tied nearest" if runs.is_even else "could be nearest"


def not_nearer(text: str, one: Placed, labels: Labels, runs: Runs) -> Finding:
    """That only one model is shown to beat chance, and which others cannot be separated from it."""
    few = len(runs.unshown) <= MOST_NAMES
    # A run's name stands as it is, however it begins.
    many = capital(f"{in_letters(len(runs.unshown))} others")
    others = named([other.name for other in runs.unshown]) if few else many
    same = f"{others} cannot be separated from {in_a_tile(one.name)}"
    return Finding(parts.NEAREST, NOT_SHOWN, text, joined(same, AT_A_LOOK if labels.are_coming else ""))


def difference_of(runs: Runs, labels: Labels) -> str:
    """How far two that are tied may be apart; while labels come in, by an interval that holds at every look."""
    return f"{runs.apart}, widened for an early look" if runs.apart and labels.are_coming else runs.apart


def more_tied(runs: Runs, *, to: str = "beat chance") -> str:
    """Models that may be nearest all the same, though they are not shown to beat chance."""
    if not runs.unshown:
        return ""
    are = f"{in_letters(len(runs.unshown))} more {'is' if len(runs.unshown) == 1 else 'are'}"
    return f"{are} not separated from them, nor shown to {to}"


def has_too_few_groups(labels: Labels, runs: Runs) -> bool:
    """Whether there are too few groups to separate any two models."""
    return len(runs.models) > 1 and bool(labels.groups) and all(one.best is None for one in runs.models)


def too_few_groups(labels: Labels) -> Finding:
    least = f"{counted(labels.groups, 'group')}; at least {FEWEST_GROUPS} are needed"
    return Finding(parts.NEAREST, TOO_FEW, "Too few groups to separate any two models.", least)


def baselines_level(runs: Runs) -> tuple[Placed, ...]:
    """Baselines that are as near as the nearest model; none where no model is said to be near."""
    return () if len(runs.models) == 1 and not runs.models[0].is_told else runs.level


def not_ahead_of(labels: Labels, runs: Runs, level: Sequence[Placed]) -> str:
    """Of baselines that cannot be separated from the nearest: their values may be far lower on few items."""
    if len(level) == 1:
        return f"{none_is(runs, f'{yet(labels)}shown')} to beat the baseline {in_a_tile(level[0].name)}."
    return f"{capital(in_letters(len(level)))} baselines are not {yet(labels)}shown to be beaten."


def _on_baselines(evidence: Evidence, labels: Labels, runs: Runs) -> Iterator[Finding]:
    level = baselines_level(runs)
    if not level:
        return
    figures, look = reached(evidence.by.key, figures_of(level)), ""
    alone = in_a_tile(runs.models[0].name) if len(runs.models) == 1 else ""
    every = alone or "every model"
    if not runs.are_behind:
        look = AT_A_LOOK if labels.are_coming else ""
        text = not_ahead_of(labels, runs, level)
        text = text if len(level) == 1 else f"{text.removesuffix('.')} by {alone or 'any model'}."
    elif len(level) == 1:
        text = f"{in_a_tile(level[0].name)} beats {every}."
    else:
        text = f"{capital(f'{in_letters(len(level))} baselines')} beat {every}."
    yield Finding(parts.NEAREST, CAUTION, text, joined(figures, look))
