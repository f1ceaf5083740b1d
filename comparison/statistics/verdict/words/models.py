"""Which models beat chance, whether a constant label would be nearer, and who finds a rare class: in sentences.

Which models are nearest, and which baselines are as near: in sentences.

Where the nearest models lie beside one person, in a sentence.
"""

from comparison.statistics.estimate import counted
from comparison.statistics.verdict.best import FEWEST_GROUPS
from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.measure import ACCURACY
from comparison.statistics.verdict.parts import Labels, Placed, Runs
from comparison.statistics.verdict.rare import Finder
from comparison.statistics.verdict.words.wording import (
    MOST_NAMES,
    listed,
    listed_shares,
    number,
    of_all,
    person_reaches,
    reach,
    resampled,
    size,
    spread,
)

FAVORING = "favor common labels"


def chance_said(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    """The answer, and what else there is to say of it."""
    if not runs.models:
        none = _no_models(evidence, labels)
        return (none,) if none else ()
    return tuple(filter(None, (*_answer(evidence, labels, runs), on_constant(evidence, runs), on_rare(evidence, runs))))


def _answer(evidence: Evidence, labels: Labels, runs: Runs) -> tuple[str, ...]:
    models, chance = runs.models, _chance_in_words(runs)
    told = [one for one in models if one.is_told]
    better = [one for one in models if one.beats_chance]
    figures = models[0].value.short if len(models) == 1 else spread([one.value.value or 0.0 for one in models])
    reaching = reach(evidence.by.key, labels.against, figures, runs.items, several=len(models) > 1)
    alone = models[0].name if len(models) == 1 else ""
    if told:
        and_not = ", and not by favoring common labels" if runs.can_favor else ""
        return (f"{_who(told, models)} {_beat(told, models)} {chance}{and_not}.",)
    if better:
        common = f"To beat chance it is enough to {FAVORING}." if runs.constant_beats_chance else ""
        if alone:
            return f"{alone} beats {chance}, and is not shown to do more than {FAVORING}: it {reaching}.", common
        none = f"none is shown to do more than {FAVORING}"
        return f"{_who(better, models)} {_beat(better, models)} {chance}; {none}.", common
    if any(one.is_below_chance for one in models):
        return (_below(models, chance, reaching),)
    if alone:
        return (f"{alone} is not shown to beat {chance}: it {reaching}.",)
    subject = f"the {len(models):,} models {reaching}"
    return (f"No model is shown to beat {chance}: {subject}.",)


def _chance_in_words(runs: Runs) -> str:
    """What the models are tested against: where degrees by cut points have a chance of their own, that too."""
    cut, own = [one.chance for one in runs.models if one.how], [one for one in runs.models if not one.how]
    if not cut or spread(cut) == number(runs.chance):
        return f"chance ({number(runs.chance)})"
    dealt = f"{spread(cut)}: the same labels shuffled across items"
    return f"chance ({number(runs.chance)}, and by cut points {dealt})" if own else f"chance ({dealt})"


def _below(models: tuple[Placed, ...], chance: str, reaching: str) -> str:
    """None beats chance, and some do worse."""
    below = [one for one in models if one.is_below_chance]
    if len(models) == 1:
        return f"{models[0].name} does worse than {chance}: it {reaching}."
    does = "does" if len(below) == 1 else "do"
    return f"No model beats {chance}: the {len(models):,} models {reaching}. {_who(below, models)} {does} worse."


def _no_models(evidence: Evidence, labels: Labels) -> str:
    there = [one for one in evidence.entrants if not one.is_baseline]
    if not there:
        return "No model has answered these items yet." if labels.known else ""
    return "No model can be compared yet." if labels.known else ""


def on_constant(evidence: Evidence, runs: Runs) -> str:
    """That one label for everything would be nearer, than those models of which that is shown.

    >>> from comparison.statistics.verdict.evidence import Entrant, Evidence
    >>> from comparison.statistics.verdict.rule import verdict
    >>> import numpy as np
    >>> truth = (np.arange(100) < 4).astype(int)
    >>> run = Entrant(run=1, name="A", is_baseline=False, decided=np.arange(100) % 2)
    >>> given = Evidence(counts=np.eye(2, dtype=int)[truth] * 3, truth=truth, words=("no", "yes"), ordered=False,
    ...     entrants=(run,))
    >>> on_constant(given, verdict(given).runs)
    'Always answering “no” (.96) would be right more often than A.'
    """
    below = [one for one in runs.models if one.is_below_constant]
    level = [one for one in runs.models if is_as_right(one, evidence, runs)]
    if runs.constant is None or not (below or level):
        return ""
    always = f"lways answering “{evidence.words[runs.constant.code]}” ({number(runs.constant.value)})"
    told = []
    if below:
        way = "right more often" if evidence.by.key == ACCURACY else "nearer"
        some = _who(below, runs.models)
        told.append(f"A{always} would be {way} than {f'{some[:1].lower()}{some[1:]}' if len(below) > 1 else some}")
    if level:
        shown = "is not shown" if len(level) == 1 else "are not shown"
        who = listed([one.name for one in level]) if len(level) <= MOST_NAMES else _who(level, runs.models)
        told.append(f"{who} {shown} to be right more often than {'that' if below else f'a{always}'}")
    return f"{'; '.join(told)}."


def is_as_right(one: Placed, evidence: Evidence, runs: Runs) -> bool:
    """Whether a model beats chance and, beside a rare class, is not shown to be right more often than the constant."""
    if runs.rare is None or runs.constant is None or evidence.by.key != ACCURACY or one.value.low is None:
        return False
    return one.beats_chance and not one.is_below_constant and one.value.low <= runs.constant.value


def on_rare(evidence: Evidence, runs: Runs) -> str:
    """Which models find a class that few items are of."""
    found = runs.rare
    if found is None:
        return ""
    of = f"the {counted(found.items, 'item')} that {'is' if found.items == 1 else 'are'}"
    start = f"Of {of} “{evidence.words[found.code]}”"
    finders = [one for one in found.finders if one.finds]
    if not finders:
        return f"{start}, no model is shown to find more than chance does."
    named = listed([_finds(one) for one in finders[:MOST_NAMES]])
    more = f"; {len(finders) - MOST_NAMES:,} more find some" if len(finders) > MOST_NAMES else ""
    return f"{start}, {named}{more}."


def _finds(one: Finder) -> str:
    return f"{one.name} finds {one.recall.short} (right in {one.precision.short} of those that it names)"


def _beat(some: list[Placed], models: tuple[Placed, ...]) -> str:
    return "beats" if len(some) == 1 or len(models) == 1 else "beat"


def _who(some: list[Placed], models: tuple[Placed, ...]) -> str:
    """The subject of a sentence about some of the models."""
    if len(models) == 1:
        return models[0].name
    if len(some) == len(models):
        return f"{'Both' if len(models) == 2 else f'All {len(models):,}'} models"
    named = f" ({listed([one.name for one in some])})" if len(some) <= MOST_NAMES else ""
    return f"{len(some):,} of {len(models):,} models{named}"


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


def on_person(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    """What one person reaches, and what the nearest models reach on the same labels.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> right = np.arange(40) // 2 % 2
    >>> run = Entrant(run=1, name="A", is_baseline=False, decided=np.where(np.arange(40) < 32, right, 1 - right))
    >>> given = Evidence(counts=np.eye(2, dtype=int)[right] * 3, truth=right, words=("no", "yes"), ordered=False,
    ...     entrants=(run,))
    >>> print(verdict(given).on("person"))
    One person gives the label that the others agree on 1.00 of the time (labels on 40 items); on the same labels A
    reaches .80, below that by .20 [.07, .33].
    """
    nearest = [one for one in runs.nearest if one.beside.low is not None]
    if runs.nearest and runs.person_withheld:
        return f"No {evidence.one} is compared with models: {runs.person_withheld}."
    if runs.person.value is None or not nearest:
        return ""
    reached = person_reaches(evidence.by.key, labels.against, evidence.one, runs.person)
    start = f"{reached} ({runs.person.note})"
    below = [one for one in nearest if _end(one.beside.high) < 0]
    above = [one for one in nearest if _end(one.beside.low) > 0]
    # References are not what people agree on: a run that is nearer to them is better than people at that.
    warning = _no_better(len(above), evidence.many) if labels.against == MAJORITY else ""
    if len(nearest) == 1:
        return f"{start}; {_on_the_same_labels(nearest[0], evidence, runs)}.{warning}"
    values = spread([_same(one, evidence, runs) for one in nearest])
    all_of_them = "both" if len(nearest) == 2 else f"all {len(nearest):,}"
    same = f"on the same labels {all_of_them} {_gets(evidence, 2)} {values}"
    if len(below) == len(nearest) or len(above) == len(nearest):
        way = _ways(evidence)[0 if below else 1]
        differences = spread([abs(one.beside.value or 0.0) for one in nearest])
        return f"{start}; {same}, {way} by {differences}.{warning}"
    counts = zip((below, above), _ways(evidence), strict=True)
    told = [f"{len(some):,} of them {'lies' if len(some) == 1 else 'lie'} {way}" for some, way in counts if some]
    rest = len(nearest) - len(below) - len(above)
    open_ = [f"{f'for {rest:,} ' if told else ''}no gap is shown"] if rest else []
    return f"{start}; {same}, and {listed([*told, *open_])}.{warning}"


def _no_better(above: int, many: str) -> str:
    """What it does not mean to lie above one person: a majority is not what people are after."""
    return f" That does not make {'it' if above == 1 else 'them'} better than {many}." if above else ""


def _ways(evidence: Evidence) -> tuple[str, str]:
    """Further from the truth than one person, and nearer to it."""
    return ("below that", "above that") if evidence.by.sign > 0 else ("further away", "nearer")


def _gets(evidence: Evidence, count: int) -> str:
    reaches, lies = ("reaches", "lies at") if count == 1 else ("reach", "lie at")
    return reaches if evidence.by.sign > 0 else lies


def _same(one: Placed, evidence: Evidence, runs: Runs) -> float:
    """What a run reaches on the labels on which it stands beside one person: other items than its own figure's."""
    return (runs.person.value or 0.0) + evidence.by.sign * (one.beside.value or 0.0)


def _on_the_same_labels(one: Placed, evidence: Evidence, runs: Runs) -> str:
    reached = f"on the same labels {one.name} {_gets(evidence, 1)} {number(_same(one, evidence, runs))}"
    below, above = _ways(evidence)
    if _end(one.beside.high) < 0:
        return f"{reached}, {below} by {size(one.beside)}"
    if _end(one.beside.low) > 0:
        return f"{reached}, {above} by {size(one.beside)}"
    return f"{reached}, and no gap is shown (difference {one.beside.short})"


def _end(end: float | None) -> float:
    return 0.0 if end is None else end
