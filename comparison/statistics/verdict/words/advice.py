"""What would settle what is open, in a sentence."""

from comparison.statistics.estimate import plain
from comparison.statistics.verdict.evidence import Evidence
from comparison.statistics.verdict.parts import Runs
from comparison.statistics.verdict.settling import about


def on_settling(evidence: Evidence, runs: Runs) -> str:
    """The items that would be needed, beyond those that there are; empty where nothing is open.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> right = np.arange(40) // 2 % 2
    >>> run = Entrant(run=1, name="A", is_baseline=False, decided=np.where(np.arange(40) < 24, right, 1 - right))
    >>> given = Evidence(counts=np.eye(2, dtype=int)[right] * 3, truth=right, words=("no", "yes"), ordered=False,
    ...     entrants=(run,))
    >>> on_settling(given, verdict(given).runs)
    'About 240 more items could show that A beats chance, if it stays .10 above (power .8).'
    """
    found, items = runs.settling, runs.items
    if not found.what or (found.items is not None and found.items <= items):
        return ""
    if found.items is None:
        level = "The first two are level, so no number of items can be named that would tell them apart."
        return level if found.what == "models" else ""
    missing = found.items - items
    more = f"{_capital(about(missing))} more {'item' if missing == 1 else 'items'}"
    # Two runs that are close are told apart by further digits.
    gap = plain(abs(found.difference), decimals=2 if abs(found.difference) >= 0.01 else 4)
    if found.what == "models":
        first = runs.nearest[0].name
        return f"{more} could show {first} to be the nearest, if its lead stays {gap} (power .8)."
    if found.what == "person":
        return f"{more} could tell the nearest from one {evidence.one}, if the difference stays {gap} (power .8)."
    if found.what == "favoring":
        return f"{more} could show that {found.name} does more than favor common labels, if it stays so (power .8)."
    way = "above" if evidence.by.sign > 0 else "nearer"
    return f"{more} could show that {found.name} beats chance, if it stays {gap} {way} (power .8)."


def _capital(number: str) -> str:
    return f"About {number}" if number[0].isdigit() else f"{number[:1].upper()}{number[1:]}"
