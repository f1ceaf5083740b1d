"""What is said of some of those who labeled: who is at chance, and whom a run follows."""

from collections.abc import Iterator

from comparison.statistics.agreement.at_chance import AtChance
from comparison.statistics.agreement.following import Follows
from comparison.statistics.estimate import counted, percent
from comparison.statistics.verdict.evidence import Evidence
from comparison.statistics.verdict.parts import People
from comparison.statistics.verdict.words.wording import MOST_NAMES, listed, number


def on_some(found: People, evidence: Evidence) -> Iterator[str]:
    """A sentence on those at chance, and one on each run that follows somebody."""
    if found.at_chance:
        yield _on_chance(found.at_chance, found.names, evidence.many)
    yield from (_on_following(run, found.names[one.rater], one) for run, one in found.following)


def _on_chance(found: AtChance, names: tuple[str, ...], many: str) -> str:
    """
    >>> _on_chance(AtChance(raters=(1,), of=5, share=0.4), ("a1", "a2"), "annotators")
    '1 of 5 annotators (a2) gave 40 % of the labels and is not shown to beat chance by the others’ majority.'
    """
    told = 0 < len(found.raters) <= MOST_NAMES and names
    who = f" ({listed([names[rater] for rater in found.raters])})" if told else ""
    shown = "is not shown" if len(found.raters) == 1 else "are not shown"
    share = f"gave {percent(found.share)} of the labels"
    return (
        f"{len(found.raters):,} of {found.of:,} {many}{who} {share} and {shown} to beat chance by the others’ majority."
    )


def _on_following(run: str, name: str, found: Follows) -> str:
    items = counted(found.items, "item")
    return (
        f"{run} may be a copy of {name}: on {items} it gives {name}’s label {number(found.alike)} of the time and the "
        f"others’ {number(found.others)}, more than what it has in common with the others accounts for."
    )
