"""How the one line that answers a figure of runs says several of them at once."""

from collections.abc import Collection, Iterable, Sequence

from comparison.figures.figure import State
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.verdict.measure import RHO
from comparison.statistics.verdict.parts import Verdict

# More names than this are counted.
MOST_NAMES = 3


def spread(estimates: Iterable[Estimate], *, decimals: int | None = None) -> str:
    """With that many digits; without `decimals` with as many as each interval supports.

    >>> spread([Estimate(-0.19, -0.49, 0.14, n=38), Estimate(0.65, 0.4, 0.8, n=38)], decimals=2)
    '−.19 to .65'
    >>> spread([Estimate(0.4, n=20), Estimate.none("no label"), Estimate(0.75, n=20)])
    '.40 to .75'
    >>> spread([Estimate(0.4, 0.2, 0.6, n=20)])
    '.40 [.20, .60]'
    >>> spread([Estimate.none("no label")])
    'undefined: no label'
    """
    every = list(estimates)
    defined = sorted((one for one in every if one.value is not None), key=lambda one: one.value or 0.0)
    if not defined:
        return str(every[0]) if every else "undefined"
    if decimals is None:
        return defined[0].short if len(defined) == 1 else f"{defined[0].number} to {defined[-1].number}"
    ends = [plain(one.value or 0.0, decimals=decimals) for one in (defined[0], defined[-1])]
    return defined[0].to(decimals) if len(defined) == 1 else " to ".join(ends)


def part_of_runs(count: int, every: int) -> str:
    """
    >>> part_of_runs(0, 3), part_of_runs(1, 1)
    ('0 of 3 runs', '1 of 1 run')
    """
    return f"{count:,} of {'1 run' if every == 1 else f'{every:,} runs'}"


def named(names: Sequence[str], *, many: str = "runs") -> str:
    """Up to three by name, more as a count.

    >>> named(["A"]), named(["A", "B", "C"]), named(["A", "B", "C", "D"])
    ('A', 'A, B and C', '4 runs')
    """
    if len(names) > MOST_NAMES:
        return f"{len(names):,} {many}"
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def directions(verdict: Verdict) -> dict[str, int]:
    """By run, as the verdict has it: 1 where its scores are shown to rise with labels or ratings, −1 where they are
    shown to fall, 0 where neither is; nothing of a run that is not compared.
    """
    if verdict.measure == RHO:
        return {str(one.run): int(one.beats_chance) - int(one.is_below_chance) for one in verdict.runs.placed}
    return {str(one.run): int(one.is_told) - int(one.falls) for one in verdict.runs.strengths}


def rising(signs: Collection[int]) -> State:
    """How many rise or, where none does, fall.

    >>> rising([-1, 0]).word, rising([1, 0]).word, rising([0]).word
    ('1 of 2 fall', '1 of 2', 'Not shown')
    """
    above, below = sum(one > 0 for one in signs), sum(one < 0 for one in signs)
    if above:
        return State("good", f"{above:,} of {len(signs):,}")
    if below:
        return State("warn", f"{below:,} of {len(signs):,} fall{'s' if len(signs) == 1 else ''}")
    return State("open", "Not shown")


def rising_words(signs: Collection[int]) -> str:
    """
    >>> rising_words([1, 0, -1])
    'shown to rise in 1 of 3 runs, to fall in 1 (Holm)'
    """
    above, below = sum(one > 0 for one in signs), sum(one < 0 for one in signs)
    falls = f", to fall in {below:,}" if below else ""
    return f"shown to rise in {part_of_runs(above, len(signs))}{falls} (Holm)"


def not_judged(by: str) -> str:
    """Why runs are not judged on items that were chosen by that; empty where they may be."""
    return f"No verdict: items were filtered by {by}." if by else ""
