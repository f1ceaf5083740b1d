"""A verdict in words, in the order in which a reader must have them: the headline, and the lines that it rests on."""

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from comparison.statistics.verdict import parts
from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.finding import GOOD, OPEN, Finding, State
from comparison.statistics.verdict.measure import DISTANCE, KAPPA, RHO
from comparison.statistics.verdict.parts import Labels, People, Placed, Runs
from comparison.statistics.verdict.taking_part import Outside
from comparison.statistics.verdict.words import ratings
from comparison.statistics.verdict.words.models import (
    NOTHING,
    are_nearest,
    baselines_level,
    beats,
    beats_no_constant,
    has_too_few_groups,
    near,
    none_beats,
    not_ahead_of,
    on_chance,
    on_nearest,
    only_beats,
)
from comparison.statistics.verdict.words.people import is_noise, on_labels, on_people
from comparison.statistics.verdict.words.person import (
    BELOW,
    LEVEL,
    beside,
    on_copies,
    on_person,
    on_settling,
    without_chance,
)
from comparison.statistics.verdict.words.wording import (
    CUT,
    MOST_NAMES,
    called,
    capital,
    in_a_tile,
    in_letters,
    length,
    named,
    spread,
    tied,
)
from corpus.errors import counted

MOST_OF_A_HEADLINE = 16
COMING = "Labels are still coming in: "
NOTE, YES, NOT_SHOWN = State("Note", OPEN), State("Yes", GOOD), State("Not shown", OPEN)
MEASURED = {KAPPA: "Quadratic κ with", DISTANCE: "Steps from", RHO: "Spearman’s ρ with"}
# Of what runs are left out, so many reasons are named.
MOST_REASONS = 3


def findings(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> tuple[Finding, ...]:
    """In their order. Where people's labels may be noise, no model is said to be near them."""
    speech, noisy = _speech(evidence), may_be_noise(labels, people)
    found = [
        *speech.labels(evidence, labels, people),
        *on_people(people, labels, evidence),
        *speech.chance(evidence, labels, runs),
        *(() if noisy else speech.nearest(evidence, labels, runs)),
        *on_copies(people, labels),
        *(() if noisy else speech.person(evidence, labels, runs)),
        *_advice(evidence, labels, people, runs),
        *on_strengths(evidence, runs),
        *on_left_out(labels, runs),
    ]
    return tuple(found)


def may_be_noise(labels: Labels, people: People) -> bool:
    """Whether what models are compared with may be."""
    return bool(labels.labeled) and labels.against == MAJORITY and is_noise(people)


def headline(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> str:
    """The answer, in at most 16 words: a second clause stands where there is room for it."""
    names = [in_a_tile(one.name) for one in runs.placed]
    held = (*names, *evidence.words)
    first, *more = _clauses(evidence, labels, people, runs)
    if labels.are_coming and runs.models:
        keeps = first.startswith(tuple(names)) if names else False
        return f"{COMING}{first if keeps else f'{first[:1].lower()}{first[1:]}'}"
    longer = [f"{first} {one}" for one in more if length(f"{first} {one}", held) <= MOST_OF_A_HEADLINE]
    return longer[0] if longer else first


def _clauses(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> tuple[str, ...]:
    """What is answered, and what may be added to it, the weightier first."""
    if not runs.models:
        return (next((one.statement for one in on_strengths(evidence, runs)), NOTHING),)
    if may_be_noise(labels, people):
        who = capital(evidence.people)
        if labels.are_coming:
            return (f"{who} are not yet shown to agree beyond chance.",)
        return (f"{who} are not shown to agree beyond chance, so no model can be called near.",)
    return _speech(evidence).headline(evidence, labels, runs)


def _headline(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    models, nearest = runs.models, runs.nearest
    below = [one for one in models if one.is_below_chance]
    if not any(one.beats_chance for one in models):
        return (_none_beats(evidence, labels, runs, below),)
    if none := beats_no_constant(evidence, runs):
        return (none,)
    if has_too_few_groups(labels, runs):
        return ("Too few groups to separate any two models.",)
    more = (*_on_baselines(labels, runs), *_on_person(evidence, runs))
    if len(models) == 1:
        return (f"{beats(evidence, labels, runs, models)}.", *more)
    if runs.only_shown:
        return (only_beats(evidence, labels, runs, runs.only_shown), *_on_baselines(labels, runs))
    if len(nearest) == 1:
        return (f"{in_a_tile(nearest[0].name)} is nearest to {near(evidence, labels)}.", *more)
    return (f"{ratings.how_many(nearest, runs)} {are_nearest(runs)} to {near(evidence, labels)}.", *more)


def _none_beats(evidence: Evidence, labels: Labels, runs: Runs, below: Sequence[Placed]) -> str:
    if not below:
        return none_beats(evidence, labels, runs)
    if len(runs.models) == 1:
        return f"{in_a_tile(below[0].name)} does worse than chance."
    return f"No model beats chance; {in_letters(len(below))} {'does' if len(below) == 1 else 'do'} worse."


def _on_baselines(labels: Labels, runs: Runs) -> Iterator[str]:
    level = baselines_level(runs)
    if level and runs.are_behind:
        yield "A baseline beats every model." if len(runs.models) > 1 else "A baseline beats it."
    elif level:
        yield not_ahead_of(labels, runs, level)


def _on_person(evidence: Evidence, runs: Runs) -> Iterator[str]:
    nearest, where = beside(runs)
    single = f"a single {evidence.annotator}"
    if where == BELOW.word:
        all_of_them = "Both fall" if len(nearest) == 2 else "All fall"
        yield f"{'It falls' if len(nearest) == 1 else all_of_them} short of {single}."
    if where == LEVEL.word and not without_chance(runs, nearest, where):
        yield f"No gap to {single} is shown."


def _advice(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> Iterator[Finding]:
    """How many more items; none where they would tell nearness to noise, or what a constant beats."""
    is_vain = runs.settling.what in ("chance", "favoring") and all(one.is_below_constant for one in runs.models)
    if not is_vain and not may_be_noise(labels, people):
        yield from on_settling(evidence, runs)


def on_strengths(evidence: Evidence, runs: Runs) -> Iterator[Finding]:
    rated = runs.heard
    if not rated:
        return
    told = [one for one in rated if one.is_told]
    if not told:
        whose = f"Scores of {in_a_tile(rated[0].name)} are not" if len(rated) == 1 else "No model’s scores are"
        yield Finding(parts.STRENGTHS, NOT_SHOWN, f"{whose} shown to rise with {evidence.rated}.")
    elif len(told) == 1:
        rho = f"{in_a_tile(told[0].name)} (ρ = {told[0].rho.short})"
        yield Finding(parts.STRENGTHS, YES, f"Scores of {rho} rise with {evidence.rated}.")
    else:
        few = len(told) <= MOST_NAMES
        whose = f"Scores of {named([one.name for one in told])}" if few else f"{len(told):,} models’ scores"
        figures = named([one.rho.short for one in told]) if few else spread([one.rho.value or 0.0 for one in told])
        yield Finding(parts.STRENGTHS, YES, f"{whose} rise with {evidence.rated}.", f"ρ = {figures}")


def on_left_out(labels: Labels, runs: Runs) -> Iterator[Finding]:
    left = labels.known - runs.items if runs.items else 0
    if left > 0:
        are = "is" if left == 1 else "are"
        text = f"{counted(left, 'item')} {are} left out because a run has no answer."
        # What a model leaves out need not be random.
        alone = "One model is nearest only if it still is with these counted as wrong"
        yield Finding(parts.LEFT_OUT, NOTE, text, alone if len(runs.models) > 1 else "")
    absent = [one for one in runs.outside if one.reason]
    if len(absent) == 1:
        yield Finding(parts.LEFT_OUT, NOTE, f"Not compared: {_reasons(absent)}.")
    elif absent:
        text = capital(f"{in_letters(len(absent))} runs are not compared.")
        yield Finding(parts.LEFT_OUT, NOTE, text, _reasons(absent))


def _reasons(absent: Sequence[Outside]) -> str:
    """
    >>> runs = [Outside(place, f"m{place}", False, "running") for place in range(6)]
    >>> _reasons(runs[:2]), _reasons([*runs, Outside(9, "A", False, "scores only")])
    ('m0 and m1 (running)', '6 runs (running), A (scores only)')
    """
    by_reason: dict[str, list[str]] = defaultdict(list)
    for one in absent:
        by_reason[one.reason].append(one.name)
    told = [f"{_some(names)} ({reason})" for reason, names in by_reason.items()]
    if len(told) <= MOST_REASONS:
        return ", ".join(told)
    more = sum(map(len, list(by_reason.values())[MOST_REASONS - 1 :]))
    return f"{', '.join(told[: MOST_REASONS - 1])} and {in_letters(more)} more"


def _some(names: list[str]) -> str:
    return named(names) if len(names) <= MOST_NAMES else f"{len(names):,} runs"


# --- What all of it rests on ---


def subtitle(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    """What every figure shares; empty where nothing is compared."""
    if not runs.placed:
        return ""
    key, truth = evidence.by.key, called(labels.against)
    if labels.against == MAJORITY and evidence.people != "people":
        truth = f"{truth} of {evidence.people}"
    truth = evidence.rated if key == RHO else truth
    measured = f"{MEASURED.get(key, 'Accuracy against')} {truth}"
    whose = f", {runs.counted_words}" if runs.counted_words else ""
    return f"{measured} on {counted(runs.items, 'item')}{whose}, with 95 % confidence intervals"


def method(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    """Tests, correction, level and items; at most 90 words."""
    if not runs.placed:
        return ""
    count, items = len(runs.placed), counted(runs.items, "item")
    look = ", at every look while labels come in" if labels.are_coming else ""
    level = f"p < .05{f', Holm’s correction over {count:,} runs' if count > 1 else ''}{look}."
    if evidence.by.key == RHO:
        asked = f"Scores are compared with {evidence.rated} on the {items} that every run scored. Better than chance: "
        return f"{asked}Fisher’s z, two-sided, {level} Nearest: a 95 % confidence set over resampled items."
    over, drawn = (" over groups", "groups") if labels.groups else ("", "items")
    shuffled = " Not by common labels: also better than its own labels shuffled across items, a permutation test."
    cut = f" {CUT} Labels by cut points on a score; chance is the same labels shuffled." if _is_cut(runs) else ""
    told = f"Better than chance: an exact one-sided test{over}.{shuffled if runs.can_favor else ''} {level}"
    return (
        f"Runs are compared on the {items} that all of them answered. {told} Nearest: a 95 % confidence set over "
        f"resampled {drawn}; intervals of tied models are simultaneous. A single {evidence.annotator} and a model are "
        f"compared with the same labels, over items and {evidence.annotators}.{cut}"
    )


def _is_cut(runs: Runs) -> bool:
    return any(one.how for one in runs.placed)


# --- By hits, or by ρ with people's ratings ---


@dataclass(frozen=True, slots=True)
class _Speech:
    """What is said of each part, by the kind of measure: of hits, or of ρ with people's ratings."""

    labels: Callable[[Evidence, Labels, People], Iterator[Finding]]
    chance: Callable[[Evidence, Labels, Runs], Iterator[Finding]]
    nearest: Callable[[Evidence, Labels, Runs], Iterator[Finding]]
    person: Callable[[Evidence, Labels, Runs], Iterator[Finding]]
    headline: Callable[[Evidence, Labels, Runs], tuple[str, ...]]
    in_short: Callable[[Evidence, Runs], tuple[str, str]]


def _speech(evidence: Evidence) -> _Speech:
    return OF_RATINGS if evidence.by.key == RHO else OF_HITS


def in_short(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> tuple[str, str]:
    """What a list of studies has room for: who is nearest, or that none is, and the figure; empty where none is."""
    if runs.leading and may_be_noise(labels, people):
        return f"none can be called near: {evidence.people} not shown to agree", ""
    who, figure = _speech(evidence).in_short(evidence, runs)
    return (f"{who}, so far" if who and labels.are_coming else who), figure


def _in_short(evidence: Evidence, runs: Runs) -> tuple[str, str]:
    nearest, models = runs.nearest, runs.models
    if not models:
        return "", ""
    if not runs.leading:
        return ("none beats chance" if any(one.is_below_chance for one in models) else "none shown to beat chance"), ""
    if runs.constant is not None and beats_no_constant(evidence, runs):
        return f"none shown to beat always “{evidence.words[runs.constant.code]}”", ""
    if runs.only_shown:
        return "none shown to be nearest", ""
    if len(nearest) == 1:
        return in_a_tile(nearest[0].name), nearest[0].value.short
    names, figures = [one.name for one in nearest], spread([one.value.value or 0.0 for one in nearest])
    return tied(names, is_even=runs.is_even), figures


OF_HITS = _Speech(on_labels, on_chance, on_nearest, on_person, _headline, _in_short)
OF_RATINGS = _Speech(
    ratings.on_ratings,
    ratings.on_chance,
    ratings.on_nearest,
    ratings.on_ceiling,
    ratings.headline,
    lambda evidence, runs: ratings.in_short(runs),
)
