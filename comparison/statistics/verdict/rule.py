"""The verdict: do people agree, which runs are nearest, and how sure is that. One rule, for every page and file.

In this order: are there enough labels; do people agree (people.py); which runs are better than chance, and by more than
favoring common labels (odds.py); which models are nearest, as a set that cannot be told apart (best.py); where they lie
beside one person (person.py); what would settle it (settling.py). All by the study's primary measure (measure.py), on
the items that all runs have labeled (taking_part.py), with the same drawn items for all of them (bootstrap.py).
"""

from dataclasses import replace

import numpy as np

from comparison.statistics.verdict.comparing import beside_without, compared
from comparison.statistics.verdict.evidence import MAJORITY, Evidence, as_patterns, held_against
from comparison.statistics.verdict.measure import RHO
from comparison.statistics.verdict.parts import Labels, People, Runs, Verdict
from comparison.statistics.verdict.people import labels, people
from comparison.statistics.verdict.ranked import ranked
from comparison.statistics.verdict.sentences import findings, headline, in_short, method, subtitle

# What scores are compared with by ρ, as files and the API name it.
RATED = {MAJORITY: "mean rating", "published": "published rating"}


def verdict(evidence: Evidence) -> Verdict:
    """Everything that may be said, from labels, references and runs.

    >>> from comparison.statistics.verdict.evidence import Entrant
    >>> coin, right = np.arange(40) % 2, np.arange(40) // 2 % 2
    >>> runs = [Entrant(run=1, name="A", is_baseline=False, decided=right),
    ...         Entrant(run=2, name="B", is_baseline=False, decided=coin)]
    >>> found = verdict(Evidence(counts=np.eye(2, dtype=int)[right] * 3, truth=right, words=("no", "yes"),
    ...     ordered=False, entrants=tuple(runs)))
    >>> print(found.headline)
    A is nearest to people.
    >>> [one.state.word for one in found.of("chance", "nearest")]
    ['1 of 2', 'Nearest']
    """
    if evidence.by.key == RHO:
        return _by_ratings(evidence)
    given = as_patterns(evidence)
    against = given.against or held_against(given.counts, given.truth)
    truth = given.majority if against == MAJORITY else given.truth
    runs, agreement = compared(given, truth, against=against), people(evidence)
    if agreement.at_chance:
        without = beside_without(evidence, agreement.at_chance.raters, runs, against=against)
        runs = replace(runs, person_without=without)
    enough = labels(given, against, truth, runs=runs)
    return _verdict_of(given, enough, agreement, runs, against=against)


def _by_ratings(given: Evidence) -> Verdict:
    """The verdict by ρ: an item has a rating, and no majority is needed."""
    runs = ranked(given)
    has_rating = np.isfinite(given.ratings)
    against = given.against or MAJORITY
    enough = Labels(
        items=len(has_rating), labeled=int((given.counts.sum(axis=1) > 0).sum()), known=int(has_rating.sum()),
        against=against, no_majority="", needed=None, is_few=False, share_in=given.share_in,
        repeated=given.repeated, compared=runs.items, groups=runs.groups,
    )  # fmt: skip
    return _verdict_of(given, enough, people(given), runs, against=RATED.get(given.target, given.target))


def _verdict_of(given: Evidence, enough: Labels, agreement: People, runs: Runs, *, against: str) -> Verdict:
    """The parts of a verdict and their sentences."""
    who, figure = in_short(given, enough, agreement, runs)
    return Verdict(
        measure=given.by.key,
        against=against,
        words=given.words,
        labels=enough,
        people=agreement,
        runs=runs,
        headline=headline(given, enough, agreement, runs),
        subtitle=subtitle(given, enough, runs),
        findings=findings(given, enough, agreement, runs),
        method=method(given, enough, runs),
        who=who,
        figure=figure,
    )
