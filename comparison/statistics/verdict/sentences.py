"""A verdict in sentences, in the order in which a reader must have them."""

from collections import defaultdict
from collections.abc import Sequence

from comparison.statistics.estimate import Estimate, counted
from comparison.statistics.verdict import parts
from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.measure import RHO
from comparison.statistics.verdict.parts import Labels, People, Runs, Said
from comparison.statistics.verdict.taking_part import Outside
from comparison.statistics.verdict.words import ratings
from comparison.statistics.verdict.words.advice import on_settling
from comparison.statistics.verdict.words.chance import FAVORING, chance_said, on_constant
from comparison.statistics.verdict.words.nearest import baselines_said, nearest_said
from comparison.statistics.verdict.words.person import on_person
from comparison.statistics.verdict.words.some import on_some
from comparison.statistics.verdict.words.wording import MOST_NAMES, in_a_tile, listed, number, of_all, spread

# Krippendorff (2004), Content Analysis, page 241: conclusions from .8 on, tentative ones from .667.
GOOD, TENTATIVE = 0.8, 0.667
# Below that, the bands of Landis and Koch (1977), Biometrics 33: 159–174, page 165: moderate from .4, fair from .2.
MODERATE, FAIR = 0.4, 0.2
# Full agreement that chance gives more often than this shows nothing.
BY_CHANCE = 0.05

ONE_ROLE = "Every item has the same right answer by design, so a constant label is not a baseline."


def said(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> tuple[Said, ...]:
    """All that is said, without the parts on which there is nothing to say."""
    found = [
        Said(parts.LABELS, _labels_said(evidence, labels, runs)),
        Said(
            parts.PEOPLE, " ".join(filter(None, (on_people(people, labels, evidence.many), *on_some(people, evidence))))
        ),
        Said(parts.CHANCE, on_chance(evidence, labels, runs)),
        Said(parts.NEAREST, on_nearest(evidence, labels, runs)),
        Said(parts.PERSON, _person_said(evidence, labels, runs)),
        Said(parts.SETTLING, _advice(evidence, labels, people, runs)),
        Said(parts.STRENGTHS, on_strengths(evidence, runs)),
        Said(parts.LEFT_OUT, on_left_out(labels, runs)),
    ]
    return tuple(one for one in found if one.text)


def _labels_said(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    if evidence.by.key == RHO:
        return ratings.on_ratings(evidence, labels)
    return on_labels(labels, has_models=bool(runs.models))


def _chance_said(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    by_rho = evidence.by.key == RHO and runs.models
    return (ratings.on_chance(evidence, runs),) if by_rho else chance_said(evidence, labels, runs)


def _nearest_said(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    return ratings.on_nearest(runs) if evidence.by.key == RHO else nearest_said(evidence, labels, runs)


def _person_said(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    return ratings.on_ceiling(evidence, runs) if evidence.by.key == RHO else on_person(evidence, labels, runs)


def on_labels(found: Labels, *, has_models: bool) -> str:
    """
    >>> few = Labels(items=12, labeled=12, known=12, against="majority", no_majority="", needed=11, is_few=True)
    >>> on_labels(few, has_models=True)
    'All 12 items have a majority label. That is few: a model must be right on 11 of 12 to beat chance.'
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
    text = f"{text} {_few(found)}" if found.is_few and has_models else text
    return f"{text} {found.coming} Tests allow for any number of looks." if found.coming else text


def _few(found: Labels) -> str:
    if found.groups:
        of = "one group" if found.groups == 1 else f"{found.groups:,} groups or single items"
        return f"That is few: they are of {of}, and items of a group are right and wrong together."
    if found.needed is None:
        return "So few that no model could be shown to beat chance."
    return f"That is few: a model must be right on {found.needed:,} of {found.known:,} to beat chance."


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
    if found.contradict:
        cause = f" Without {found.without[0]}, α is {number(found.without[1])}." if found.without else ""
        return f"{_capital(many)} contradict one another: {figures}.{cause}"
    if found.by_chance is not None and found.by_chance > BY_CHANCE:
        share = f"{100 * found.by_chance:.0f} % of the time"
        return f"{_capital(many)} agree on every item, which labels by lot do {share}: {figures}.{noise}"
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
    ('well', 'at least weakly')
    """
    degrees = [_band(end) for end in (alpha.value or 0.0, alpha.value or 0.0 if alpha.low is None else alpha.low)]
    return degrees[1] if degrees[0] == degrees[1] else f"at least {degrees[1]}"


def _band(end: float) -> str:
    bands = ((GOOD, "well"), (TENTATIVE, "for the most part"), (MODERATE, "in part"), (FAIR, "weakly"))
    return next((word for least, word in bands if end >= least), "barely")


def is_noise(found: People) -> bool:
    """Whether their labels are not shown to agree beyond chance, which with a skew is to agree often too."""
    if found.by_chance is not None and found.by_chance > BY_CHANCE:
        return True
    asked = found.alpha if found.alike is None else found.alike
    if asked.value is None:
        return False
    return (asked.value if asked.low is None else asked.low) <= 0


def _may_be_noise(labels: Labels, people: People) -> bool:
    """Whether what models are held against may be."""
    return bool(labels.labeled) and labels.against == MAJORITY and is_noise(people)


def on_chance(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    why = (ONE_ROLE,) if runs.one_role and runs.models else ()
    return " ".join((*_chance_said(evidence, labels, runs), *why))


def on_nearest(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    level = baselines_said(runs)
    return " ".join([*_nearest_said(evidence, labels, runs), *([f"{_capital(level)}."] if level else [])])


def lead(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> tuple[str, ...]:
    """What a page begins with, in two sentences: which models beat chance, and which are nearest.

    No baseline that is as near is left out of it. Where no model is near, the constant label that is nearer comes
    second, or what would settle it. More stands here where the answer hangs on it: that labels still come in, that
    people may not agree at all, and which models are not compared.
    """
    level = baselines_said(runs)
    chance, nearest = _chance_said(evidence, labels, runs)[:1], _nearest_said(evidence, labels, runs)[:1]
    second = tuple(f"{one.removesuffix('.')}; {level}." if level else one for one in nearest)
    constant = on_constant(evidence, runs)
    if runs.models and not any(one.is_told for one in runs.models):
        second = (*second, *filter(None, (constant or _advice(evidence, labels, people, runs),)))
    elif constant and all(one.is_below_constant for one in runs.models):
        second = (*second, constant)
    noise = "this may be nearness to noise" if runs.nearest else "what models are held against may be noise"
    doubt = f"{_capital(evidence.many)} cannot be said to agree beyond chance, so that {noise}."
    if people.contradict:
        doubt = f"{_capital(evidence.many)} contradict one another, so that a majority of them says little."
    noisy = runs.models and _may_be_noise(labels, people)
    absent = [one for one in runs.outside if not one.is_baseline and one.reason and evidence.has_labels_of(one.run)]
    not_compared = (_not_compared(absent),) if absent and runs.models else ()
    coming = (labels.coming,) if labels.coming else ()
    return (*coming, *chance, *second, *((doubt,) if noisy else ()), *not_compared)


def _advice(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> str:
    """How many more items; none where they would tell nearness to noise, or what a constant beats."""
    is_vain = runs.settling.what in ("chance", "favoring") and all(one.is_below_constant for one in runs.models)
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


def in_short(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, str]:
    """What a list of studies has room for: who is nearest, or that none is, and the figure; empty where none is."""
    who, figure = ratings.in_short(runs) if evidence.by.key == RHO else _in_short(runs)
    return (f"{who}, so far" if who and labels.coming else who), figure


def _in_short(runs: Runs) -> tuple[str, str]:
    nearest, models = runs.nearest, runs.models
    if not models:
        return "", ""
    chance = f"chance ({spread([one.chance for one in models])})"
    if not nearest and any(one.is_below_chance for one in models):
        return f"none beats {chance}", ""
    if not nearest:
        return f"none shown to beat {chance}", ""
    if not any(one.is_told for one in models):
        return f"none shown to do more than {FAVORING}", ""
    together = (*nearest, *runs.not_above)
    if len(together) == 1:
        return in_a_tile(nearest[0].name), nearest[0].joint.short
    two = listed([in_a_tile(one.name) for one in together])
    names = two if len(together) == 2 else f"{len(together):,} of {len(models):,} models"
    return f"{names}, not told apart", spread([one.value.value or 0.0 for one in together])
