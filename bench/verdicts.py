"""How often a verdict says what is not so, and how often what is: made worlds through the library's `verdict()`.

    make bench-verdicts           (or: python -m bench.verdicts [--worlds N] [--only WORDS])

Each row is a claim and a world in which it is false (then the rate is an error, and has an aim) or true (then it is
power). Seeds are fixed: a row's worlds are the same whatever else runs, and before and after a change.
"""

import argparse
import os
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from functools import partial
from zlib import crc32

import numpy as np
from numpy.random import Generator
from scipy.stats import norm

from comparison.statistics.agreement.following import following
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.counts import count as counted
from comparison.statistics.resampling.sample import ITEMS, Sample
from comparison.statistics.verdict.evidence import MAJORITY, REFERENCE, Entrant, Evidence, Voices
from comparison.statistics.verdict.parts import Verdict
from comparison.statistics.verdict.rule import verdict

# Alike within groups: the intraclass correlation of what makes a run right.
ALIKE = 0.3
# A look at so many of so many items while labels come in.
EVERY, ALL = 40, 400


@dataclass(frozen=True, slots=True)
class World:
    """`seen` makes one world and says whether the claim was made; None where the world says nothing of it."""

    claim: str
    of: str
    aim: str
    seen: Callable[[Generator], bool | None]


def study(truth: Ints, decided: list[Ints], *, options: int, sample: Sample = ITEMS, share_in: float = 1.0) -> Verdict:
    """Runs against references, as nobody has labeled."""
    runs = tuple(
        Entrant(run=place, name=f"M{place}", is_baseline=False, decided=codes) for place, codes in enumerate(decided)
    )
    counts = np.zeros((len(truth), options), dtype=np.int64)
    words = tuple("abcdefg"[:options])
    return verdict(
        Evidence(
            counts=counts, truth=truth, words=words, ordered=False, entrants=runs, against=REFERENCE, sample=sample,
            share_in=share_in,
        )
    )  # fmt: skip


def labeled(labels: Ints, *, options: int, ordered: bool = False) -> Verdict:
    """People's labels of shape (items, people), and no run."""
    items, people = labels.shape
    rows, raters = np.repeat(np.arange(items), people), np.tile(np.arange(people), items)
    return verdict(
        Evidence(
            counts=counted(rows, labels.ravel(), size=items, values=options), truth=np.full(items, -1),
            words=tuple("abcdefg"[:options]), ordered=ordered, entrants=(), against=MAJORITY,
            voices=Voices(rows, raters, labels.ravel(), tuple(f"P{rater}" for rater in range(people))),
        )
    )  # fmt: skip


def turned_round(rng: Generator, *, careful: list[float], items: int, turned: list[int]) -> bool:
    """Whether those are named who have five points upside down (or, of nobody, anybody).

    Labels are within a point of the truth as often as their annotator is careful, else by lot.
    """
    truth, shape = rng.integers(5, size=items), (items, len(careful))
    near = np.clip(truth[:, None] + rng.integers(-1, 2, shape), 0, 4)
    labels = np.where(rng.random(shape) < np.array(careful), near, rng.integers(5, size=shape))
    labels[:, turned] = 4 - labels[:, turned]
    named = sorted(one.rater for one in labeled(labels, options=5, ordered=True).people.reversed)
    return named == turned if turned else bool(named)


def in_camps(
    rng: Generator,
    *,
    skills: list[float],
    items: int,
    apart: float = 0.0,
    camp: int = 0,
    options: int = 2,
    hard: bool = False,
) -> bool:
    """Whether the last `camp` people are named as a camp (or, where there is none, any).

    They go by another truth on `apart` of the items, where it is drawn by lot. Of hard items, another share of the
    skill is left each time.
    """
    truth = rng.integers(options, size=items)
    other = np.where(rng.random(items) < apart, rng.integers(options, size=items), truth)
    seen = np.column_stack([truth] * (len(skills) - camp) + [other] * camp)
    easy = rng.random((items, 1)) if hard else np.ones((items, 1))
    knows = 1 / options + (np.array(skills) - 1 / options) * easy
    wrong = (seen + rng.integers(1, options, size=seen.shape)) % options
    found = labeled(np.where(rng.random(seen.shape) < knows, seen, wrong), options=options).people.camps
    return found is not None and (not camp or found.other == tuple(range(len(skills)))[-camp:])


def contradict(rng: Generator, *, shares: list[float], items: int, people: int, against: bool = False) -> bool:
    """Whether people by lot, with these shares of the labels, are said to contradict one another.

    With one `against`, all go by one truth on .9 of the items, and the last gives the other of two labels.
    """
    labels = rng.choice(len(shares), p=shares, size=(items, people))
    if against:
        labels = np.column_stack([right(rng, labels[:, 0], 0.9) for _ in range(people)])
        labels[:, -1] = 1 - labels[:, -1]
    return labeled(labels, options=len(shares)).people.contradict


def follows(rng: Generator, *, copied: bool, items: int) -> bool:
    """Whether a run is said to follow one of five: a copy of .95, or one as lenient as the last, with own errors."""
    if copied:
        truth = rng.integers(2, size=items)
        labels = np.column_stack([right(rng, truth, 0.8) for _ in range(5)])
        run = right(rng, labels[:, 2], 0.95)
    else:
        seen = rng.normal(size=(items, 1)) + 0.5 * rng.normal(size=(items, 6))
        cut = (seen > np.array([0, 0, 0, 0, -0.9, -0.9])).astype(np.int64)
        labels, run = cut[:, :5], cut[:, 5]
    rows, raters = np.repeat(np.arange(items), 5), np.tile(np.arange(5), items)
    counts = counted(rows, labels.ravel(), size=items, values=2)
    return bool(following({0: run}, rows, raters, labels.ravel(), counts))


def right(rng: Generator, truth: Ints, share: float, *, options: int = 2) -> Ints:
    """The truth with this probability, else another label."""
    return np.where(rng.random(len(truth)) < share, truth, (truth + rng.integers(1, options, len(truth))) % options)


def runs_at(rng: Generator, shares: list[float], items: int, *, options: int = 2) -> Verdict:
    truth = rng.integers(options, size=items)
    return study(truth, [right(rng, truth, share, options=options) for share in shares], options=options)


def claims_a_model(found: Verdict) -> bool:
    return any(one.is_told for one in found.runs.models)


def told_at(rng: Generator, *, shares: list[float], items: int, options: int = 2) -> bool:
    return claims_a_model(runs_at(rng, shares, items, options=options))


def told_of_uneven(rng: Generator, *, rare: float, items: int, finds: float, keeps: float) -> bool:
    """A run that gives the rare label to `finds` of its items, and the common one to `keeps` of the others."""
    truth = (rng.random(items) < rare).astype(np.int64)
    said = rng.random(items)
    return claims_a_model(study(truth, [np.where(truth == 1, said < finds, said >= keeps).astype(np.int64)], options=2))


def told_of_groups(rng: Generator, *, groups: int, each: int, share: float, options: int = 2) -> bool:
    clusters, truth = np.repeat(np.arange(groups), each), rng.integers(options, size=groups * each)
    hidden = ALIKE**0.5 * rng.normal(size=groups)[clusters] + (1 - ALIKE) ** 0.5 * rng.normal(size=len(truth))
    other = (truth + rng.integers(1, options, size=len(truth))) % options
    said = np.where(hidden < norm.ppf(share), truth, other)
    found = study(truth, [said], options=options, sample=Sample(clusters=clusters))
    return any(one.beats_chance for one in found.runs.models)


def best_is_missing(rng: Generator, *, runs: int, share: float, items: int) -> bool | None:
    """Of equal runs, whether some are not named among those that may be the best, where any are named."""
    found = runs_at(rng, [share] * runs, items).runs
    return len(found.leading) + len(found.unshown) < runs if found.leading else False


def first_is_held(rng: Generator, *, runs: int, share: float, items: int) -> bool | None:
    """Whether the interval that is said of the run named first holds its accuracy."""
    nearest = runs_at(rng, [share] * runs, items).runs.nearest
    if not nearest:
        return None
    figure = nearest[0].joint
    return figure.low is not None and figure.high is not None and figure.low <= share <= figure.high


def alone(rng: Generator, *, shares: list[float], items: int) -> bool:
    nearest = runs_at(rng, shares, items).runs.nearest
    return [one.name for one in nearest] == ["M0"]


def alone_by_silence(rng: Generator, *, share: float, items: int, leaves: float) -> bool:
    """Whether the first of two equal runs is nearest alone, as it says nothing on so many of the items it has wrong."""
    truth = rng.integers(2, size=items)
    first, other = right(rng, truth, share), right(rng, truth, share)
    first = np.where((first != truth) & (rng.random(items) < leaves), -1, first)
    return [one.name for one in study(truth, [first, other], options=2).runs.nearest] == ["M0"]


def at_some_look(rng: Generator, *, shares: list[float], says: Callable[[Verdict], bool]) -> bool:
    truth = rng.integers(2, size=ALL)
    decided = [right(rng, truth, share) for share in shares]
    looks = range(EVERY, ALL + 1, EVERY)
    return any(says(study(truth[:to], [codes[:to] for codes in decided], options=2, share_in=to / ALL)) for to in looks)


def one_is_nearest(found: Verdict) -> bool:
    return sum(one.nearest for one in found.runs.models) == 1 and bool(found.runs.nearest)


def advises(rng: Generator, *, runs: int, items: int) -> bool:
    return "more item" in runs_at(rng, [0.5] * runs, items).on("settling")


def power_of_advice(rng: Generator, *, runs: int, items: int, share: float, lead: float) -> bool | None:
    """Whether as many items as are advised single out the first, where its lead is what it was at first."""
    shares = [share + lead] + [share] * (runs - 1)
    truth = rng.integers(2, size=items)
    decided = [np.where(rng.permutation(items) < round(one * items), truth, 1 - truth) for one in shares]
    found = study(truth, decided, options=2).runs
    needed = found.settling.items
    return None if found.settling.what != "models" or needed is None else alone(rng, shares=shares, items=needed)


# One that finds a rare class, one that knows only how rare it is, and one that is as good at both classes.
DETECTOR = partial(told_of_uneven, rare=0.06, items=300, finds=0.7, keeps=0.95)
BLIND = partial(told_of_uneven, rare=0.06, items=300, finds=0.1, keeps=0.9)
EVEN = partial(told_of_uneven, rare=0.35, items=100, finds=0.75, keeps=0.75)
BETTER, MISSING_BEST, HELD = (
    "beats chance and labels shuffled",
    "a best run missing from the nearest",
    "first’s interval",
)
LOOKS, ADVICE, IN_GROUPS = "at some look of ten", "more items advised", "groups: better than chance"
COPY = "a copy of one annotator"
AGAINST, CAMPS, CONTRADICT = "named as against the others", "two camps", "people contradict one another"
WORLDS = (
    World(BETTER, "a coin of 50", "≤ .05", partial(told_at, shares=[0.5], items=50)),
    World(BETTER, "a coin of 100", "≤ .05", partial(told_at, shares=[0.5], items=100)),
    World(BETTER, "10 coins of 100", "≤ .05", partial(told_at, shares=[0.5] * 10, items=100)),
    World(BETTER, "five options, 100", "≤ .05", partial(told_at, shares=[0.2], items=100, options=5)),
    World(BETTER, "“a” at .8 of .8, 100", "≤ .05", partial(told_of_uneven, rare=0.2, items=100, finds=0.2, keeps=0.8)),
    World(BETTER, "no detector of .06, 300", "≤ .05", BLIND),
    World(MISSING_BEST, "2 at .60 of 30", "≤ .05", partial(best_is_missing, runs=2, share=0.6, items=30)),
    World(MISSING_BEST, "3 at .55 of 100", "≤ .05", partial(best_is_missing, runs=3, share=0.55, items=100)),
    World(MISSING_BEST, "5 at .55 of 200", "≤ .05", partial(best_is_missing, runs=5, share=0.55, items=200)),
    World(MISSING_BEST, "10 at .54 of 200", "≤ .05", partial(best_is_missing, runs=10, share=0.54, items=200)),
    World(HELD, "1 at .70 of 200", "≥ .95", partial(first_is_held, runs=1, share=0.7, items=200)),
    World(HELD, "5 at .70 of 200", "≥ .95", partial(first_is_held, runs=5, share=0.7, items=200)),
    World(HELD, "26 at .70 of 200", "≥ .95", partial(first_is_held, runs=26, share=0.7, items=200)),
    World(LOOKS, "one of two equal is nearest", "≤ .05", partial(at_some_look, shares=[0.7, 0.7], says=one_is_nearest)),
    World(LOOKS, "a coin is better than chance", "≤ .05",
          partial(at_some_look, shares=[0.5], says=lambda found: found.runs.models[0].beats_chance)),
    World(ADVICE, "1 coin of 200", "low", partial(advises, runs=1, items=200)),
    World(ADVICE, "10 coins of 200", "low", partial(advises, runs=10, items=200)),
    World(ADVICE, "40 coins of 200", "low", partial(advises, runs=40, items=200)),
    World(IN_GROUPS, "coin, 8 of 5", "≤ .05", partial(told_of_groups, groups=8, each=5, share=0.5)),
    World(IN_GROUPS, "coin, 20 of 5", "≤ .05", partial(told_of_groups, groups=20, each=5, share=0.5)),
    World(IN_GROUPS, "five options, 20 of 5", "≤ .05",
          partial(told_of_groups, groups=20, each=5, share=0.2, options=5)),
    World(BETTER, ".65 of 100", "power", partial(told_at, shares=[0.65], items=100)),
    World(BETTER, ".62 of 100", "power", partial(told_at, shares=[0.62], items=100)),
    World(BETTER, ".60 of 200", "power", partial(told_at, shares=[0.6], items=200)),
    World(BETTER, ".75 of 100, commonest .65", "power", EVEN),
    World(BETTER, "a detector of .06, 300", "power", DETECTOR),
    World("alone nearest", ".80, .65 of 100", "power", partial(alone, shares=[0.8, 0.65], items=100)),
    World("alone nearest", ".80, .72 of 300", "power", partial(alone, shares=[0.8, 0.72], items=300)),
    World("alone nearest", ".72, 4 at .60, 200", "power", partial(alone, shares=[0.72] + [0.6] * 4, items=200)),
    World("alone nearest", ".72, 9 at .60, 200", "power", partial(alone, shares=[0.72] + [0.6] * 9, items=200)),
    World("alone nearest", ".72, 25 at .60, 200", "power", partial(alone, shares=[0.72] + [0.6] * 25, items=200)),
    World(IN_GROUPS, ".60, 40 of 5", "power", partial(told_of_groups, groups=40, each=5, share=0.6)),
    World(IN_GROUPS, ".60, 100 of 2", "power", partial(told_of_groups, groups=100, each=2, share=0.6)),
    World(IN_GROUPS, ".62, 20 of 10", "power", partial(told_of_groups, groups=20, each=10, share=0.62)),
    World("as many as advised suffice", "2 models", "≥ .80",
          partial(power_of_advice, runs=2, items=150, share=0.65, lead=0.08)),
    World("as many as advised suffice", "6 models", "≥ .80",
          partial(power_of_advice, runs=6, items=150, share=0.65, lead=0.08)),
    World("as many as advised suffice", "12 models", "≥ .80",
          partial(power_of_advice, runs=12, items=150, share=0.65, lead=0.08)),
    World(CAMPS, "none, 5 of .8, 200", "≤ .05", partial(in_camps, skills=[0.8] * 5, items=200)),
    World(CAMPS, "none, skills .55 to .95, 200", "≤ .05",
          partial(in_camps, skills=[0.95, 0.95, 0.9, 0.6, 0.6, 0.55], items=200)),
    World(CAMPS, "none, hard items, 200", "≤ .05",
          partial(in_camps, skills=[0.98, 0.9, 0.8, 0.7, 0.6], items=200, hard=True)),
    World(CAMPS, "none, 6 of five options, 200", "≤ .05", partial(in_camps, skills=[0.7] * 6, items=200, options=5)),
    World(CAMPS, "3 and 2 of .9, .35 apart, 200", "power",
          partial(in_camps, skills=[0.9] * 5, items=200, apart=0.35, camp=2)),
    World(CAMPS, "3 and 2 of .85, .5 apart, 240", "power",
          partial(in_camps, skills=[0.85] * 5, items=240, apart=0.5, camp=2)),
    World(CAMPS, "3 and 2 of .9, .7 apart, 200", "power",
          partial(in_camps, skills=[0.9] * 5, items=200, apart=0.7, camp=2)),
    World(CAMPS, "5 and 5 of .8, .7 apart, 200", "power",
          partial(in_camps, skills=[0.8] * 10, items=200, apart=0.7, camp=5)),
    World(AGAINST, "nobody of 3 by lot, 100", "≤ .05", partial(turned_round, careful=[0.0] * 3, items=100, turned=[])),
    World(AGAINST, "nobody of 0, .3, .6, .9, 100", "≤ .05",
          partial(turned_round, careful=[0.0, 0.3, 0.6, 0.9], items=100, turned=[])),
    World(AGAINST, "one of 3, 200", "power", partial(turned_round, careful=[1.0] * 3, items=200, turned=[2])),
    World(AGAINST, "one of 3, .7 careful, 60", "power", partial(turned_round, careful=[0.7] * 3, items=60, turned=[2])),
    World(AGAINST, "two of 5, .8 careful, 100", "power",
          partial(turned_round, careful=[0.8] * 5, items=100, turned=[1, 4])),
    World("alone nearest", "two equal, one silent on .6 of its errors", "≤ .05",
          partial(alone_by_silence, share=0.8, items=150, leaves=0.6)),
    World(COPY, "as lenient as one of 5, 200", "≤ .05", partial(follows, copied=False, items=200)),
    World(COPY, "a copy of one of 5, 150", "power", partial(follows, copied=True, items=150)),
    World(CONTRADICT, "by lot, 10 of 2", "≤ .025", partial(contradict, shares=[0.5] * 2, items=10, people=2)),
    World(CONTRADICT, "by lot, 12 of 3, five labels", "≤ .025",
          partial(contradict, shares=[0.2] * 5, items=12, people=3)),
    World(CONTRADICT, "by lot, .95 one label, 100 of 3", "≤ .025",
          partial(contradict, shares=[0.95, 0.05], items=100, people=3)),
    World(CONTRADICT, "one of 3 the other way, 60", "power",
          partial(contradict, shares=[0.5] * 2, items=60, people=3, against=True)),
)  # fmt: skip


def count(place: int, numbers: range) -> list[bool]:
    """What was seen in the worlds of these numbers, of the row at that place."""
    world = WORLDS[place]
    key = crc32(f"{world.claim}/{world.of}".encode())
    seen = [world.seen(np.random.default_rng([key, number])) for number in numbers]
    return [one for one in seen if one is not None]


def line(world: World, seen: list[bool]) -> str:
    found: Floats = np.array(seen, dtype=np.float64)
    if not len(found):
        return f"| {world.claim} | {world.of} | {world.aim} | never | 0 |"
    rate = float(found.mean())
    error = 1.96 * float(np.sqrt(rate * (1 - rate) / len(found)))
    return f"| {world.claim} | {world.of} | {world.aim} | {rate:.3f} ± {error:.3f} | {len(found)} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=500, help="how many worlds of each kind (500)")
    parser.add_argument("--only", default="", help="only rows whose claim or world holds these words")
    options = parser.parse_args()
    print("| claim | world | aim | rate | worlds |\n|---|---|---|---|---|", flush=True)
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for place, world in enumerate(WORLDS):
            if options.only in f"{world.claim}, {world.of}":
                parts = [range(at, options.worlds, 8) for at in range(8)]
                seen = [one for part in pool.map(partial(count, place), parts) for one in part]
                print(line(world, seen), flush=True)


if __name__ == "__main__":
    main()
