"""A verdict in sentences, in the order in which a reader must have them."""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from comparison.statistics.estimate import counted, plain
from comparison.statistics.verdict import parts
from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.measure import RHO
from comparison.statistics.verdict.parts import Finding, Labels, People, Runs
from comparison.statistics.verdict.settling import about
from comparison.statistics.verdict.taking_part import Outside
from comparison.statistics.verdict.words import ratings
from comparison.statistics.verdict.words.models import (
    FAVORING,
    baselines_said,
    chance_said,
    is_as_right,
    nearest_said,
    on_constant,
    on_person,
)
from comparison.statistics.verdict.words.people import is_noise, on_people, on_some
from comparison.statistics.verdict.words.wording import (
    MOST_NAMES,
    capital,
    in_a_tile,
    listed,
    not_separated,
    of_all,
    spread,
)

ONE_ROLE = "Every item has the same right answer by design, so a constant label is not a baseline."

NOT_BY_LOT = (
    "What a model leaves out need not be random: one is the nearest alone only if it also is with those items counted "
    "as wrong."
)


def said(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> tuple[Finding, ...]:
    """All that is said, without the parts on which there is nothing to say."""
    found = [
        Finding(
            parts.LABELS,
            " ".join(filter(None, (_speech(evidence).labels(evidence, labels, runs), on_repeated(labels)))),
        ),
        Finding(
            parts.PEOPLE, " ".join(filter(None, (on_people(people, labels, evidence.many), *on_some(people, evidence))))
        ),
        Finding(parts.CHANCE, on_chance(evidence, labels, runs)),
        Finding(parts.NEAREST, on_nearest(evidence, labels, runs)),
        Finding(parts.PERSON, _speech(evidence).person(evidence, labels, runs)),
        Finding(parts.SETTLING, _advice(evidence, labels, people, runs)),
        Finding(parts.STRENGTHS, on_strengths(evidence, runs)),
        Finding(parts.LEFT_OUT, on_left_out(labels, runs)),
    ]
    return tuple(one for one in found if one.text)


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
        text = f"{have[:1].upper()}{have[1:]} {'has' if found.known == 1 else 'have'} a majority label.{_split(found)}"
    else:
        why = why or ("" if found.labeled else "No one has labeled yet. ")
        text = f"{why}Models are held against the reference, which {have} {'has' if found.known == 1 else 'have'}."
    text = f"{text} {_few(found)}" if found.is_few and has_models else text
    return f"{text} {found.coming} Tests allow for any number of looks." if found.coming else text


def _split(found: Labels) -> str:
    """What is left out is left out because people differ."""
    if not found.split:
        return ""
    are, them = ("1 item is", "it") if found.split == 1 else (f"{found.split:,} items are", "them")
    return f" {are} left out because people differ on {them}: models are compared on the easier ones."


def on_repeated(found: Labels) -> str:
    """
    >>> same = Labels(items=60, labeled=0, known=0, against="majority", no_majority="", needed=None, is_few=False,
    ...     repeated=12)
    >>> on_repeated(same)
    '12 items have the same text as another; the intervals take them as separate. Give items of one text one group.'
    """
    if not found.repeated:
        return ""
    same = f"{found.repeated:,} items have the same text as another; the intervals take them as separate."
    return f"{same} Give items of one text one group."


def _few(found: Labels) -> str:
    if found.groups:
        of = "one group" if found.groups == 1 else f"{found.groups:,} groups or single items"
        return f"That is few: they are of {of}, and items of a group are right and wrong together."
    if found.needed is None:
        return "So few that no model could be shown to beat chance."
    return f"That is few: a model must be right on {found.needed:,} of {found.known:,} to beat chance."


def _may_be_noise(labels: Labels, people: People) -> bool:
    """Whether what models are held against may be."""
    return bool(labels.labeled) and labels.against == MAJORITY and is_noise(people)


def on_chance(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    why = (ONE_ROLE,) if runs.one_role and runs.models else ()
    return " ".join((*_speech(evidence).chance(evidence, labels, runs), *why))


def on_nearest(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    level = baselines_said(runs)
    return " ".join([*_speech(evidence).nearest(evidence, labels, runs), *([f"{capital(level)}."] if level else [])])


def lead(evidence: Evidence, labels: Labels, people: People, runs: Runs) -> tuple[str, ...]:
    """What a page begins with, in two sentences: which models beat chance, and which are nearest.

    No baseline that is as near is left out of it. Where no model is near, the constant label that is nearer comes
    second, or what would settle it. More stands here where the answer hangs on it: that labels still come in, that
    people may not agree at all, and which models are not compared.
    """
    level = baselines_said(runs)
    speech = _speech(evidence)
    chance, nearest = (one(evidence, labels, runs)[:1] for one in (speech.chance, speech.nearest))
    second = tuple(f"{one.removesuffix('.')}; {level}." if level else one for one in nearest)
    constant = on_constant(evidence, runs)
    if runs.models and not any(one.is_told for one in runs.models):
        second = (*second, *filter(None, (constant or _advice(evidence, labels, people, runs),)))
    elif constant and all(one.is_below_constant or is_as_right(one, evidence, runs) for one in runs.models):
        second = (*second, constant)
    noise = "this may be nearness to noise" if runs.nearest else "what models are compared with may be noise"
    doubt = f"{capital(evidence.many)} are not shown to agree beyond chance: {noise}."
    if people.contradict:
        doubt = f"{capital(evidence.many)} contradict one another, so that a majority of them says little."
    noisy = runs.models and _may_be_noise(labels, people)
    absent = [one for one in runs.outside if not one.is_baseline and one.reason and evidence.has_labels_of(one.run)]
    not_compared = (_not_compared(absent),) if absent and runs.models else ()
    coming = (labels.coming,) if labels.coming else ()
    return (*coming, *chance, *second, *((doubt,) if noisy else ()), *not_compared)


def on_settling(evidence: Evidence, runs: Runs) -> str:
    """The items that would be needed, beyond those that there are; empty where nothing is open.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> right = np.arange(40) // 2 % 2
    >>> run = Entrant(run=1, name="A", is_baseline=False, decided=np.where(np.arange(40) < 24, right, 1 - right))
    >>> given = Evidence(counts=np.eye(2, dtype=int)[right] * 3, truth=right, words=("no", "yes"), ordered=False,
    ...     entrants=(run,))
    >>> on_settling(given, verdict(given).runs)
    'About 240 more items could show that A beats chance, if it stays .10 above (power .8).'
    """
    found, items = runs.settling, runs.items
    if not found.what or (found.items is not None and found.items <= items):
        return ""
    if found.items is None:
        level = "The first two are level; no number of items would separate them."
        return level if found.what == "models" else ""
    missing = found.items - items
    known = about(missing)
    more = f"{f'About {known}' if known[0].isdigit() else capital(known)} more {'item' if missing == 1 else 'items'}"
    # Two runs that are close are told apart by further digits.
    gap = plain(abs(found.difference), decimals=2 if abs(found.difference) >= 0.01 else 4)
    if found.what == "models":
        first = runs.nearest[0].name
        return f"{more} could show {first} to be the nearest, if its lead stays {gap} (power .8)."
    if found.what == "person":
        return f"{more} could show a gap between the nearest and one {evidence.one}, if it stays {gap} (power .8)."
    if found.what == "favoring":
        return f"{more} could show that {found.name} does more than favor common labels, if it stays so (power .8)."
    way = "above" if evidence.by.sign > 0 else "nearer"
    return f"{more} could show that {found.name} beats chance, if it stays {gap} {way} (power .8)."


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
        whose = f"The strength of {rated[0].name} is not" if len(rated) == 1 else "No model’s strength is"
        return f"{whose} shown to rise with {evidence.rated}."
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
        if len(runs.models) > 1:
            texts.append(NOT_BY_LOT)
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


@dataclass(frozen=True, slots=True)
class _Speech:
    """What is said of each part, by the kind of measure: of hits, or of ρ with people's ratings."""

    labels: Callable[[Evidence, Labels, Runs], str]
    chance: Callable[[Evidence, Labels, Runs], tuple[str, ...]]
    nearest: Callable[[Evidence, Labels, Runs], tuple[str, ...]]
    person: Callable[[Evidence, Labels, Runs], str]
    in_short: Callable[[Runs], tuple[str, str]]


def _speech(evidence: Evidence) -> _Speech:
    return OF_RATINGS if evidence.by.key == RHO else OF_HITS


def in_short(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, str]:
    """What a list of studies has room for: who is nearest, or that none is, and the figure; empty where none is."""
    who, figure = _speech(evidence).in_short(runs)
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
    return not_separated([one.name for one in together]), spread([one.value.value or 0.0 for one in together])


OF_HITS = _Speech(
    lambda evidence, labels, runs: on_labels(labels, has_models=bool(runs.models)),
    chance_said,
    nearest_said,
    on_person,
    _in_short,
)
OF_RATINGS = _Speech(ratings.on_ratings, ratings.on_chance, ratings.on_nearest, ratings.on_ceiling, ratings.in_short)
