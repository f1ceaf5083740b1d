"""Which models beat chance, whether a constant label would be nearer, and who finds a rare class: in sentences."""

from comparison.statistics.estimate import counted
from comparison.statistics.verdict.evidence import Evidence
from comparison.statistics.verdict.measure import ACCURACY
from comparison.statistics.verdict.parts import Labels, Placed, Runs
from comparison.statistics.verdict.rare import Finder
from comparison.statistics.verdict.words.wording import MOST_NAMES, listed, number, reach, spread

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
