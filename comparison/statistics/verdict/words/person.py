"""Where the nearest models lie beside one person, in a sentence."""

from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.parts import Labels, Placed, Runs
from comparison.statistics.verdict.words.wording import listed, number, person_reaches, size, spread


def on_person(evidence: Evidence, labels: Labels, runs: Runs) -> str:
    """What one person reaches, and what the nearest models reach on the same labels.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> from comparison.statistics.verdict.rule import verdict
    >>> right = np.arange(40) // 2 % 2
    >>> run = Entrant(run=1, name="A", is_baseline=False, decided=np.where(np.arange(40) < 32, right, 1 - right))
    >>> given = Evidence(counts=np.eye(2, dtype=int)[right] * 3, truth=right, words=("no", "yes"), ordered=False,
    ...     entrants=(run,))
    >>> print(verdict(given).on("person"))
    One person gives the label that the others agree on 1.00 of the time (labels on 40 items); on the same labels A
    reaches .80, below that by .20 [.07, .33].
    """
    nearest = [one for one in runs.nearest if one.beside.low is not None]
    if runs.nearest and runs.person_withheld:
        return f"No {evidence.one} is compared with models: {runs.person_withheld}."
    if runs.person.value is None or not nearest:
        return ""
    reached = person_reaches(evidence.by.key, labels.against, evidence.one, runs.person)
    start = f"{reached} ({runs.person.note})"
    below = [one for one in nearest if _end(one.beside.high) < 0]
    above = [one for one in nearest if _end(one.beside.low) > 0]
    # References are not what people agree on: a run that is nearer to them is better than people at that.
    warning = _no_better(len(above), evidence.many) if labels.against == MAJORITY else ""
    if len(nearest) == 1:
        return f"{start}; {_alone(nearest[0], evidence, runs)}.{warning}"
    values = spread([_same(one, evidence, runs) for one in nearest])
    all_of_them = "both" if len(nearest) == 2 else f"all {len(nearest):,}"
    same = f"on the same labels {all_of_them} {_gets(evidence, 2)} {values}"
    if len(below) == len(nearest) or len(above) == len(nearest):
        way = _ways(evidence)[0 if below else 1]
        differences = spread([abs(one.beside.value or 0.0) for one in nearest])
        return f"{start}; {same}, {way} by {differences}.{warning}"
    counts = zip((below, above), _ways(evidence), strict=True)
    told = [f"{len(some):,} of them {'lies' if len(some) == 1 else 'lie'} {way}" for some, way in counts if some]
    rest = len(nearest) - len(below) - len(above)
    open_ = [f"{f'for {rest:,} ' if told else ''}no gap is shown"] if rest else []
    return f"{start}; {same}, and {listed([*told, *open_])}.{warning}"


def _no_better(above: int, many: str) -> str:
    """What it does not mean to lie above one person: a majority is not what people are after."""
    return f" That does not make {'it' if above == 1 else 'them'} better than {many}." if above else ""


def _ways(evidence: Evidence) -> tuple[str, str]:
    """Further from the truth than one person, and nearer to it."""
    return ("below that", "above that") if evidence.by.sign > 0 else ("further away", "nearer")


def _gets(evidence: Evidence, count: int) -> str:
    reaches, lies = ("reaches", "lies at") if count == 1 else ("reach", "lie at")
    return reaches if evidence.by.sign > 0 else lies


def _same(one: Placed, evidence: Evidence, runs: Runs) -> float:
    """What a run reaches on the labels on which it stands beside one person: other items than its own figure's."""
    return (runs.person.value or 0.0) + evidence.by.sign * (one.beside.value or 0.0)


def _alone(one: Placed, evidence: Evidence, runs: Runs) -> str:
    reached = f"on the same labels {one.name} {_gets(evidence, 1)} {number(_same(one, evidence, runs))}"
    below, above = _ways(evidence)
    if _end(one.beside.high) < 0:
        return f"{reached}, {below} by {size(one.beside)}"
    if _end(one.beside.low) > 0:
        return f"{reached}, {above} by {size(one.beside)}"
    return f"{reached}, and no gap is shown (difference {one.beside.short})"


def _end(end: float | None) -> float:
    return 0.0 if end is None else end
