"""How often each interval holds what it should: worlds are made whose true figure is known, and intervals counted.

    make bench-coverage           (or: python -m bench.coverage [--worlds N] [--items N …])

Every world has items on a hidden scale, people who see it with noise, and two runs. Items stand alone, or five share a
group and half of what they are and of what the runs get wrong. The true figure is that of 100,000 items. A 95 %
interval should hold it in 95 of 100 worlds; the last column draws clustered items as if they stood alone.
"""

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.random import Generator

from comparison.statistics.accuracy.ceiling import against_reference
from comparison.statistics.accuracy.classes import macro_f1
from comparison.statistics.accuracy.confusion import matthews
from comparison.statistics.accuracy.crossed import balanced_accuracy, crossed, mean_distance, weighted_kappa
from comparison.statistics.accuracy.hits import accuracy, kappa
from comparison.statistics.agreement.alpha import krippendorff_alpha
from comparison.statistics.agreement.from_counts import fleiss, gwet, percent_agreement, prevalence
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.divergence import cross_entropy, jensen_shannon, total_variation
from comparison.statistics.estimate import Estimate
from comparison.statistics.pairs import difference
from comparison.statistics.resampling.sample import ITEMS, Sample, grouped
from comparison.statistics.strengths.correlation import people_score, spearman
from comparison.statistics.verdict.evidence import MAJORITY, REFERENCE, Entrant, Evidence
from comparison.statistics.verdict.parts import Placed
from comparison.statistics.verdict.person import one_annotator
from comparison.statistics.verdict.rule import verdict

VALUES, LABELS, TOGETHER = 3, 5, 5
CUTS = np.array([-0.5, 0.7])
EVERYTHING = 100_000


@dataclass(frozen=True)
class World:
    """Items with what people and two runs say of them; `sample` has the groups, if there are some."""

    counts: Ints
    truth: Ints
    one: Ints
    other: Ints
    given: Floats
    strengths: Floats
    sample: Sample


def world(rng: Generator, items: int, *, together: int) -> World:
    """`together` items share a group; 1 for items that stand alone."""

    def hidden() -> Floats:
        shared = np.repeat(rng.normal(size=-(-items // together)), together)[:items]
        return np.asarray(np.sqrt(0.5) * (shared + rng.normal(size=items)))

    place = hidden()
    labels = np.searchsorted(CUTS, place[:, None] + 0.7 * rng.normal(size=(items, LABELS)))
    seen, seen_by_other = place + 0.9 * hidden(), place + 1.1 * hidden()
    near = np.exp(-np.abs(seen[:, None] - np.array([-1.0, 0.1, 1.2])))
    groups = np.array([f"g{n // together}" for n in range(items)], dtype=object)
    return World(
        counts=(labels[:, :, None] == np.arange(VALUES)).sum(axis=1),
        truth=np.searchsorted(CUTS, place),
        one=np.searchsorted(CUTS, seen),
        other=np.searchsorted(CUTS, seen_by_other),
        given=near / near.sum(axis=1, keepdims=True),
        strengths=seen,
        sample=ITEMS if together == 1 else grouped(groups),
    )


def _crossed(found: World, sample: Sample) -> Any:
    return crossed(found.one, found.truth, values=VALUES, called="truth", sample=sample)


def _judged(found: World, sample: Sample, measure: str) -> Placed:
    """The run as the verdict has it."""
    run = Entrant(run=1, name="one", is_baseline=False, decided=found.one)
    given = Evidence(
        counts=found.counts, truth=found.truth, words=("low", "middle", "high"), ordered=True, entrants=(run,),
        against=REFERENCE, measure=measure, sample=sample,
    )  # fmt: skip
    return verdict(given).runs.placed[0]


FIGURES: dict[str, Callable[[World, Sample], Estimate]] = {
    "percent agreement": lambda w, s: percent_agreement(w.counts, sample=s),
    "Fleiss’ κ": lambda w, s: fleiss(w.counts, sample=s),
    "AC1": lambda w, s: gwet(w.counts, sample=s),
    "AC2, ordinal": lambda w, s: gwet(w.counts, weighting="ordinal", sample=s),
    "α, nominal": lambda w, s: krippendorff_alpha(w.counts, level="nominal", sample=s),
    "α, ordinal": lambda w, s: krippendorff_alpha(w.counts, level="ordinal", sample=s),
    "share of the commonest label": lambda w, s: prevalence(w.counts, sample=s).share,
    "one person, others’ majority": lambda w, s: one_annotator(w.counts, w.truth, against=MAJORITY, sample=s),
    "one person, reference": lambda w, s: against_reference(w.counts, w.truth, sample=s),
    "accuracy": lambda w, s: accuracy(w.one, w.truth, sample=s).accuracy,
    "κ of a run": lambda w, s: kappa(w.one, w.truth, values=VALUES, sample=s),
    "balanced accuracy": lambda w, s: balanced_accuracy(_crossed(w, s)),
    "macro F1": lambda w, s: macro_f1(_crossed(w, s)),
    "MCC": lambda w, s: matthews(_crossed(w, s)),
    "κ, quadratic": lambda w, s: weighted_kappa(_crossed(w, s), weights="quadratic"),
    "degrees off": lambda w, s: mean_distance(_crossed(w, s)),
    "difference of two runs": lambda w, s: difference(w.one, w.other, w.truth, sample=s),
    "Jensen–Shannon": lambda w, s: jensen_shannon(w.counts, w.given, sample=s),
    "total variation": lambda w, s: total_variation(w.counts, w.given, sample=s),
    "cross-entropy": lambda w, s: cross_entropy(w.counts, w.given, sample=s),
    "verdict, accuracy": lambda w, s: _judged(w, s, "accuracy").value,
    "verdict, degrees off": lambda w, s: _judged(w, s, "distance").value,
    "verdict, κ quadratic": lambda w, s: _judged(w, s, "quadratic_kappa").value,
    "verdict, accuracy beside one person": lambda w, s: _judged(w, s, "accuracy").beside,
    "verdict, degrees beside one person": lambda w, s: _judged(w, s, "distance").beside,
    "ρ of strength": lambda w, s: spearman(w.strengths, people_score(w.counts, ordered=True), sample=s),
}


def held(found: Estimate, true: float) -> bool | None:
    """Whether the interval holds the true figure; None where there is none."""
    return None if found.low is None or found.high is None else found.low <= true <= found.high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--worlds", type=int, default=400, help="how many worlds of each kind (400)")
    parser.add_argument("--items", type=int, nargs="+", default=[30, 60, 300], help="items of a world (30 60 300)")
    options = parser.parse_args()
    everything = world(np.random.default_rng(1), EVERYTHING, together=1)
    true = {name: found(everything, ITEMS).value or 0.0 for name, found in FIGURES.items()}
    print(f"{options.worlds} worlds each; chance moves a column by ±{1.96 * (0.0475 / options.worlds) ** 0.5:.3f}\n")
    print("| figure | items | true | items alone | in groups | groups ignored |\n|---|---|---|---|---|---|")
    for items in options.items:
        tables: dict[str, Any] = {name: [[], [], []] for name in FIGURES}
        for number in range(options.worlds):
            count(tables, true, items, number)
        for name, columns in tables.items():
            cells = [f"{np.mean(column):.3f}" if column else "none" for column in columns]
            print(f"| {name} | {items} | {true[name]:.3f} | {' | '.join(cells)} |", flush=True)


def count(tables: dict[str, Any], true: dict[str, float], items: int, number: int) -> None:
    alone = world(np.random.default_rng([2, items, number]), items, together=1)
    grouped_world = world(np.random.default_rng([3, items, number]), items, together=TOGETHER)
    for name, figure in FIGURES.items():
        kinds = (alone, ITEMS), (grouped_world, grouped_world.sample), (grouped_world, ITEMS)
        for column, (found, sample) in zip(tables[name], kinds, strict=True):
            is_held = held(figure(found, sample), true[name])
            if is_held is not None:
                column.append(is_held)


if __name__ == "__main__":
    main()
