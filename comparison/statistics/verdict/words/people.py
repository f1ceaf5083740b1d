"""Whether there are enough labels, whether people agree, who of them is at chance: lines of a verdict."""

import math
from collections.abc import Iterator

from comparison.statistics.aggregation import ONE_AN_ITEM
from comparison.statistics.agreement.at_chance import AtChance
from comparison.statistics.agreement.camps import Camps
from comparison.statistics.agreement.reversed import Reversed
from comparison.statistics.estimate import Estimate, percent
from comparison.statistics.verdict import parts
from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.finding import BAD, GOOD, OPEN, WARN, Finding, State, joined
from comparison.statistics.verdict.measure import ACCURACY
from comparison.statistics.verdict.parts import Labels, People
from comparison.statistics.verdict.words.wording import MOST_NAMES, capital, in_letters, listed, number, spread
from corpus.errors import counted

# Krippendorff (2004), Content Analysis, page 241: conclusions from .8 on, tentative ones from .667.
WELL, TENTATIVE = 0.8, 0.667
# Below that, the bands of Landis and Koch (1977), Biometrics 33: 159–174, page 165: moderate from .4, fair from .2.
MODERATE, FAIR = 0.4, 0.2
# Of two people it cannot be said who differs.
FEWEST_TESTED = 3
# Full agreement that chance gives more often than this shows nothing.
BY_CHANCE = 0.05

ENOUGH, COMING = State("Enough", GOOD), State("Coming in", OPEN)
# All are in, and whether they are enough is asked by whether people agree.
COLLECTED = State("Collected", OPEN)
FEW, TOO_FEW = State("Few", WARN), State("Too few", BAD)
REFERENCE, MISSING = State("Reference", OPEN), State("Missing", OPEN)
NOTE, LOOK = State("Note", OPEN), State("Look", WARN)
# A reader holds the state against the sentence beside it: each band has one word for both.
GOOD_ENOUGH, FAIRLY = State("Good", GOOD), State("Moderate", WARN)
PARTLY, WEAK, BARE = State("In part", WARN), State("Weak", WARN), State("Barely", WARN)
SKEWED, NOT_SHOWN = State("Skewed", WARN), State("Not shown", OPEN)
CONTRADICTION, UNDEFINED = State("Contradiction", BAD), State("Undefined", OPEN)
NONE_FOUND = State("None found", OPEN)


# --- Are there enough labels? ---


def on_labels(evidence: Evidence, found: Labels, people: People | None = None) -> Iterator[Finding]:
    """
    >>> few = Labels(items=12, labeled=12, known=12, against="majority", no_majority="", needed=11, is_few=True)
    >>> given = Evidence(counts=np.zeros((12, 2), dtype=int), truth=np.zeros(12, dtype=int), words=("a", "b"),
    ...     ordered=False, entrants=())
    >>> [one.text for one in on_labels(given, few)]
    ['Only 12 items can be compared. A model must get 11 right to beat chance']
    """
    yield from _what_is_there(found, people)
    if found.is_few:
        yield _few(found, by_hits=evidence.by.key == ACCURACY)
    if found.repeated:
        text = (
            f"{counted(found.repeated, 'item')} {'repeats' if found.repeated == 1 else 'repeat'} the text of another."
        )
        more = "Intervals treat them as independent · to join them, give each text a group in the item file"
        yield Finding(parts.LABELS, NOTE, text, more)


def _what_is_there(found: Labels, people: People | None) -> Iterator[Finding]:
    """Nothing more than that they are few, where a majority is known of few."""
    coming = coming_in(found)
    if not found.known:
        yield Finding(parts.LABELS, MISSING, _none_known(found), _why_none(found))
    elif found.against != MAJORITY:
        no_one = "No one has labeled yet, so models are compared with the reference."
        text = "Models are compared with the reference." if found.labeled else no_one
        have = f"{all_of(found.known, found.items)} {_has(found.known)} one"
        yield Finding(parts.LABELS, REFERENCE, text, joined(have, found.no_majority if found.labeled else ""))
    elif not found.is_few:
        label = "a majority or adjudicated label" if found.adjudicated else "a majority label"
        text = f"{all_of(found.known, found.items)} {_has(found.known)} {label}."
        decided = f"{found.adjudicated:,} adjudicated" if found.adjudicated else ""
        yield Finding(parts.LABELS, are_enough(found, people), text, joined(decided, coming, _rest(found)))


def are_enough(found: Labels, people: People | None = None) -> State:
    """Of labels that are still wanted nobody says that they are; nor of such as may be noise."""
    if found.are_coming:
        return COMING
    return COLLECTED if people and (is_noise(people) or people.contradict) else ENOUGH


def coming_in(found: Labels) -> str:
    if not found.are_coming:
        return ""
    # Rounded down, as Collect in the rail: what is missing is never 100 %.
    return f"{math.floor(100 * found.share_in)} % of the labels wanted are in"


def all_of(known: int, items: int) -> str:
    """
    >>> all_of(40, 40), all_of(30, 40), all_of(1, 1)
    ('All 40 items', '30 of 40 items', 'The only item')
    """
    if known < items:
        return f"{known:,} of {counted(items, 'item')}"
    return "The only item" if items == 1 else f"All {counted(items, 'item')}"


def _rest(found: Labels) -> str:
    rest = found.items - found.known
    if not rest:
        return ""
    start = "The remaining item is" if rest == 1 else f"The remaining {rest:,} are"
    if not found.split:
        return f"{start} still short of labels"
    return f"{start} split" if found.split == rest else f"{start} split, or still short of labels"


def _none_known(found: Labels) -> str:
    if not found.labeled:
        return "There are no valid labels and no references yet."
    return "No item has a majority label yet." if found.against == MAJORITY else "No item has a reference."


def _why_none(found: Labels) -> str:
    """
    >>> _why_none(Labels(items=9, labeled=9, known=0, against="majority", no_majority=f"no majority: {ONE_AN_ITEM}",
    ...     needed=None, is_few=False))
    'Each has one label'
    """
    if found.against != MAJORITY or not found.labeled:
        return ""
    return (
        "Each has one label"
        if ONE_AN_ITEM in found.no_majority
        else "On none is one label the most frequent and given twice"
    )


def _few(found: Labels, *, by_hits: bool) -> Finding:
    if found.groups:
        text = f"The {counted(found.shared, 'item')} come in only {counted(found.groups, 'group')}."
        return Finding(parts.LABELS, FEW, text, "Items of a group tend to be right or wrong together.")
    if by_hits and found.needed is None and not found.are_coming:
        return Finding(parts.LABELS, TOO_FEW, f"No score could beat chance on {counted(found.shared, 'item')}.", "")
    text = f"Only {counted(found.shared, 'item')} can be compared."
    # While labels come in, nobody has counted how many it takes: tests ask for more then.
    must = f"A model must get {found.needed:,} right to beat chance" if by_hits and found.needed is not None else ""
    return Finding(parts.LABELS, FEW, text, joined(must, coming_in(found)))


def _has(count: int) -> str:
    return "has" if count == 1 else "have"


# --- Do people agree? ---


def on_people(found: People, labels: Labels, evidence: Evidence) -> Iterator[Finding]:
    if not labels.labeled:
        return
    yield _on_agreement(found, labels, evidence)
    if found.reversed:
        yield _on_reversed(found.reversed, found.names, evidence)
    if found.camps:
        yield _on_camps(found.camps, found.names, evidence.annotators)
    if found.at_chance:
        yield _on_chance(found.at_chance, found.names, evidence.annotators, of_ratings=evidence.is_averaged)
    if not (found.reversed or found.camps or found.at_chance or is_noise(found) or found.contradict):
        yield from _on_outliers(found, evidence)


def _on_agreement(found: People, labels: Labels, evidence: Evidence) -> Finding:
    """By α or, where one role is right in every item, by Brennan and Prediger's κ."""
    who, judged = capital(evidence.annotators), _judged(found)
    if judged.value is None:
        return Finding(parts.PEOPLE, UNDEFINED, "Agreement is undefined.", capital(judged.undefined))
    alpha = f"α = {found.alpha.short}, {found.level}"
    both = f"AC1 {found.ac1.short}"
    noise = "the majority label may be noise" if labels.against == MAJORITY else ""
    if found.alike is None and found.contradict:
        return Finding(
            parts.PEOPLE, CONTRADICTION, f"{who} contradict one another.", joined(alpha, _without(found, evidence))
        )
    if found.alike is None and found.by_chance is not None and found.by_chance > BY_CHANCE:
        often = f"which chance alone does {percent(found.by_chance)} of the time"
        return Finding(
            parts.PEOPLE,
            FEW,
            f"The {counted(judged.n, 'item')} agree fully, {often}.",
            "Collect more before reading α.",
        )
    if found.alike is None and found.is_skewed and found.share.value is not None:
        skew = f"{percent(found.share.value)} of labels are “{found.common}”"
        if is_noise(found):
            text = f"{skew}; agreement beyond that is not shown."
            return Finding(parts.PEOPLE, NOT_SHOWN, text, joined(alpha, both, noise))
        text = f"{skew}, which keeps α low even where {evidence.people} agree."
        return Finding(parts.PEOPLE, SKEWED, text, joined(alpha, both, _raw(found)))
    figure = alpha if found.alike is None else f"Brennan–Prediger κ {found.alike.short}"
    if is_noise(found):
        text = f"{who} are not shown to agree beyond chance."
        return Finding(parts.PEOPLE, NOT_SHOWN, text, joined(figure, noise))
    state, how_far = _how_far(judged)
    if found.alike is None:
        return Finding(
            parts.PEOPLE, state, f"{who} agree {how_far}.", joined(figure, f"{_raw(found)} of label pairs match")
        )
    why = f"α does not apply: {evidence.always_right}"
    return Finding(parts.PEOPLE, state, f"{who} agree {how_far}.", joined(figure, f"raw {_raw(found)}", why))


def _judged(found: People) -> Estimate:
    return found.alpha if found.alike is None or found.alike.value is None else found.alike


def _raw(found: People) -> str:
    return "" if found.percent.value is None else percent(found.percent.value)


def _without(found: People, evidence: Evidence) -> str:
    if found.without is None:
        return ""
    asked = "is the scale turned round?" if evidence.ordered else "are labels mixed up?"
    return f"without {found.without[0]} it is {number(found.without[1])}: {asked}"


def _how_far(alpha: Estimate) -> tuple[State, str]:
    """By the low end of the interval: few items can give a high α by chance.

    >>> [(state.word, word) for state, word in map(_how_far, (Estimate(0.85, 0.81, 0.9), Estimate(0.7, 0.3, 1.0)))]
    [('Good', 'well'), ('Weak', 'at least weakly')]
    """
    value = alpha.value or 0.0
    high, (state, low) = _band(value)[1], _band(value if alpha.low is None else alpha.low)
    return state, low if high == low else f"at least {low}"


def _band(end: float) -> tuple[State, str]:
    bands = (
        (WELL, GOOD_ENOUGH, "well"),
        (TENTATIVE, FAIRLY, "moderately"),
        (MODERATE, PARTLY, "in part"),
        (FAIR, WEAK, "weakly"),
    )
    return next(((state, word) for least, state, word in bands if end >= least), (BARE, "barely"))


def is_noise(found: People) -> bool:
    """Whether their labels are not shown to agree beyond chance, which with a skew is to agree often too."""
    if found.by_chance is not None and found.by_chance > BY_CHANCE:
        return True
    asked = found.alpha if found.alike is None else found.alike
    if asked.value is None:
        return False
    return (asked.value if asked.low is None else asked.low) <= 0


# --- Who of them stands out? ---


def _on_reversed(found: tuple[Reversed, ...], names: tuple[str, ...], evidence: Evidence) -> Finding:
    asked = "is the scale turned round?" if evidence.ordered else "are the two labels mixed up?"
    values = f"r = {spread([one.r.value or 0.0 for one in found])}"
    if len(found) > MOST_NAMES or not names:
        text = f"Labels of {in_letters(len(found))} {evidence.annotators} run against the others’."
        return Finding(parts.PEOPLE, LOOK, text, joined(values, asked))
    if len(found) == 1:
        values = f"r = {found[0].r.short} on {counted(found[0].r.n, 'item')}"
    text = f"Labels of {listed([names[one.rater] for one in found])} run against the others’."
    return Finding(parts.PEOPLE, LOOK, text, joined(values, asked))


def _on_chance(found: AtChance, names: tuple[str, ...], many: str, *, of_ratings: bool = False) -> Finding:
    """
    >>> found = _on_chance(AtChance(raters=(1,), of=5, share=0.4), ("a1", "a2"), "annotators")
    >>> print(found.statement, found.evidence, sep="\\n")
    a2 gave 40 % of the labels and is not shown to beat chance.
    1 of 5 · misses the others’ majority more often than others, p < .05 (Holm)
    >>> _on_chance(AtChance(raters=(0, 1), of=5, share=0.4), ("a1", "a2"), "annotators", of_ratings=True).statement
    'a1 and a2 gave 40 % of the ratings and are not shown to follow the others.'
    """
    count = len(found.raters)
    told = listed([names[rater] for rater in found.raters]) if count <= MOST_NAMES and names else ""
    who = told or capital(f"{in_letters(count)} {many.removesuffix('s') if count == 1 else many}")
    shown = "is not shown" if count == 1 else "are not shown"
    what = ("ratings", "follow the others") if of_ratings else ("labels", "beat chance")
    text = f"{who} gave {percent(found.share)} of the {what[0]} and {shown} to {what[1]}."
    # Others may be below chance on few labels, which do not show that.
    less_than_half = "agrees less than half as much as the others do"
    of_labels = "misses the others’ majority more often than others"
    why = f"{less_than_half if of_ratings else of_labels}, p < .05 (Holm)"
    return Finding(parts.PEOPLE, LOOK, text, joined(f"{count:,} of {found.of:,}", why))


def _on_outliers(found: People, evidence: Evidence) -> Iterator[Finding]:
    """Who stands out and follows the others nonetheless, or that nobody is shown to."""
    if found.tested < FEWEST_TESTED:
        return
    many, apart = evidence.annotators, found.outliers
    what = (
        "agreement with the others’ ratings" if evidence.is_averaged else "exact test of misses of the others’ majority"
    )
    if not apart:
        text = f"No {many.removesuffix('s')} is shown to stand out."
        yield Finding(parts.PEOPLE, NONE_FOUND, text, f"{found.tested:,} tested · {what} (Holm)")
        return
    who = listed(list(apart)) if len(apart) <= MOST_NAMES else capital(f"{in_letters(len(apart))} {many}")
    text = f"{who} {'stands' if len(apart) == 1 else 'stand'} out."
    yield Finding(parts.PEOPLE, LOOK, text, joined(f"{len(apart):,} of {found.tested:,}", f"{what}, p < .05 (Holm)"))


def _on_camps(found: Camps, names: tuple[str, ...], many: str) -> Finding:
    """
    >>> camps = Camps(one=(0, 1), other=(2, 3), alike=(0.82, 0.8, 0.55))
    >>> _on_camps(camps, tuple("ABCD"), "annotators").text
    'Annotators fall into two camps: A and B, and C and D. Label pairs match .82 and .80 within, .55 across'
    """
    within, among, across = (number(share) for share in found.alike)
    sides = (found.one, found.other)
    text = f"{capital(many)} fall into two camps."
    if names and sum(map(len, sides)) <= MOST_NAMES + 1:
        one, other = (listed([names[rater] for rater in side]) for side in sides)
        text = f"{capital(many)} fall into two camps: {one}, and {other}."
    else:
        text = (
            f"{capital(many)} fall into two camps, of {in_letters(len(found.one))} and {in_letters(len(found.other))}."
        )
    how = "Labels correlate at" if found.ordered else "Label pairs match"
    return Finding(parts.PEOPLE, LOOK, text, f"{how} {within} and {among} within, {across} across")
