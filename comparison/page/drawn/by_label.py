"""How far people agree, label by label: the unanimous part of the items whose majority is this label."""

from collections.abc import Mapping

from comparison.page.drawn.axis import spelled
from comparison.page.drawn.stacks import PRINTED, Key, Part, Stack, Stacks
from comparison.statistics.aggregation import AgreementCounts, LabelRow
from comparison.statistics.estimate import counted, percent

# Each kind of agreement with the color of its part, of its number, and of its key.
UNANIMOUS, MAJORITY, NONE = "unanimous", "majority", "no majority"
LOOKS = {UNANIMOUS: ("bar-people", "onp"), MAJORITY: ("bar-mid", "on-mid"), NONE: ("bar-none", "on-mid")}
KEYS = {UNANIMOUS: "people", MAJORITY: "mid-p", NONE: "outline"}


def by_label(counts: AgreementCounts, words: Mapping[str, str], *, people: str) -> Stacks | None:
    """A bar for each label that is some item's majority, and one for all items; None where no item has one."""
    rows = [row for row in counts.by_label if row.items]
    if not rows:
        return None
    bars = [_bar(_brief(words[row.value]), {UNANIMOUS: row.unanimous, MAJORITY: row.majority}) for row in rows]
    everything = {UNANIMOUS: counts.unanimous, MAJORITY: counts.majority, NONE: counts.none}
    return Stacks(
        keys=tuple(Key(KEYS[kind], kind) for kind, count in everything.items() if count),
        bars=(*bars, _bar("All labels", everything)),
        sentence=_sentence(rows, counts, words, people),
        said="Agreement by majority label, in percent of its items",
    )


def _brief(words: str) -> str:
    """A point of a scale by its number alone: what its end is called has no room beside a bar.

    >>> _brief("7 Completely acceptable"), _brief("less likely")
    ('7', 'less likely')
    """
    point, _, end = words.partition(" ")
    return point if end and point.isdecimal() else words


def _bar(name: str, kinds: Mapping[str, int]) -> Stack:
    total, begins, parts = sum(kinds.values()), 0.0, []
    for kind, count in kinds.items():
        share = count / total
        if count:
            number = percent(share) if share >= 2 * PRINTED else ""
            said = f"{kind}: {percent(share)}, {count:,} of {total:,}"
            middle = spelled(begins + share / 2)
            parts.append(Part(*LOOKS[kind], spelled(begins), spelled(share), middle, number, said))
        begins += share
    small = counted(total, "item")
    said = f"{name}, {small}: " + ", ".join(f"{kind} {count:,}" for kind, count in kinds.items() if count)
    return Stack("", name, small, name, "agreed", tuple(parts), said)


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
        return f"Unanimous on {percent(highest.unanimous / highest.items)} of items, whatever their majority label."
    ends = [f"{percent(one.unanimous / one.items)} (“{words[one.value]}”)" for one in (lowest, highest)]
    return f"Unanimous on {ends[0]} to {ends[1]} of items."
