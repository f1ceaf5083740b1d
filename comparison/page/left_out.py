"""What is not in the figures, said beside them: items that are left out and why, and runs without an end."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from comparison.figures.findings import REFERENCE, RunFinding
from comparison.statistics.verdict.parts import Labels, Runs
from comparison.statistics.verdict.words.wording import in_a_tile
from corpus.errors import counted
from scoring.models import Run

# More names than this are counted.
MOST_NAMES = 3


def why_fewer(labels: Labels, runs: Runs, findings: Iterable[RunFinding], *, against: str) -> str:
    """Why runs are compared on fewer items than there are, in words; empty where they are compared on all.

    >>> few = Labels(items=50, labeled=50, known=49, against="majority", no_majority="", needed=None, is_few=False)
    >>> from comparison.statistics.verdict.comparing import NOT_COMPARED, NOTHING_OPEN
    >>> runs = Runs(items=43, chance=.5, constant=None, placed=(), outside=(), strengths=(), person=NOT_COMPARED,
    ...             settling=NOTHING_OPEN)
    >>> why_fewer(few, runs, (), against="majority")
    '1 has no majority label, 6 lack an answer of a compared run'
    """
    if not runs.placed and not runs.items:
        return ""
    untrue, unlabeled = labels.items - labels.known, labels.known - runs.items
    truth = "reference" if against == REFERENCE else "majority label"
    parts = [f"{untrue:,} {'has' if untrue == 1 else 'have'} no {truth}"] if untrue else []
    if unlabeled:
        lacking = f"{unlabeled:,} {'lacks' if unlabeled == 1 else 'lack'} an answer of a compared run"
        parts.append(f"{lacking}{_of_whom(runs, findings, labels.known, against)}")
    return ", ".join(parts)


def _of_whom(runs: Runs, findings: Iterable[RunFinding], items: int, against: str) -> str:
    """The runs that lack labels, those that lack the most first: ` (A 6, B 2)`."""
    inside = {str(one.run) for one in runs.placed}
    each = [(items - run.against(against).hits.compared, run.short) for run in findings if run.key in inside]
    lacking = sorted((one for one in each if one[0] > 0), key=lambda one: (-one[0], one[1]))
    names = [f"{in_a_tile(name)} {count:,}" for count, name in lacking[:MOST_NAMES]]
    if len(lacking) > MOST_NAMES:
        names.append(f"{len(lacking) - MOST_NAMES:,} more")
    return f" ({', '.join(names)})" if names else ""


@dataclass(frozen=True, slots=True)
class Unfinished:
    """Runs without an end that a reader should know of, and what is said of them."""

    words: str
    runs: tuple[Run, ...]


# By states, what is said of one run and of several.
SAID = (
    ((Run.State.QUEUED, Run.State.RUNNING), "is still scoring", "are still scoring"),
    ((Run.State.FAILED,), "failed before finishing", "failed before finishing"),
    ((Run.State.STOPPED,), "was stopped early", "were stopped early"),
)


def unfinished(runs: Sequence[Run]) -> Iterator[Unfinished]:
    """A line for those that are still scoring, one for those that failed, one for those that were stopped."""
    for states, one, several in SAID:
        some = tuple(run for run in runs if run.state in states)
        if some:
            yield Unfinished(f"{counted(len(some), 'run')} {one if len(some) == 1 else several}", some)
