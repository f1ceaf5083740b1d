"""What a plan takes for granted, from an address: what it does not say is of the study's labels."""

from collections.abc import Mapping
from dataclasses import dataclass

from comparison.figures.people.planning import Ground
from comparison.statistics.estimate import plain
from comparison.statistics.planning.power import Assumed, enough, majority_of, power, true_accuracy

MOST_OPTIONS, WANTED, MOST_ITEMS = 20, 0.8, 10_000
# Of a study without labels: agreement that is often found, and models halfway between chance and always right.
AGREEMENT, HALFWAY, APART = 0.6, 0.5, 0.05
NAMES = ("options", "agreement", "first", "second")
FAULT = f"Options are a whole number from 2 to {MOST_OPTIONS}; agreement and accuracies are numbers from 0 to 1."


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
    # An empty second model is none, where the form was sent.
    is_alone = "second" in query and not query["second"].strip()
    second = (
        None
        if is_alone
        else _number(query.get("second", ""), defaults.first if defaults.second is None else defaults.second)
    )
    shares = [one for one in (agreement, first, second) if one is not None]
    if agreement is None or first is None or (second is None and not is_alone):
        return None
    if not all(0 <= one <= 1 for one in shares):
        return None
    return Assumed(options=int(asked), agreement=agreement, first=first, second=second)


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


def fields(assumed: Assumed) -> tuple[Field, ...]:
    second = "" if assumed.second is None else f"{assumed.second:g}"
    return (
        Field("options", "Answer options", str(assumed.options), "", "2", str(MOST_OPTIONS), "1"),
        Field("agreement", "Agreement, α", f"{assumed.agreement:g}", "of single labels", "0", "1", "any"),
        Field("first", "Model accuracy", f"{assumed.first:g}", "compared with the true label", "0", "1", "any"),
        Field("second", "Second model", second, "empty: compare with chance", "0", "1", "any", is_needed=False),
    )


def headline(assumed: Assumed, labels: int) -> str:
    """How many items it takes."""
    if labels < 2:
        return "With one label per item there is no majority, so nothing can be compared."
    is_apart = assumed.second is not None
    first = plain(assumed.first, decimals=2)
    if is_apart and assumed.first == assumed.second:
        return "Two models of the same accuracy cannot be separated by any number of items."
    if not is_apart and assumed.first <= assumed.chance:
        return f"A model that is right on {first} does not beat chance ({plain(assumed.chance, decimals=2)})."
    found = enough(assumed, labels=labels, wanted=WANTED, most=MOST_ITEMS, apart=is_apart)
    many = f"More than {MOST_ITEMS:,}" if found is None else f"About {found:,}"
    if assumed.second is None:
        chance = plain(assumed.chance, decimals=2)
        return f"{many} items with {labels} labels show that {first} beats chance ({chance})."
    second = plain(assumed.second, decimals=2)
    return f"{many} items with {labels} labels separate models with accuracies {first} and {second}."


def said_of(assumed: Assumed, items: int, labels: int) -> str:
    """What the design that is asked for would show."""
    found = power(assumed, items=items, labels=labels)
    if found.above_chance is None:
        return ""
    chance = f"{plain(found.above_chance, decimals=2)} to beat chance"
    apart = "" if found.apart is None else f"{plain(found.apart, decimals=2)} to separate them, "
    return f"With {items:,} items and {labels} labels, power is {apart}{chance}."
