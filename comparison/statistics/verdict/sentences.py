"""A verdict in sentences, in the order in which a reader must have them."""

from collections import defaultdict
from collections.abc import Sequence

from comparison.statistics.estimate import Estimate, counted
from comparison.statistics.verdict import parts
from comparison.statistics.verdict.advice import on_settling
from comparison.statistics.verdict.best import FEWEST_GROUPS
from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.parts import Labels, People, Placed, Runs, Said
from comparison.statistics.verdict.person_words import on_person
from comparison.statistics.verdict.taking_part import Outside
from comparison.statistics.verdict.wording import (
    MOST_NAMES,
    in_a_tile,
    listed,
    listed_shares,
    number,
    of_all,
    reach,
    resampled,
    spread,
)

# Krippendorff (2004), Content Analysis, page 241: conclusions from .8 on, tentative ones from .667.
GOOD, TENTATIVE = 0.8, 0.667

ONE_ROLE = "Every item has the same right answer by design, so a constant label is not a baseline."


def said(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> tuple[Said, ...]:
    """All that is said, without the parts on which there is nothing to say."""
    found = [
        Said(parts.LABELS, on_labels(labels, has_models=bool(runs.models))),
        Said(parts.PEOPLE, on_people(people, labels, evidence.many)),
        Said(parts.CHANCE, on_chance(evidence, labels, runs)),
        Said(parts.NEAREST, on_nearest(evidence, labels, runs)),
        Said(parts.PERSON, on_person(evidence, labels, runs)),
        Said(parts.SETTLING, _advice(evidence, labels, people, runs)),
        Said(parts.STRENGTHS, on_strengths(evidence, runs)),
        Said(parts.LEFT_OUT, on_left_out(labels, runs)),
    ]
    return tuple(one for one in found if one.text)


def on_labels(found: Labels, *, has_models: bool) -> str:
    """
    >>> few = Labels(items=12, labeled=12, known=12, against="majority", no_majority="", needed=11, is_few=True)
    >>> on_labels(few, has_models=True)
    'All 12 items have a majority label. That is few: a model must be right on 11 of 12 to be told from chance.'
    """
    why = f"{found.no_majority[:1].upper()}{found.no_majority[1:]}. " if found.no_majority else ""
    if not found.known:
        if not found.labeled:
            return "There are no labels and no references yet to hold a model against."
        if found.against == MAJORITY:
            return f"{why}Models can be held against the majority once items have two labels that agree."
        return "No item has a reference to hold a model against."
    have = of_all(found.known, found.items, "item")
    if found.against == MAJORITY:
        text = f"{have[:1].upper()}{have[1:]} {'has' if found.known == 1 else 'have'} a majority label."
    else:
        why = why or ("" if found.labeled else "No one has labeled yet. ")
        text = f"{why}Models are held against the reference, which {have} {'has' if found.known == 1 else 'have'}."
    return f"{text} {_few(found)}" if found.is_few and has_models else text


def _few(found: Labels) -> str:
    if found.groups:
        of = "one group" if found.groups == 1 else f"{found.groups:,} groups or single items"
        return f"That is few: they are of {of}, and items of a group are right and wrong together."
    if found.needed is None:
        return "So few that no model could be told from chance."
    return f"That is few: a model must be right on {found.needed:,} of {found.known:,} to be told from chance."


def on_people(found: People, labels: Labels, many: str) -> str:
    if not labels.labeled:
        return ""
    if found.alike is not None and found.alike.value is not None:
        return _on_one_role(found, found.alike, labels, many)
    if found.alpha.value is None:
        beyond = "" if found.percent.value is None else f" beyond percent agreement, {found.percent.short}"
        return f"How far {many} agree cannot be said{beyond}: {found.alpha.undefined}."
    figures = f"{found.level} α = {found.alpha.short}, percent agreement {found.percent.short}, AC1 {found.ac1.short}"
    figures += " (both nominal)" if found.level != "nominal" else ""
    noise = " What models are held against may be noise." if labels.against == MAJORITY else ""
    if found.is_skewed and found.share.value is not None:
        skew = f"{number(found.share.value)} of all labels are “{found.common}”"
        if is_noise(found):
            few = f"{noise[:-1]}, or the other labels are too few to tell." if noise else ""
            return f"{skew}, and {many} cannot be said to agree beyond what that alone gives: {figures}.{few}"
        return f"{skew}, and with such a skew α is low even where {many} agree: {figures}."
    if is_noise(found):
        return f"{_capital(many)} cannot be said to agree beyond chance: {figures}.{noise}"
    return f"{_capital(many)} agree {_how_far(found.alpha)}: {figures}."


def _on_one_role(found: People, alike: Estimate, labels: Labels, many: str) -> str:
    """Where α would take the share of the role that is always right for chance."""
    figures = f"Brennan–Prediger {alike.short}, percent agreement {found.percent.short}, AC1 {found.ac1.short}"
    if is_noise(found):
        noise = " What models are held against may be noise." if labels.against == MAJORITY else ""
        return f"{_capital(many)} cannot be said to agree beyond chance: {figures}.{noise}"
    why = "α is not asked: one role is right for every item, and α takes that role’s share of the labels for chance."
    return f"{_capital(many)} agree {_how_far(alike)}: {figures}. {why}"


def _how_far(alpha: Estimate) -> str:
    """By the low end of the interval: few items can give a high α by chance.

    >>> _how_far(Estimate(0.85, 0.81, 0.9, n=300)), _how_far(Estimate(0.7, 0.3, 1.0, n=12))
    ('well', 'at least in part')
    """
    degrees = [
        "well" if end >= GOOD else "for the most part" if end >= TENTATIVE else "in part"
        for end in (alpha.value or 0.0, alpha.value or 0.0 if alpha.low is None else alpha.low)
    ]
    return degrees[1] if degrees[0] == degrees[1] else f"at least {degrees[1]}"


def is_noise(found: People) -> bool:
    """Whether their labels cannot be told from chance, which with a skew is to agree often too."""
    asked = found.alpha if found.alike is None else found.alike
    if asked.value is None:
        return False
    return (asked.value if asked.low is None else asked.low) <= 0


def _may_be_noise(labels: Labels, people: People) -> bool:
    """Whether what models are held against may be."""
    return bool(labels.labeled) and labels.against == MAJORITY and is_noise(people)


def on_chance(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    why = (ONE_ROLE,) if runs.one_role and runs.models else ()
    return " ".join((*_chance(evidence, labels, runs), *why))


def _chance(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    """The answer, and what else there is to say of it."""
    models, measure = runs.models, evidence.by.key
    if not models:
        none = _no_models(evidence, labels)
        return (none,) if none else ()
    chance, constant = _chance_in_words(runs, models), _constant(evidence, runs)
    told = [one for one in models if one.is_told]
    better = [one for one in models if one.beats_chance]
    figures = models[0].value.short if len(models) == 1 else spread([one.value.value or 0.0 for one in models])
    reaching = reach(measure, labels.against, figures, runs.items, several=len(models) > 1)
    if told:
        return (f"{_who(told, models)} better than {chance}{f' and than {constant}' if constant else ''}.",)
    if not better and any(one.is_below_chance for one in models):
        return (_below(models, chance, reaching),)
    if not better:
        who = models[0].name if len(models) == 1 else "No model"
        cannot = "cannot" if len(models) == 1 else "can"
        subject = "it" if len(models) == 1 else f"the {len(models):,} models"
        answer = f"{who} {cannot} be told from {chance}: {subject} {reaching}."
        above = _bar_above(evidence, runs)
        return (answer, above) if above else (answer,)
    enough = "To be better than chance it is enough to know which label is common."
    common = (enough,) if runs.constant_beats_chance else ()
    if len(models) == 1:
        bar = f"cannot be shown to be better than {constant}"
        return (f"{models[0].name} is better than {chance} but {bar}: it {reaching}.", *common)
    also = _who(better, models)
    return f"No model can be shown to be better than {constant}.", f"{also} better than {chance}.", *common


def _chance_in_words(runs: Runs, models: Sequence[Placed]) -> str:
    """What these models are tested against: where degrees by cut points have a chance of their own, that too."""
    cut, own = [one.chance for one in models if one.how], [one for one in models if not one.how]
    if not cut or spread(cut) == number(runs.chance):
        return f"chance ({number(runs.chance)})"
    dealt = f"{spread(cut)}: the same labels shuffled across items"
    return f"chance ({number(runs.chance)}, and by cut points {dealt})" if own else f"chance ({dealt})"


def _below(models: tuple[Placed, ...], chance: str, reaching: str) -> str:
    """None is better than chance, and some are worse by more than chance explains."""
    below = [one for one in models if one.is_below_chance]
    if len(models) == 1:
        return f"{models[0].name} is below {chance}, by more than chance explains: it {reaching}."
    subject = f"the {len(models):,} models {reaching}"
    return f"No model is better than {chance}: {subject}. {_who(below, models)} below it, by more than chance explains."


def _no_models(evidence: Evidence, labels: Labels) -> str:
    there = [one for one in evidence.entrants if not one.is_baseline]
    if not there:
        return "No model has answered these items yet." if labels.known else ""
    return "No model can be compared yet." if labels.known else ""


def _constant(evidence: Evidence, runs: Runs) -> str:
    if runs.constant is None:
        return ""
    return f"always answering “{evidence.words[runs.constant.code]}” ({number(runs.constant.value)})"


def _bar_above(evidence: Evidence, runs: Runs) -> str:
    """That one label for everything would do better than every model, where it would by more than chance explains."""
    if not runs.constant_beats_chance or not _is_constant_nearer(evidence, runs):
        return ""
    return f"{_capital(_constant(evidence, runs))} would be nearer."


def _is_constant_nearer(evidence: Evidence, runs: Runs) -> bool:
    """Nearer than every model."""
    sign, top = evidence.by.sign, runs.models[0].value.value if runs.models else None
    return runs.constant is not None and top is not None and sign * runs.constant.value > sign * top


def _who(some: list[Placed], models: tuple[Placed, ...]) -> str:
    """The subject of a sentence about some of the models, with its verb."""
    if len(models) == 1:
        return f"{models[0].name} is"
    if len(some) == len(models):
        return f"{'Both' if len(models) == 2 else f'All {len(models):,}'} models are"
    named = f" ({listed([one.name for one in some])})" if len(some) <= MOST_NAMES else ""
    return f"{len(some):,} of {len(models):,} models{named} {'is' if len(some) == 1 else 'are'}"


def on_nearest(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    level = _baselines(runs)
    return " ".join([*_nearest(evidence, labels, runs), *([f"{_capital(level)}."] if level else [])])


def _nearest(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    """The answer, and how sure it is."""
    nearest, models = runs.nearest, runs.models
    if not nearest or (len(models) == 1 and not models[0].is_told):
        return ()
    among = "" if any(one.is_told for one in models) or len(nearest) == len(models) > MOST_NAMES else "Of the models, "
    if len(nearest) > 1:
        answer, chances = _not_told_apart(evidence, labels, runs)
        return _capital(f"{among}{answer}"), chances
    reaching = reach(evidence.by.key, labels.against, nearest[0].value.short, runs.items)
    if len(models) == 1:
        return (f"It {reaching}.",)
    best = f"It is first in {resampled(nearest[0].best or 0.0)} resampled sets of items."
    return f"{among}{nearest[0].name} is the nearest{'' if among else ' model'}: it {reaching}.", best


def _not_told_apart(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, str]:
    """Several, by name where they are few."""
    nearest, measure = runs.nearest, evidence.by.key
    if len(nearest) <= MOST_NAMES:
        who, figures = listed([one.name for one in nearest]), listed([one.value.short for one in nearest])
    else:
        who, figures = (
            of_all(len(nearest), len(runs.models), "model"),
            spread([one.value.value or 0.0 for one in nearest]),
        )
    reaching = reach(measure, labels.against, figures, runs.items, several=True)
    return f"{who} are nearest and cannot be told apart: they {reaching}.", _chances(labels, nearest)


def _chances(labels: Labels, nearest: tuple[Placed, ...]) -> str:
    best = [one.best for one in nearest if one.best is not None]
    if not best and labels.groups > 1:
        return f"Of items of fewer than {FEWEST_GROUPS} groups no model can be told from another."
    if not best:
        return "All items are of one group, which tells nothing of others."
    if len(best) <= MOST_NAMES:
        return f"They are first in {listed_shares(best)} resampled sets of items."
    return f"None of them is first in more than {resampled(max(best))} resampled sets of items."


def _baselines(runs: Runs) -> str:
    """A clause on those that are as near as models."""
    level = runs.level
    if not level or (len(runs.models) == 1 and not runs.models[0].is_told):
        return ""
    names = listed([f"{one.name} ({one.value.short})" for one in level])
    subject, verb = ("the baseline", "is") if len(level) == 1 else ("the baselines", "are")
    said = f"{verb} nearer than every model" if runs.are_behind else "cannot be told from the nearest"
    return f"{subject} {names} {said}"


def lead(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> tuple[str, ...]:
    """What a page begins with, in two sentences: which models are better than chance, and which are nearest.

    No baseline that is as near is left out of it. Where no model is near, the constant label that is nearer comes
    second, or what would settle it. Two more stand here where the answer hangs on them: that people may not agree at
    all, and which models are not compared.
    """
    nearest, level = _nearest(evidence, labels, runs)[:1], _baselines(runs)
    chance = _chance(evidence, labels, runs)
    second = tuple(f"{one.removesuffix('.')}; {level}." if level else one for one in nearest)
    if not second and runs.models:
        bar = "" if any(one.beats_chance for one in runs.models) else _bar_above(evidence, runs)
        second = tuple(filter(None, (bar, _advice(evidence, labels, people, runs))))
    noise = "this may be nearness to noise" if runs.nearest else "what models are held against may be noise"
    doubt = f"{_capital(evidence.many)} cannot be said to agree beyond chance, so that {noise}."
    noisy = runs.models and _may_be_noise(labels, people)
    absent = [one for one in runs.outside if not one.is_baseline and one.reason and evidence.has_labels_of(one.run)]
    not_compared = (_not_compared(absent),) if absent and runs.models else ()
    return (*chance[:1], *second, *((doubt,) if noisy else ()), *not_compared)


def _advice(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> str:
    """How many more items; none where they would tell nearness to noise, or tell from chance what a constant beats."""
    is_vain = runs.settling.what == "chance" and _is_constant_nearer(evidence, runs)
    return "" if is_vain or _may_be_noise(labels, people) else on_settling(evidence, runs)


def on_strengths(evidence: Evidence, runs: Runs) -> str:
    rated = runs.strengths
    if not rated:
        return ""
    told = [one for one in rated if one.is_told]
    if not told:
        whose = f"The strength of {rated[0].name} cannot" if len(rated) == 1 else "No model’s strength can"
        return f"{whose} be told to rise with {evidence.rated}."
    figures = [f"{one.name} (ρ = {one.rho.short})" for one in told[:MOST_NAMES]]
    more = f" and {len(told) - MOST_NAMES:,} more" if len(told) > MOST_NAMES else ""
    named = f"{', '.join(figures)}{more}" if more else listed(figures)
    return f"The strength of {named} rises with {evidence.rated}."


def on_left_out(labels: Labels, runs: Runs) -> str:
    texts = []
    if runs.items and runs.items < labels.known:
        left = counted(labels.known - runs.items, "item")
        texts.append(
            f"Runs are compared on what all of them have labeled; {left} {_are(labels.known - runs.items)} left out."
        )
    if absent := [one for one in runs.outside if one.reason]:
        texts.append(_not_compared(absent))
    return " ".join(texts)


def _not_compared(absent: Sequence[Outside]) -> str:
    by_reason: dict[str, list[str]] = defaultdict(list)
    for one in absent:
        by_reason[one.reason].append(one.name)
    return f"Not compared: {'; '.join(f'{_named(names)} ({reason})' for reason, names in by_reason.items())}."


def _named(names: list[str]) -> str:
    return listed(names) if len(names) <= MOST_NAMES else f"{len(names):,} runs"


def _are(count: int) -> str:
    return "is" if count == 1 else "are"


def _capital(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}"


def _chances_of(models: Sequence[Placed]) -> str:
    return spread([one.chance for one in models])


def in_short(evidence: Evidence, runs: Runs) -> tuple[str, str]:
    """What a list of studies has room for: who is nearest, or that none is, and the figure; empty where none is."""
    nearest, models = runs.nearest, runs.models
    if not models:
        return "", ""
    if not nearest and any(one.is_below_chance for one in models):
        return f"none better than chance ({_chances_of(models)})", ""
    if not nearest:
        return f"none told from chance ({_chances_of(models)})", ""
    if not any(one.is_told for one in models):
        return f"none better than {_constant(evidence, runs)}", ""
    if len(nearest) == 1:
        return in_a_tile(nearest[0].name), nearest[0].value.short
    names = (
        listed([in_a_tile(one.name) for one in nearest])
        if len(nearest) == 2
        else f"{len(nearest):,} of {len(models):,} models"
    )
    return f"{names}, not told apart", spread([one.value.value or 0.0 for one in nearest])
