"""One table over several studies: who is right how often, rater by rater. Free of Django.

The share is that of comparison.statistics.accuracy.hits: items that a rater leaves undecided are beside it and not
in it, unless the reader asks for ties to count as wrong, as published figures often do. What a rater left unscored
never counts.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import compress

import numpy as np

from annotation.models.population import PEOPLE as PEOPLE_WORDS
from annotation.models.population import SYNTHETIC as SYNTHETIC_WORDS
from comparison.frame.assessors import Assessor, assessor_columns
from comparison.frame.panel import Mask, Panel, RunColumn
from comparison.statistics.accuracy.classes import Way, whole
from comparison.statistics.accuracy.hits import NOTHING_SHARED, share_of
from comparison.statistics.aggregation import lone
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import ITEMS, Sample

# The order of the lines: people, synthetic annotators, models that ran here, models known by score files, baselines.
PEOPLE, SYNTHETIC, HERE, IMPORTED, BASELINE = "people", "synthetic annotators", "run here", "imported", "baseline"
ORIGINS = (PEOPLE, SYNTHETIC, HERE, IMPORTED, BASELINE)
MAJORITY = {"people": "people · majority", "synthetic": "synthetic annotators · majority"}
PUBLISHED = "people · sign of the published rating"
ABSENT = "not in this study"
ONLY_RATES = "gives scores and no labels"
LEARNT = "learned from these items"
LEARNT_MAJORITY = "learned from the majority labels of these items"
LEARNT_SOME = "learned from {:,} of these items in another study"
LEARNT_VARIANTS = "learned from variants of {:,} of these items"
NO_TRUTH = "no item has a label to compare with"
ONE_LABEL = "no majority: one label"
# As papers print their tables.
DIGITS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Answers:
    """What one rater says about a study's items: codes, and masks of what it answered and what it left unscored.

    An item that it answered without a label is a tie, unless `only_rates` says why this rater names no labels at all.
    `lone` are the items where one label is all that people gave: it is no majority, and that is no tie.
    `trained_on` names the studies that a classifier learned from here. `truth` is what is true for this rater alone, as
    the majority of the others is for one of the people; None where it is the study's.
    """

    rater: str
    origin: str
    decided: Ints
    unscored: Mask
    answered: Mask
    lone: Mask | None = None
    only_rates: str = ""
    note: str = ""
    trained_on: tuple[str, ...] = ()
    truth: Ints | None = None


@dataclass(frozen=True, slots=True)
class Studied:
    """One column: a study, whose labels it holds, what is true of its items (MISSING: nothing), and who answered.

    `no_truth` says why nothing is true of any of them. `items` are their ids and `groups` the groups that they are in;
    `pooled` names the studies where the column is of several. `left_out` items have a label that the way of counting
    leaves out.
    """

    name: str
    population: str
    truth: Ints
    answers: tuple[Answers, ...]
    no_truth: str = NO_TRUTH
    sample: Sample = ITEMS
    items: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    pooled: tuple[str, ...] = ()
    left_out: int = 0

    @property
    def with_truth(self) -> int:
        return int((self.truth != MISSING).sum())

    @property
    def without_truth(self) -> int:
        """Besides those that are left out."""
        return int((self.truth == MISSING).sum()) - self.left_out


@dataclass(frozen=True, slots=True)
class Cell:
    """How often one rater is right in one study: `right` of `n`, and what is not in n."""

    right: int
    n: int
    share: Estimate
    ties: int = 0
    unscored: int = 0
    unanswered: int = 0
    lone: int = 0
    note: str = ""

    def __str__(self) -> str:
        return self.said(DIGITS)

    def said(self, digits: int) -> str:
        """`31 of 35, .886 [.740, .955], 1 tie, 2 unscored`, or the words why there is no share."""
        share = f"{self.right} of {self.n}, {self.share.to(digits)}" if self.n else self.share.undefined
        return ", ".join(filter(None, (share, self.besides)))

    @property
    def besides(self) -> str:
        """What is not in n, and the note."""
        parts = [f"{self.ties} tie{'' if self.ties == 1 else 's'}"] if self.ties else []
        parts += [f"{self.lone} with {ONE_LABEL}"] if self.lone and self.share.undefined != ONE_LABEL else []
        parts += [f"{self.unscored} unscored"] if self.unscored else []
        parts += [f"{self.unanswered} without an answer"] if self.unanswered else []
        return ", ".join([*parts, self.note] if self.note else parts)


@dataclass(frozen=True, slots=True)
class RaterLine:
    """One rater in every study, in the order of the columns."""

    rater: str
    origin: str
    cells: tuple[Cell, ...]
    trained_on: tuple[str, ...] = ()

    @property
    def is_model(self) -> bool:
        return self.origin not in (PEOPLE, SYNTHETIC)


def accuracy_table(studies: Sequence[Studied], *, ties_are_wrong: bool = False) -> tuple[RaterLine, ...]:
    """One line a rater, people first and baselines last, by what they learned from and name; a cell a study."""
    rows: dict[tuple[int, tuple[str, ...], str], dict[str, Cell]] = {}
    for study in studies:
        for answers in study.answers:
            row = rows.setdefault((ORIGINS.index(answers.origin), answers.trained_on, answers.rater), {})
            if study.name in row:
                raise ValueError(f"{answers.rater} answers twice in {study.name}")
            truth = study.truth if answers.truth is None else answers.truth
            row[study.name] = cell(
                answers, truth, ties_are_wrong=ties_are_wrong, no_truth=study.no_truth, sample=study.sample
            )
    absent = Cell(0, 0, Estimate.none(ABSENT))
    names = [study.name for study in studies]
    return tuple(
        RaterLine(rater, ORIGINS[place], tuple(row.get(name, absent) for name in names), trained_on)
        for (place, trained_on, rater), row in sorted(rows.items(), key=lambda pair: pair[0])
    )


def cell(
    answers: Answers,
    truth: Ints,
    *,
    ties_are_wrong: bool = False,
    no_truth: str = NO_TRUTH,
    sample: Sample = ITEMS,
) -> Cell:
    """One rater against the truth. Items without a truth are in none of the counts."""
    has_truth = truth != MISSING
    undecided = has_truth & (answers.decided == MISSING)
    unscored = int((undecided & answers.unscored).sum())
    unanswered = int((undecided & ~answers.answered).sum())
    single = 0 if answers.lone is None else int((undecided & answers.lone).sum())
    tied = undecided & answers.answered & ~answers.unscored
    tied &= True if answers.lone is None else ~answers.lone
    ties = int(tied.sum())
    if answers.only_rates:
        return Cell(0, 0, Estimate.none(answers.only_rates), 0, unscored, unanswered, single, answers.note)
    right = has_truth & (answers.decided == truth)
    counted = has_truth & ~undecided | (tied if ties_are_wrong else False)
    reason = _why_none(has_truth, without=unscored + unanswered, single=single, no_truth=no_truth)
    estimate = share_of(right, counted, reason=reason, sample=sample)
    return Cell(int(right.sum()), int(counted.sum()), estimate, ties, unscored, unanswered, single, answers.note)


def _why_none(has_truth: Mask, *, without: int, single: int, no_truth: str) -> str:
    if not len(has_truth):
        return "no items are selected"
    if not has_truth.any():
        return no_truth
    if without == int(has_truth.sum()):
        return "no item is scored"
    return ONE_LABEL if single and without + single == int(has_truth.sum()) else NOTHING_SHARED


def studied(
    panel: Panel,
    *,
    name: str,
    population: str,
    against: str,
    where: Mask,
    imported: frozenset[str],
    trained_on: Mapping[str, tuple[str, ...]],
    by_majority: frozenset[str] = frozenset(),
    also_there: Mapping[str, Sequence[str]] | None = None,
    assessors: Sequence[Assessor] = (),
    way: Way | None = None,
) -> Studied:
    """A study's column over the items of a mask, counted on the whole scale or in another `way`.

    `imported` are the keys of the runs that were computed elsewhere; `trained_on` has, by key, the studies that a run's
    model learned from, and `by_majority` are those that learned people's majority and not the references. Figures on
    what it learned from are marked so, whatever they are against; and where the study is another one, `also_there`
    says, by key, what of its items stands in those as well. `assessors` are single annotators: each is a rater,
    against the majority held to that of the others.
    """
    part, way = panel.where(where), way or whole(len(panel.values))
    answers = []
    for run, of_all in zip(part.runs, panel.runs, strict=True):
        learned = trained_on.get(run.key, ())
        own = [LEARNT_MAJORITY if run.key in by_majority else LEARNT] if name in learned else []
        own = own or [*(also_there or {}).get(run.key, ())]
        origin = IMPORTED if run.key in imported else HERE
        answers.append(_run(run, of_all, way, origin=origin, learned=learned, notes=own))
    single = list(_assessors(part, population, assessors, way, against=against))
    by_reference = against == "reference"
    people = _people(part, population, way) if by_reference else ()
    counted, left_out = _truth(part, way, by_reference=by_reference)
    return Studied(
        name,
        population,
        counted,
        (*people, *single, *answers),
        NO_TRUTH if by_reference else part.no_majority or NO_TRUTH,
        sample=part.sample,
        items=tuple(part.items.tolist()),
        groups=tuple(part.groups.tolist()),
        values=part.values,
        left_out=left_out,
    )


def _truth(part: Panel, way: Way, *, by_reference: bool) -> tuple[Ints, int]:
    """What is true in this way of counting, and how many items have a label that it leaves out."""
    counted = way.truth(way.decisions(part.truth) if by_reference else way.majority(part.counts))
    labeled = part.truth if by_reference else part.majority
    return counted, int(((labeled != MISSING) & (counted == MISSING)).sum())


def shared(study: Studied) -> Studied:
    """The study with only the items that every run has scored, so that n differs by ties alone.

    A run that names no labels, or has scored none of the items with a truth, takes none away.
    """
    runs = [one for one in study.answers if one.origin not in (PEOPLE, SYNTHETIC) and not one.only_rates]
    scored = [one.answered & ~one.unscored for one in runs]
    common = np.ones(len(study.truth), dtype=bool)
    for mask in scored:
        if mask[study.truth != MISSING].any():
            common &= mask | (study.truth == MISSING)
    answers = [
        replace(
            one,
            decided=one.decided[common],
            unscored=one.unscored[common],
            answered=one.answered[common],
            lone=None if one.lone is None else one.lone[common],
            truth=None if one.truth is None else one.truth[common],
        )
        for one in study.answers
    ]
    return replace(
        study,
        truth=study.truth[common],
        answers=tuple(answers),
        sample=study.sample.where(common),
        items=tuple(compress(study.items, common)),
        groups=tuple(compress(study.groups, common)),
    )


def _assessors(
    panel: Panel, population: str, assessors: Sequence[Assessor], way: Way, *, against: str
) -> Iterator[Answers]:
    """Single annotators. What one did not label is not theirs to answer, and so in none of their counts."""
    nobody = np.zeros(len(panel.items), dtype=bool)
    origin, words = (SYNTHETIC, SYNTHETIC_WORDS) if population == "synthetic" else (PEOPLE, PEOPLE_WORDS)
    for column in assessor_columns(panel, assessors):
        labeled = column.decided != MISSING
        true = way.decisions(panel.truth) if against == "reference" else way.majority(column.others)
        answers = _person(column.assessor.title(words.one), origin, way.decisions(column.decided), nobody, labeled)
        yield replace(answers, truth=np.where(labeled, way.truth(true), MISSING))


def _run(
    run: RunColumn, of_all: RunColumn, way: Way, *, origin: str, learned: tuple[str, ...], notes: Sequence[str]
) -> Answers:
    # Whether it names labels is seen from all its items, not from the few that may have been selected. Without labels
    # it only rates if some strength says more than a tie, which is 0, does.
    decides = (of_all.decided != MISSING).any() or not (run.cuts or np.nan_to_num(of_all.strengths).any())
    cut, state = run.cuts.words if run.cuts and run.is_cut else "", f"run {run.state}" * (run.state != "finished")
    if run.is_cut and not way.is_whole:
        decides = False
    return Answers(
        rater=run.name,
        origin=BASELINE if run.is_baseline else origin,
        decided=way.decisions(run.decided),
        unscored=run.unscored != "",
        answered=run.scored,
        only_rates="" if decides else ((run.cuts.undefined if run.cuts else "") or ONLY_RATES),
        note="; ".join(note for note in [*notes, cut, state] if note),
        trained_on=learned,
    )


def _people(panel: Panel, population: str, way: Way) -> Iterable[Answers]:
    """People as raters against the references: their majority, and published numbers where a sign decides."""
    nobody = np.zeros(len(panel.items), dtype=bool)
    if panel.has_labels:
        origin = SYNTHETIC if population == "synthetic" else PEOPLE
        answers = _person(
            MAJORITY[population], origin, way.majority(panel.counts), nobody, panel.counts.sum(axis=1) > 0
        )
        yield replace(answers, lone=lone(panel.counts))
    if panel.has_published and not panel.ordered and len(panel.values) == 2:
        yield _person(PUBLISHED, PEOPLE, _by_sign(panel.published), nobody, np.isfinite(panel.published))


def _person(rater: str, origin: str, decided: Ints, unscored: Mask, answered: Mask) -> Answers:
    return Answers(rater=rater, origin=origin, decided=decided, unscored=unscored, answered=answered)


def _by_sign(published: Floats) -> Ints:
    """Of two options: as with a run's strength, a positive number is for the first and a negative for the other."""
    return np.select([published > 0, published < 0], [0, 1], default=MISSING).astype(np.int64)


def selected(panel: Panel, conditions: Mapping[str, Sequence[str]]) -> Mask:
    """The items that have one of the given values in every given attribute; without the attribute, none."""
    chosen = np.ones(len(panel.items), dtype=bool)
    for name, values in conditions.items():
        column = panel.attributes.get(name)
        chosen &= np.isin(column.astype(str), list(values)) if column is not None else False
    return chosen
