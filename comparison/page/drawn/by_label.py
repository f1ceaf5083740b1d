"""How far people agree, label by label: the unanimous part of the items whose majority is this label; of ratings, how
many points two of the same item are apart, by the item's mean.
"""

from collections.abc import Mapping, Sequence

from comparison.page.drawn.axis import spelled
from comparison.page.drawn.stacks import PRINTED, Key, Part, Stack, Stacks
from comparison.statistics.aggregation import AgreementCounts, LabelRow
from comparison.statistics.by_attribute.label_shares import ValueShares
from comparison.statistics.estimate import percent
from comparison.statistics.strengths.same_item import STEPS
from corpus.errors import counted

# Each kind of agreement with the color of its part, of its number, and of its key.
UNANIMOUS, MAJORITY, NONE, LONE = "unanimous", "majority", "no majority", "one label"
SHADES = (("bar-people", "onp"), ("bar-mid", "on-mid"), ("bar-none", "on-mid"))
LOOKS = dict(zip((UNANIMOUS, MAJORITY, NONE), SHADES, strict=True)) | dict(zip(STEPS, SHADES, strict=True))
LOOKS[LONE] = ("bar-line", "on-mid")
COLORS = ("people", "mid-p", "outline")
KEYS = dict(zip((UNANIMOUS, MAJORITY, NONE), COLORS, strict=True)) | dict(zip(STEPS, COLORS, strict=True))
KEYS[LONE] = "lacking"


def by_label(counts: AgreementCounts, words: Mapping[str, str], *, people: str) -> Stacks | None:
    """A bar for each label that is some item's majority, and one for all items; None where no item has one."""
    rows = [row for row in counts.by_label if row.items]
    if not rows:
        return None
    bars = [_bar(_brief(words[row.value]), {UNANIMOUS: row.unanimous, MAJORITY: row.majority}) for row in rows]
    split = counts.none - counts.lone
    everything = {UNANIMOUS: counts.unanimous, MAJORITY: counts.majority, NONE: split, LONE: counts.lone}
    return Stacks(
        keys=tuple(Key(KEYS[kind], kind) for kind, count in everything.items() if count),
        bars=(*bars, _bar("All labels", everything)),
        sentence=_sentence(rows, counts, words, people),
        said="Agreement by majority label, in percent of its items",
    )


def by_steps(by_value: Sequence[ValueShares]) -> Stacks | None:
    """A bar for each point that is some item's mean, and one for all items, which comes last."""
    labeled = [one for one in by_value if one.labels]
    if not labeled:
        return None
    every = labeled[-1]
    near = sum(one.count for one in every.shares[:-1]) / every.labels
    return Stacks(
        keys=tuple(Key(KEYS[step], step) for step in STEPS),
        bars=tuple(
            _bar(
                _brief(one.value),
                dict(zip(STEPS, (part.count for part in one.shares), strict=True)),
                small=counted(one.items, "item"),
            )
            for one in labeled
        ),
        sentence=f"{percent(near)} of pairs of ratings are at most one point apart.",
        said="How many points two ratings of an item are apart, in percent of pairs",
    )


def _brief(words: str) -> str:
    """A point of a scale by its number alone: what its end is called has no room beside a bar.

    >>> _brief("7 Completely acceptable"), _brief("less likely")
    ('7', 'less likely')
    """
    point, _, end = words.partition(" ")
    return point if end and point.isdecimal() else words


def _bar(name: str, kinds: Mapping[str, int], *, small: str = "") -> Stack:
    total, begins, parts = sum(kinds.values()), 0.0, []
    for kind, count in kinds.items():
        share = count / total
        if count:
            number = percent(share).removesuffix(" %") if share >= 2 * PRINTED else ""
            description = f"{kind}: {percent(share)}, {count:,} of {total:,}"
            middle = spelled(begins + share / 2)
            parts.append(Part(*LOOKS[kind], spelled(begins), spelled(share), middle, number, description))
        begins += share
    small = small or counted(total, "item")
    description = f"{name}, {small}: " + ", ".join(f"{kind} {count:,}" for kind, count in kinds.items() if count)
    return Stack("", name, small, name, "agreed", tuple(parts), description)


def _sentence(rows: list[LabelRow], counts: AgreementCounts, words: Mapping[str, str], people: str) -> str:
    """Of a label that is below all of them together by its interval; else how far labels go apart."""
    if len(rows) < 2:
        return ""
    rising = sorted(rows, key=lambda row: row.unanimous / row.items)
    lowest, highest = rising[0], rising[-1]
    of_all = counts.unanimous / counts.agreed
    least = lowest.share_unanimous
    if least.high is not None and least.high < of_all:
        of_them = f"{lowest.unanimous:,} of {counted(lowest.items, 'item')}"
        return f"{people.capitalize()} are least unanimous on “{words[lowest.value]}”: {of_them}, {least.short}."
    if not highest.unanimous:
        return "No item is unanimous."
    if highest.unanimous * lowest.items == lowest.unanimous * highest.items:
        share = percent(highest.unanimous / highest.items)
        return f"{share} of items with a majority are unanimous, whatever their label."
    ends = [f"{percent(one.unanimous / one.items)} (“{words[one.value]}”)" for one in (lowest, highest)]
    return f"Unanimous on {ends[0]} to {ends[1]} of items."
