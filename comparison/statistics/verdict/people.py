"""Whether there are enough labels, and whether people agree."""

import numpy as np
from scipy.stats import binom

from comparison.statistics.aggregation.majority import no_majority
from comparison.statistics.agreement.alpha import Level, krippendorff_alpha
from comparison.statistics.agreement.brennan import brennan_prediger
from comparison.statistics.agreement.gwet import gwet
from comparison.statistics.agreement.percent import percent_agreement
from comparison.statistics.agreement.prevalence import prevalence
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.verdict.evidence import Evidence
from comparison.statistics.verdict.measure import ACCURACY
from comparison.statistics.verdict.odds import LEVEL
from comparison.statistics.verdict.parts import Labels, People

# If a run must be right this much more often than by chance to beat it, there are few items.
MUCH = 0.15


def labels(evidence: Evidence, against: str, truth: Ints, *, tests: int) -> Labels:
    """What there is to hold runs against; `tests` is how many runs are held against chance."""
    sample = evidence.sample
    known = sample.size(truth != MISSING)
    needed = fewest_hits(known, 1 / evidence.values, level=LEVEL / max(1, tests))
    by_hits = evidence.by.key == ACCURACY
    groups = 0 if sample.clusters is None else len(np.unique(sample.clusters[truth != MISSING]))
    return Labels(
        items=sample.size(np.ones(len(truth), dtype=bool)),
        labeled=sample.size(evidence.counts.sum(axis=1) > 0),
        known=known,
        against=against,
        no_majority=no_majority(evidence.counts),
        # Items of a group are right and wrong together: how many of them it takes is not to be read off their number.
        needed=needed if by_hits and not groups else None,
        is_few=bool(known) and (needed is None or needed / known - 1 / evidence.values > MUCH),
        groups=groups,
        share_in=evidence.share_in,
    )


def fewest_hits(items: int, chance: float, *, level: float) -> int | None:
    """The hits from which on chance alone has a probability of `level` or less; None if all hits are too few.

    >>> fewest_hits(12, 0.5, level=0.05), fewest_hits(3, 0.5, level=0.05)
    (10, None)
    """
    hits = int(binom.isf(level, items, chance)) + 1 if items else 1
    return hits if hits <= items else None


def people(evidence: Evidence) -> People:
    """α, or where one role is right for all items Brennan–Prediger, beside percent agreement and AC1.

    And the label that is most common.
    """
    counts, sample = evidence.counts, evidence.sample
    level: Level = "ordinal" if evidence.ordered else "nominal"
    most = prevalence(counts, sample=sample)
    return People(
        level=level,
        alpha=krippendorff_alpha(counts, level=level, sample=sample),
        percent=percent_agreement(counts, sample=sample),
        ac1=gwet(counts, sample=sample),
        common=evidence.words[most.code] if most.is_skewed else "",
        share=most.share,
        is_skewed=most.is_skewed,
        alike=brennan_prediger(counts, sample=sample) if evidence.one_role else None,
    )
