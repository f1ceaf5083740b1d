"""Whether there are enough labels, and whether people agree."""

import numpy as np
import scipy as sp

from comparison.statistics.aggregation import majority, no_majority
from comparison.statistics.agreement.alpha import Level, below_chance, krippendorff_alpha
from comparison.statistics.agreement.at_chance import AtChance, asked, at_chance, differ
from comparison.statistics.agreement.camps import Camps, camps
from comparison.statistics.agreement.following import Follows, following
from comparison.statistics.agreement.from_counts import brennan_prediger, gwet, percent_agreement, prevalence
from comparison.statistics.agreement.rated_apart import rate_apart, raters_to_rate_apart
from comparison.statistics.agreement.reversed import Reversed, run_against
from comparison.statistics.counts import MISSING, Ints, count
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.verdict.evidence import MAJORITY, Evidence
from comparison.statistics.verdict.measure import ACCURACY
from comparison.statistics.verdict.odds import LEVEL
from comparison.statistics.verdict.parts import Labels, People, Runs

# If a run must be right this much more often than by chance to beat it, there are few items.
MUCH = 0.15
# One-sided: that people agree less than chance has them agree.
CONTRADICTION = 0.025
# Without one of three, two are left who can agree.
FEWEST_TO_LEAVE_ONE = 3
TWO = 2


def labels(evidence: Evidence, against: str, truth: Ints, *, runs: Runs) -> Labels:
    """What there is to hold runs against; whether that is few is told of the items on which they are compared."""
    sample = evidence.sample
    adjudicated = _adjudicated(evidence, truth) if against == MAJORITY else 0
    known = sample.size(truth != MISSING)
    split = (evidence.counts.sum(axis=1) > 1) & (truth == MISSING)
    shared, chance = runs.items or known, 1 / evidence.values
    needed = _needed(runs, shared, chance)
    by_hits = evidence.by.key == ACCURACY
    in_all = 0 if sample.clusters is None else len(np.unique(sample.clusters[truth != MISSING]))
    groups = runs.groups if runs.items else in_all
    return Labels(
        items=sample.size(np.ones(len(truth), dtype=bool)),
        labeled=sample.size(evidence.counts.sum(axis=1) > 0),
        known=known,
        against=against,
        no_majority="" if adjudicated else no_majority(evidence.counts),
        # Items of a group are right and wrong together: how many of them it takes is not to be read off their number.
        # While labels come in, tests ask for more than this.
        needed=needed if by_hits and not groups and evidence.share_in >= 1 else None,
        is_few=bool(shared) and (needed is None or needed / shared - chance > MUCH),
        groups=groups,
        share_in=evidence.share_in,
        repeated=evidence.repeated,
        split=sample.size(split) if against == MAJORITY else 0,
        adjudicated=adjudicated,
        compared=runs.items,
    )


def _needed(runs: Runs, items: int, chance: float) -> int | None:
    """The hits that tell a run from chance for certain, or that have told one: Holm asks less of those after the first.

    Degrees by cut points have a chance of their own.
    """
    first = fewest_hits(items, chance, level=LEVEL / max(1, len(runs.placed)))
    told = [
        round(one.value.value * items) for one in runs.placed if one.beats_chance and not one.how and one.value.value
    ]
    return min([*([] if first is None else [first]), *told], default=None)


def _adjudicated(evidence: Evidence, truth: Ints) -> int:
    """Of how many items the truth was decided, as their labels have no majority."""
    return evidence.sample.size((truth != MISSING) & (majority(evidence.counts) == MISSING))


def fewest_hits(items: int, chance: float, *, level: float) -> int | None:
    """The hits from which on chance alone has a probability of `level` or less; None if all hits are too few.

    >>> fewest_hits(12, 0.5, level=0.05), fewest_hits(3, 0.5, level=0.05)
    (10, None)
    """
    hits = int(sp.stats.binom.isf(level, items, chance)) + 1 if items else 1
    return hits if hits <= items else None


def people(evidence: Evidence) -> People:
    """α, or where one role is right for all items Brennan–Prediger, beside percent agreement and AC1.

    And the label that is most common.
    """
    counts, sample = evidence.counts, evidence.sample
    level: Level = "ordinal" if evidence.ordered else "nominal"
    most = prevalence(counts, sample=sample)
    alpha = krippendorff_alpha(counts, level=level, sample=sample)
    contradict = not most.is_skewed and not evidence.one_role and _contradict(evidence, alpha, level)
    against = _reversed(evidence)
    apart = _camps(evidence, [one.rater for one in against])
    differing = _differing(evidence)
    known = [*(one.rater for one in against), *((*apart.one, *apart.other) if apart else ())]
    return People(
        level=level,
        alpha=alpha,
        contradict=contradict,
        without=_without(evidence, level) if contradict else None,
        by_chance=_alike_by_chance(counts, sample),
        percent=percent_agreement(counts, sample=sample),
        ac1=gwet(counts, sample=sample),
        common=evidence.words[most.code] if most.is_skewed else "",
        share=most.share,
        is_skewed=most.is_skewed,
        alike=brennan_prediger(counts, sample=sample) if evidence.one_role else None,
        reversed=against,
        camps=apart,
        at_chance=_at_chance(evidence, known, differing),
        differing=differing,
        tested=_tested(evidence),
        names=() if evidence.voices is None else evidence.voices.names,
        following=_following(evidence),
    )


def _contradict(evidence: Evidence, alpha: Estimate, level: Level) -> bool:
    """Whether α is below 0 by its interval, and by more than the same labels dealt out over the items would be.

    Of a rare label, or few items, the interval alone is too narrow. Of labels that nobody has a name for, all are dealt
    out together.
    """
    if alpha.high is None or alpha.high >= 0:
        return False
    counts, said = evidence.counts, evidence.voices
    if said is None:
        cells, times = np.nonzero(counts), counts[counts > 0]
        rows, labels = (np.repeat(one, times) for one in cells)
        return below_chance(rows, np.zeros_like(rows), labels, values=evidence.values, level=level) <= CONTRADICTION
    return below_chance(said.rows, said.raters, said.labels, values=evidence.values, level=level) <= CONTRADICTION


def _without(evidence: Evidence, level: Level) -> tuple[str, float] | None:
    """The one without whom α is highest, and that α: None where it stays below 0 or nobody has a name."""
    counts, said = evidence.counts, evidence.voices
    if said is None or len(said.names) < FEWEST_TO_LEAVE_ONE:
        return None
    found = []
    for rater, name in enumerate(said.names):
        own = said.raters == rater
        left = count(said.rows[~own], said.labels[~own], size=len(counts), values=counts.shape[1])
        alpha = krippendorff_alpha(left, level=level).value
        found.append((name, -1.0 if alpha is None else alpha))
    best = max(found, key=lambda one: one[1])
    return best if best[1] > 0 else None


def _reversed(evidence: Evidence) -> tuple[Reversed, ...]:
    """Of labels that have an order, or are two; where one role is right for all items, none is the higher."""
    said = evidence.voices
    if said is None or evidence.one_role or not (evidence.ordered or evidence.values == TWO):
        return ()
    return run_against(said.rows, said.raters, said.labels, sample=evidence.sample)


def _differing(evidence: Evidence) -> tuple[int, ...]:
    said = evidence.voices
    if said is None or not len(said.rows):
        return ()
    if evidence.is_averaged:
        return rate_apart(said.rows, said.raters, said.labels, sample=evidence.sample)
    return differ(said.rows, said.raters, said.labels, evidence.counts, sample=evidence.sample)


def _tested(evidence: Evidence) -> int:
    said = evidence.voices
    if said is None or not len(said.rows):
        return 0
    if evidence.is_averaged:
        return len(raters_to_rate_apart(said.rows, said.raters))
    return asked(said.rows, said.raters, said.labels, evidence.counts)


def _at_chance(evidence: Evidence, known: list[int], differing: tuple[int, ...]) -> AtChance | None:
    """None of those `known` for something else: in camps, the others' majority is that of one of them."""
    said = evidence.voices
    if said is None or not len(said.rows):
        return None
    given = (said.rows, said.raters, said.labels, evidence.counts)
    return at_chance(
        *given,
        one_role=evidence.one_role,
        of_ratings=evidence.is_averaged,
        known=known,
        differing=differing,
        sample=evidence.sample,
    )


def _camps(evidence: Evidence, without: list[int]) -> Camps | None:
    """Where one role is right for all items there are no two truths to hold to."""
    said = evidence.voices
    if said is None or evidence.one_role or not len(said.rows):
        return None
    given = (said.rows, said.raters, said.labels)
    return camps(*given, values=evidence.values, ordered=evidence.ordered, without=without, sample=evidence.sample)


def _following(evidence: Evidence) -> tuple[tuple[str, Follows], ...]:
    """Models that follow one of those who have names; by cut points a run knows nobody's labels one by one."""
    said = evidence.voices
    models = {one.run: one for one in evidence.entrants if not one.is_baseline and not one.how}
    if said is None or not said.names or not models:
        return ()
    given = (said.rows, said.raters, said.labels, evidence.counts)
    decided = {run: one.decided for run, one in models.items()}
    found = following(decided, *given, ordered=evidence.ordered, sample=evidence.sample)
    return tuple((models[one.run].name, one) for one in found)


def _alike_by_chance(counts: Ints, sample: Sample) -> float | None:
    """How probable it is that labels by lot are all alike on each item; None where some are not."""
    totals = counts.sum(axis=1)
    several = totals > 1
    if not several.any() or (counts.max(axis=1, initial=0) < totals)[several].any():
        return None
    return float(counts.shape[1] ** -sample.where(several).total(totals[several] - 1))
