"""A rule's evidence in a sentence: what was found, of how much, and the limit. Pure."""

from collections.abc import Callable, Mapping
from typing import Any

Facts = Mapping[str, Any]
RESEARCHER = "researcher"


def because(rule: str, facts: Facts, *, in_full: bool = True) -> str:
    """Such as `2 of 2 attention checks failed; the limit is 0`.

    Not `in_full`, without the reason that a researcher wrote down, which may say who somebody is.
    """
    return WORDS[rule](facts) if in_full or rule != RESEARCHER else f"decided by {facts['by']}"


def degrees(count: int) -> str:
    return "1 degree" if count == 1 else f"{count} degrees"


def seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.1f} s"


def _attention(facts: Facts) -> str:
    return (
        f"{facts['attention_failures']} of {len(facts['attention'])} attention checks failed; "
        f"the limit is {facts['max_attention_failures']}"
    )


def _gold(facts: Facts) -> str:
    far, answered = facts["gold_far"], len(facts["gold"])
    return (
        f"{far} of {answered} gold answers ({100 * far / answered:.0f} %) "
        f"{degrees(facts['gold_distance'])} or more from the reference; "
        f"the limit is {100 * facts['gold_tolerance']:.0f} %"
    )


def _quick(facts: Facts) -> str:
    below, timed = len(facts["quick"]), facts["timed"]
    return (
        f"{below} of {timed} timed answers ({100 * below / timed:.0f} %) took less than "
        f"{seconds(facts['item_floor_ms'])}; the limit is {100 * facts['quick_tolerance']:.0f} %{_claimed(facts)}"
    )


def _sitting(facts: Facts) -> str:
    return (
        f"the median of {len(facts['sitting'])} timed answers in a sitting was {seconds(facts['sitting_median_ms'])}; "
        f"the least is {seconds(facts['sitting_floor_ms'])}{_claimed(facts)}"
    )


def _claimed(facts: Facts) -> str:
    """Of times that cannot be."""
    count = facts.get("impossible", 0)
    return f". Of {count}, the browser claimed more time than had passed on the server" if count else ""


def _straight(facts: Facts) -> str:
    what = "label" if facts["straight_by"] == "label" else "place on the page"
    return (
        f"the same {what} {len(facts['straight'])} times in a row; the limit is {facts['max_same_in_a_row']}. "
        f"{_likely(facts['straight_chance'])}"
    )


def _pattern(facts: Facts) -> str:
    what = "labels" if facts["pattern_by"] == "label" else "places on the page"
    return (
        f"{facts['pattern_period']} {what} in turn over {len(facts['pattern'])} answers; the limit is "
        f"{facts['max_in_pattern']}. {_likely(facts['pattern_chance'])}"
    )


def _likely(chance: float) -> str:
    """In odds, since the numbers are small."""
    odds = f"1 in {1 / chance:,.0f}" if chance > 1e-9 else "less than 1 in a billion"
    return (
        f"By the other answers, and what several people say of these items, at most {odds} attentive annotators does so"
    )


def _researcher(facts: Facts) -> str:
    return f"decided by {facts['by']}: {facts['reason']}"


WORDS: Mapping[str, Callable[[Facts], str]] = {
    "attention": _attention,
    "gold": _gold,
    "quick": _quick,
    "sitting": _sitting,
    "straight": _straight,
    "pattern": _pattern,
    RESEARCHER: _researcher,
}
