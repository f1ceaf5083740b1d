"""What a plan takes for granted, from an address: what it does not say is of the study's labels."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from comparison.figures.people.plan_ground import AGREEMENT, Ground, ratings_of
from comparison.statistics.estimate import plain
from comparison.statistics.planning.power import Assumed, Plan, enough, majority_of, true_accuracy
from comparison.statistics.planning.rating_power import AssumedRatings
from corpus.errors import counted

MOST_OPTIONS, WANTED, MOST_ITEMS = 20, 0.8, 10_000
# Of a study without labels: models halfway between chance and always right.
HALFWAY, APART = 0.5, 0.05
MOST_DIFFERENCE = 5
NAMES = tuple(dict.fromkeys((*Assumed.NAMES, *AssumedRatings.NAMES)))
FAULT = f"Options are a whole number from 2 to {MOST_OPTIONS}; agreement and accuracies are numbers from 0 to 1."
DIFFERENCE = "between two kinds of items, in SD; empty: plan for models"
NO_AGREEMENT = "Where people agree only by chance, no number of items would show anything."
FAULT_OF_RATINGS = f"Agreement and ρ are numbers from 0 to 1, a mean difference from 0 to {MOST_DIFFERENCE}."


@dataclass(frozen=True, slots=True)
class Field:
    """A number of the form."""

    name: str
    label: str
    value: str
    help: str
    least: str
    most: str
    step: str
    is_needed: bool = True


def read_assumed(query: Mapping[str, str], found: Ground, *, options: int, labels: int) -> Assumed | None:
    """None where the address asks for what cannot be."""
    own = assumed_of(found, options=options, labels=labels)
    asked = _number(query.get("options", ""), own.options)
    if asked is None or asked != int(asked) or not 2 <= asked <= MOST_OPTIONS:
        return None
    if not query.get("options") or int(asked) == own.options:
        defaults = own
    else:
        defaults = assumed_of(Ground(0, "", ""), options=int(asked), labels=labels)
    agreement = _number(query.get("agreement", ""), defaults.agreement)
    first = _number(query.get("first", ""), defaults.first)
    is_alone, second = _second(query, defaults.first if defaults.second is None else defaults.second)
    shares = [one for one in (agreement, first, second) if one is not None]
    if agreement is None or first is None or (second is None and not is_alone):
        return None
    if not all(0 <= one <= 1 for one in shares):
        return None
    return Assumed(options=int(asked), agreement=agreement, first=first, second=second)


def read_ratings(query: Mapping[str, str], found: Ground) -> AssumedRatings | None:
    """The same of a study that is measured by ρ with mean ratings."""
    own = ratings_of(found)
    agreement = _number(query.get("agreement", ""), own.agreement)
    first = _number(query.get("first", ""), own.first)
    is_alone, second = _second(query, own.first if own.second is None else own.second)
    given = query.get("difference", "").strip()
    difference = _number(given, 0.0) if given else None
    if agreement is None or first is None or (given and difference is None) or (second is None and not is_alone):
        return None
    shares = [one for one in (agreement, first, second) if one is not None]
    if not all(0 <= one <= 1 for one in shares) or not 0 <= (difference or 0) <= MOST_DIFFERENCE:
        return None
    return AssumedRatings(agreement=agreement, first=first, second=second, difference=difference)


def _second(query: Mapping[str, str], default: float) -> tuple[bool, float | None]:
    """Whether there is none: an empty second model is none, where the form was sent."""
    is_alone = "second" in query and not query["second"].strip()
    return is_alone, None if is_alone else _number(query.get("second", ""), default)


def assumed_of(found: Ground, *, options: int, labels: int) -> Assumed:
    """From the labels of a study, as far as they go."""
    chance = 1 / options
    agreement = AGREEMENT if found.agreement is None else round(max(found.agreement, 0.0), 2)
    bare = Assumed(options=options, agreement=agreement, first=round(chance + (1 - chance) * HALFWAY, 2), second=None)
    right = majority_of(options, max(labels, 2), bare.giving_true).right
    known = [round(true_accuracy(one, right, options), 2) for one in found.right if one is not None]
    first = known[0] if known else bare.first
    # Two of the same accuracy can never be separated, which is no plan to begin with.
    second = next((one for one in known[1:] if one != first), round(max(first - APART, min(first, chance)), 2))
    return Assumed(options=options, agreement=agreement, first=first, second=second)


def _number(text: str, default: float) -> float | None:
    if not text.strip():
        return default
    try:
        found = float(text)
    except ValueError:
        return None
    return found if found == found and abs(found) < 1_000 else None


def fields(assumed: Assumed | AssumedRatings) -> tuple[Field, ...]:
    second = "" if assumed.second is None else f"{assumed.second:g}"
    if isinstance(assumed, AssumedRatings):
        apart = "" if assumed.difference is None else f"{assumed.difference:g}"
        most = str(MOST_DIFFERENCE)
        return (
            Field("agreement", "Reliability of one rating", f"{assumed.agreement:g}", "ICC(1)", "0", "1", "any"),
            Field("first", "Model’s ρ", f"{assumed.first:g}", "with the true rating", "0", "1", "any"),
            Field("second", "Second model", second, "empty: compare with 0", "0", "1", "any", is_needed=False),
            Field("difference", "Mean difference", apart, DIFFERENCE, "0", most, "any", is_needed=False),
        )
    return (
        Field("options", "Answer options", str(assumed.options), "", "2", str(MOST_OPTIONS), "1"),
        Field("agreement", "Agreement, α", f"{assumed.agreement:g}", "of single labels", "0", "1", "any"),
        Field("first", "Model accuracy", f"{assumed.first:g}", "compared with the true label", "0", "1", "any"),
        Field("second", "Second model", second, "empty: compare with chance", "0", "1", "any", is_needed=False),
    )


def headline(assumed: Assumed | AssumedRatings, labels: int) -> str:
    """How many items it takes, or that no number of items would do."""
    if isinstance(assumed, AssumedRatings):
        return _of_ratings(assumed, labels)
    if labels < 2:
        return "With one label per item there is no majority, so nothing can be compared."
    if not assumed.agreement:
        return NO_AGREEMENT
    first, chance = _as_given(assumed.first), plain(assumed.chance, decimals=2)
    if assumed.second is None:
        if assumed.first <= assumed.chance:
            return f"A model that is right on {first} does not beat chance ({chance})."
        return _needed(assumed, labels, "show", f"that {first} beats chance ({chance})")
    if assumed.first == assumed.second:
        return "Two models of the same accuracy cannot be separated by any number of items."
    both = f"{first} and {_as_given(assumed.second)}"
    return _needed(assumed, labels, "separate", f"models with accuracies {both}")


def _of_ratings(assumed: AssumedRatings, labels: int) -> str:
    if not assumed.agreement:
        return NO_AGREEMENT
    if assumed.difference is not None:
        if not assumed.difference:
            return "A mean difference of 0 cannot be shown by any number of items."
        return _needed(assumed, labels, "show", f"a mean difference of {_as_given(assumed.difference)} SD")
    first = _as_given(assumed.first)
    if assumed.second is None:
        if not assumed.first:
            return "That ρ = 0 is above 0 cannot be shown by any number of items."
        return _needed(assumed, labels, "show", f"that ρ = {first} is above 0")
    if assumed.first == assumed.second:
        return "Two models of the same ρ cannot be separated by any number of items."
    return _needed(assumed, labels, "separate", f"models with ρ = {first} and {_as_given(assumed.second)}")


def _needed(assumed: Plan, labels: int, does: str, what: str) -> str:
    found = enough(assumed, labels=labels, wanted=WANTED, most=MOST_ITEMS)
    with_labels = f"items with {counted(labels, 'label')}"
    if found is None:
        return f"It takes more than {MOST_ITEMS:,} {with_labels} to {does} {what}."
    return f"About {found:,} {with_labels} {does} {what}."


def _as_given(number: float) -> str:
    """With as many decimals as were asked for, two at least, so that .90 and .895 differ.

    >>> _as_given(0.9), _as_given(0.895), _as_given(0.12345)
    ('.90', '.895', '.1235')
    """
    typed = len(f"{number:.4f}".rstrip("0").partition(".")[2])
    return plain(number, decimals=max(2, typed))


def plan_in_words(assumed: Assumed | AssumedRatings, items: int, labels: int) -> str:
    """What the design that is asked for would show."""
    found = assumed.power(items=items, labels=labels)
    if found.above is None:
        return ""
    above = f"{plain(found.above, decimals=2)} to {replace(assumed, second=None).aim}"
    apart = "" if found.apart is None else f"{plain(found.apart, decimals=2)} to separate them, "
    return f"With {counted(items, 'item')} and {counted(labels, 'label')}, power is {apart}{above}."
