"""Where the nearest models lie beside a single annotator, whom one follows, and what would settle what is open."""

from collections.abc import Iterator, Sequence

from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.verdict import parts
from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.finding import GOOD, OPEN, WARN, Finding, State, joined
from comparison.statistics.verdict.measure import ACCURACY
from comparison.statistics.verdict.parts import Labels, People, Placed, Runs
from comparison.statistics.verdict.person import FEWEST_LABELS
from comparison.statistics.verdict.settling import about
from comparison.statistics.verdict.words.wording import (
    capital,
    in_a_tile,
    in_letters,
    listed,
    number,
    opposite,
    reached,
    spread,
)
from corpus.errors import counted

COPY = State("Copy", WARN)
BELOW, LEVEL, ABOVE = State("Below", OPEN), State("Not shown", OPEN), State("Above", GOOD)
MIXED, WITHHELD, IS_OPEN = State("Mixed", OPEN), State("Withheld", OPEN), State("Open", OPEN)
# Of more items than these nobody makes a plan.
MOST = 100_000


def on_copies(found: People, labels: Labels) -> Iterator[Finding]:
    """Each run that follows one annotator."""
    in_it = ", whose labels are part of the majority" if labels.against == MAJORITY else ""
    for run, one in found.following:
        name = found.names[one.rater]
        share = f"{name}’s label {number(one.alike)} of the time, the others’ {number(one.others)}"
        text = f"{in_a_tile(run)} follows {name}{in_it}."
        yield Finding(parts.PERSON, COPY, text, joined(share, counted(one.items, "item")))


def beside(runs: Runs) -> tuple[tuple[Placed, ...], str]:
    """The nearest models that an annotator is compared with, and where they lie, as the state of all of them says."""
    nearest = tuple(one for one in runs.leading if one.beside.low is not None)
    if runs.person.value is None or not nearest:
        return (), ""
    states = {_where(one.beside).word for one in nearest}
    return nearest, states.pop() if len(states) == 1 else MIXED.word


def on_person(evidence: Evidence, labels: Labels, runs: Runs) -> Iterator[Finding]:
    """What one annotator reaches, and what the nearest models reach on the same labels.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> right = np.arange(40) // 2 % 2
    >>> run = Entrant(run=1, name="A", is_baseline=False, decided=np.where(np.arange(40) < 32, right, 1 - right))
    >>> given = Evidence(counts=np.eye(2, dtype=int)[right] * 3, truth=right, words=("no", "yes"), ordered=False,
    ...     entrants=(run,))
    >>> print(verdict(given).on("person"))
    A falls short of a single annotator. .80 against 1.00 with the others, 40 items · gap .20 [.07, .33]
    """
    if runs.leading and runs.person_withheld:
        text = f"No single {evidence.annotator} is compared with models."
        yield Finding(parts.PERSON, WITHHELD, text, capital(runs.person_withheld))
        return
    nearest, where = beside(runs)
    if not nearest:
        return
    same = joined(without_chance(runs, nearest, where), _on_the_same(evidence, labels, runs, nearest))
    single = f"a single {evidence.annotator}"
    if where == BELOW.word:
        falls = "falls" if len(nearest) == 1 else "fall"
        yield Finding(
            parts.PERSON, BELOW, f"{all_named(nearest)} {falls} short of {single}.", joined(same, _gaps(nearest))
        )
    elif where == LEVEL.word:
        text = f"No gap to {single} is shown."
        yield Finding(parts.PERSON, LEVEL, text, joined(same, _differences(nearest)))
    elif where == ABOVE.word:
        text = _above(evidence, labels, nearest)
        # Of references a model may well be better than people; eighteen words hold that warning or what both reach.
        apart = capital(f"{_differences(nearest)} on {_items(labels, runs, is_short=len(nearest) > 2)}")
        figures = joined(apart, f"not the same as being better than {evidence.people}")
        of_references = joined(same, _differences(nearest))
        yield Finding(parts.PERSON, ABOVE, text, figures if labels.against == MAJORITY else of_references)
    else:
        yield Finding(parts.PERSON, MIXED, _mixed(nearest, single), joined(same, _differences(nearest)))


def without_chance(runs: Runs, nearest: Sequence[Placed], where: str) -> str:
    """What would be said without the people who are at chance; empty where that is the same."""
    if not runs.person_without:
        return ""
    beside = {one.run: left for one, left in zip(runs.leading, runs.person_without, strict=True)}
    states = [_where(beside[one.run]).word for one in nearest if beside[one.run].low is not None]
    below, many = states.count(BELOW.word), len(nearest)
    if len(states) < many or set(states) == {where} or not (below or set(states) == {LEVEL.word}):
        return ""
    who = {1: "it falls", 2: "both fall"}.get(many, "all fall") if below == many else f"{below:,} of {many:,} fall"
    return f"Without labels at chance, {f'{who} short' if below else 'no gap is shown'}"


def _differences(nearest: Sequence[Placed]) -> str:
    """The runs' less the annotator's: each with its interval or, of many, the ends of all their intervals.

    >>> from types import SimpleNamespace as made
    >>> some = [made(beside=Estimate(value, value - 0.05, value + 0.05, n=200)) for value in (-0.02, 0.01, 0.03)]
    >>> _differences(some[:2])
    'differences −.02 [−.07, .03] and .01 [−.04, .06]'
    >>> _differences(some)
    'difference −.02 to .03, within [−.07, .08]'
    """
    return _apart("difference", [one.beside for one in nearest])


def _gaps(nearest: Sequence[Placed]) -> str:
    """Without their sign: all nearest fall short."""
    return _apart("gap", [opposite(one.beside) for one in nearest])


def _apart(word: str, found: Sequence[Estimate]) -> str:
    if len(found) <= 2:
        return f"{word}{'' if len(found) == 1 else 's'} {' and '.join(one.short for one in found)}"
    ends = [min(one.low or 0.0 for one in found), max(one.high or 0.0 for one in found)]
    low, high = (plain(end, decimals=2) for end in ends)
    return f"{word} {spread([one.value or 0.0 for one in found])}, within [{low}, {high}]"


def _where(beside: Estimate) -> State:
    if (beside.high or 0.0) < 0:
        return BELOW
    return ABOVE if (beside.low or 0.0) > 0 else LEVEL


def all_named(nearest: Sequence[Placed]) -> str:
    if len(nearest) == 1:
        return in_a_tile(nearest[0].name)
    return "Both" if len(nearest) == 2 else f"All {in_letters(len(nearest))}"


def _above(evidence: Evidence, labels: Labels, nearest: Sequence[Placed]) -> str:
    alone, they = len(nearest) == 1, all_named(nearest)
    if labels.against != MAJORITY:
        return f"{they} {'is' if alone else 'are'} nearer to the reference than a single {evidence.annotator}."
    others, does = f"the other {evidence.annotators}", ("matches" if alone else "match")
    if evidence.by.key == ACCURACY:
        return f"{they} {does} {others} more often than one of them does."
    return f"{they} {'is' if alone else 'are'} nearer to {others} than one of them is."


def _mixed(nearest: Sequence[Placed], single: str) -> str:
    """
    >>> from types import SimpleNamespace as made
    >>> ends = [(-0.3, -0.1), (-0.1, 0.1), (-0.2, 0.1)]
    >>> _mixed([made(beside=made(low=low, high=high)) for low, high in ends], "a single annotator")
    '1 of 3 falls short of a single annotator; for two no gap is shown.'
    """
    below, level, above = (sum(_where(one.beside) is state for one in nearest) for state in (BELOW, LEVEL, ABOVE))
    if above:
        rest = (
            f"; {in_letters(below)} fall{'s' if below == 1 else ''} short"
            if below
            else f"; for {in_letters(level)} no gap is shown"
        )
        return f"{above:,} of {len(nearest):,} {'is' if above == 1 else 'are'} above {single}{rest}."
    falls = "falls" if below == 1 else "fall"
    return f"{below:,} of {len(nearest):,} {falls} short of {single}; for {in_letters(level)} no gap is shown."


def _on_the_same(evidence: Evidence, labels: Labels, runs: Runs, nearest: Sequence[Placed]) -> str:
    """What runs reach on the labels on which they stand beside one annotator: other items than their own figure's."""
    person = runs.person.value or 0.0
    reach = [person + evidence.by.sign * (one.beside.value or 0.0) for one in nearest]
    values = spread(reach)
    if len(nearest) == 2:
        values = listed([f"{in_a_tile(one.name)} {number(value)}" for one, value in zip(nearest, reach, strict=True)])
    figures = reached(evidence.by.key, f"{values} against {number(person)}")
    against = "the others" if labels.against == MAJORITY else "the reference"
    # Eighteen words have no room beside two names and what the measure is called.
    is_short = len(nearest) == 2 and evidence.by.key != ACCURACY
    return f"{figures} with {against}, {_items(labels, runs, is_short=is_short)}"


def _items(labels: Labels, runs: Runs, *, is_short: bool = False) -> str:
    """How many items have the labels that it takes, and which these are where models have figures on others.

    Of two labels against two, the others of each have a majority: an item that is split for models is none for one
    annotator.
    """
    items = runs.person.note.removeprefix("labels on ")
    if is_short or items == counted(runs.items, "item"):
        return items
    if labels.against != MAJORITY:
        return f"{items} with labels"
    is_more = int(items.split()[0].replace(",", "")) > runs.items
    return f"{items} ({'split included' if is_more else f'{FEWEST_LABELS}+ labels'})"


# --- What would settle it? ---


def on_settling(evidence: Evidence, runs: Runs) -> Iterator[Finding]:
    """The items that would be needed, beyond those that there are; nothing where nothing is open.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> right = np.arange(40) // 2 % 2
    >>> run = Entrant(run=1, name="A", is_baseline=False, decided=np.where(np.arange(40) < 24, right, 1 - right))
    >>> given = Evidence(counts=np.eye(2, dtype=int)[right] * 3, truth=right, words=("no", "yes"), ordered=False,
    ...     entrants=(run,))
    >>> print(verdict(given).on("settling"))
    About 240 more items could show it. If A stays .10 above chance (power .80)
    """
    found, items = runs.settling, runs.items
    if not found.what or (found.items is not None and found.items <= items):
        return
    tie = "break the tie" if runs.is_even else f"separate the nearest {runs.noun}s"
    tie = "separate it from others" if runs.only_shown else tie
    shows = {"models": tie, "person": "show a gap"}.get(found.what, "show it")
    # Two close values get more digits, so that they differ in print.
    gap = plain(abs(found.difference), decimals=2 if abs(found.difference) >= 0.01 else 4)
    if found.items is None:
        if found.what == "models":
            yield Finding(parts.SETTLING, IS_OPEN, *_level(evidence, runs))
        return
    missing = found.items - items
    if missing > MOST:
        far = f"At {'a lead' if shows == 'show it' else 'a gap'} of {gap} that would take over {MOST:,} items"
        yield Finding(parts.SETTLING, IS_OPEN, f"More items are unlikely to {shows}.", far)
        return
    more = f"About {about(missing)} more {'item' if missing == 1 else 'items'} could {shows}."
    yield Finding(parts.SETTLING, IS_OPEN, more, f"{_if_it_stays(evidence, runs, gap)} (power .80)")


def _level(evidence: Evidence, runs: Runs) -> tuple[str, str]:
    """Of two that score the same, and of the first two of more."""
    first, second, *others = [one for one in runs.models if one.nearest]
    if not others:
        return "More items are unlikely to break the tie.", "The two are level."
    both = listed([in_a_tile(first.name), in_a_tile(second.name)])
    return (
        f"More items are unlikely to separate {both}.",
        f"They are level at {reached(evidence.by.key, first.value.number)}",
    )


def _if_it_stays(evidence: Evidence, runs: Runs, gap: str) -> str:
    found = runs.settling
    if found.what == "models":
        return f"If the lead stays {gap}"
    if found.what == "person":
        return f"If the gap stays {gap}"
    name = in_a_tile(found.name)
    if found.what == "favoring":
        return f"If {name} stays as far from its shuffled labels"
    return f"If {name} stays {gap} {'above chance' if evidence.by.sign > 0 else 'closer than chance'}"
