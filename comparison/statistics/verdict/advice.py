"""What would settle what is open, in a sentence."""

from comparison.statistics.estimate import plain
from comparison.statistics.verdict.evidence import Evidence
from comparison.statistics.verdict.parts import Runs, Settling
from comparison.statistics.verdict.settling import MOST, about


def on_settling(evidence: Evidence, runs: Runs) -> str:
    """The items that would be needed, beyond those that there are; empty where nothing is open.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> right = np.arange(40) // 2 % 2
    >>> run = Entrant(run=1, name="A", is_baseline=False, decided=np.where(np.arange(40) < 24, right, 1 - right))
    >>> given = Evidence(counts=np.eye(2, dtype=int)[right] * 3, truth=right, words=("no", "yes"), ordered=False,
    ...     entrants=(run,))
    >>> on_settling(given, verdict(given).runs)
    'If the best model stays .10 above chance, about 110 more items would tell it from that (power .8).'
    """
    found, items = runs.settling, runs.items
    if not found.what or (found.items is not None and found.items <= items):
        return ""
    if found.items is None:
        return _no_number(found)
    missing = found.items - items
    more = f"about {about(missing)} more {'item' if missing == 1 else 'items'}"
    if found.items > MOST:
        more = f"{about(found.items)} items"
    # Two runs that are close are told apart by further digits.
    gap = plain(abs(found.difference), decimals=2 if abs(found.difference) >= 0.01 else 4)
    stays = f"stays {gap}"
    if found.what == "models":
        return f"If the difference between the first two {stays}, {more} would tell them apart (power .8)."
    if found.what == "person":
        return f"If the difference {stays}, {more} would tell the nearest from one of them (power .8)."
    bar = "chance" if found.what == "chance" else "that constant"
    way = "above" if evidence.by.sign > 0 else "nearer than"
    return f"If the best model stays {gap} {way} {bar}, {more} would tell it from that (power .8)."


def _no_number(found: Settling) -> str:
    if found.what == "models":
        return "The first two are level, so no number of items can be named that would tell them apart."
    if found.what == "person":
        return ""
    bar = "chance" if found.what == "chance" else "that constant"
    return f"No model comes nearer than {bar}, so that more items would hardly change this."
