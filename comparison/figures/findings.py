"""How far people agree, and each run held against them and the references: most parts of the results begin here."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from pydantic import TypeAdapter

from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import Row, estimated
from comparison.figures.people.coefficients import Named, among_people
from comparison.figures.table import BOTH, WILSON, Column, Counted, Statistic, Table
from comparison.frame.panel import NamedRun, Panel, RunColumn
from comparison.frame.selected import Selected
from comparison.pictures.charts import PEOPLE, SYNTHETIC, Dot, dot_plot
from comparison.statistics.accuracy.ceiling import AnnotatorAccuracy, by_annotator
from comparison.statistics.accuracy.hits import Hits, accuracy, accuracy_of_all, kappa
from comparison.statistics.aggregation import AgreementCounts, agreement_counts
from comparison.statistics.agreement.between_annotators import rhos_with_others
from comparison.statistics.agreement.from_counts import Prevalence, prevalence
from comparison.statistics.counts import MISSING, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.strengths import correlation
from comparison.statistics.verdict.person import one_annotator
from corpus.errors import counted

MAJORITY, REFERENCE = "majority", "reference"
CALLED = {MAJORITY: "majority labels", REFERENCE: "references"}


@dataclass(frozen=True, slots=True)
class Against:
    """One rater set against one truth."""

    hits: Hits
    kappa: Estimate


@dataclass(frozen=True, kw_only=True)
class RunFinding(NamedRun):
    """One run against people and references, and what it left open.

    `decided` counts the items for which the run itself names a label. Where it names none but `cuts` gave it
    degrees, `majority` and `reference` hold those degrees against the labels. `only_ties`: it could have named
    labels, but no strength that it gave leans to either side. `majority_all` and `reference_all` are of all items that
    it is through with: those that it left open count as wrong.
    """

    decided: int
    undecided: int
    only_ties: bool
    unscored: int
    waiting: int
    reasons: tuple[tuple[str, int], ...]
    majority: Against
    reference: Against
    majority_all: Hits
    reference_all: Hits
    strength_people: Estimate
    strength_reference: Estimate
    strength_published: Estimate

    def against(self, target: str) -> Against:
        return self.reference if target == "reference" else self.majority

    def of_all(self, target: str) -> Hits:
        """Accuracy over all items with a truth, decided or not."""
        return self.reference_all if target == REFERENCE else self.majority_all

    @property
    def has_labels(self) -> bool:
        """Whether it names labels, or has degrees by cut points."""
        return bool(self.decided) or self.is_cut

    @property
    def why_no_labels(self) -> str:
        """In words, of a run without any."""
        if not (self.decided or self.undecided or self.unscored):
            return "not scored yet"
        if not self.undecided:
            return "no item could be scored"
        if self.only_ties:
            return f"gives no label: all {self.undecided:,} scored items are ties"
        cut = f". No cut points: {self.cuts.undefined}" if self.cuts and self.cuts.undefined else ""
        return f"gives scores and no labels{cut}"

    @property
    def is_rated(self) -> bool:
        """Whether its strength goes with people's labels, references or published ratings."""
        return any(
            estimate.value is not None
            for estimate in (self.strength_people, self.strength_reference, self.strength_published)
        )

    def strength(self, target: str) -> Estimate:
        return {"reference": self.strength_reference, "published": self.strength_published}.get(
            target, self.strength_people
        )


@dataclass(frozen=True, slots=True)
class Findings:
    items: int
    counts: AgreementCounts
    agreement: tuple[Named, ...]
    most_used: Prevalence
    ceiling: Estimate
    people_reference: Estimate
    majority_reference: Against
    annotators: tuple[AnnotatorAccuracy, ...]
    # Of each annotator's labels with the mean of the others'; empty where labels have no order.
    rhos: tuple[Estimate, ...]
    runs: tuple[RunFinding, ...]

    def band(self, target: str) -> Estimate:
        """What one person reaches against the same truth."""
        return self.people_reference if target == "reference" else self.ceiling

    def agreement_with_others(self, *, by_rho: bool) -> tuple[tuple[str, Estimate], ...]:
        """Each annotator by name: against the majority of the others or, of ratings, by ρ with their mean."""
        names = [one.rater for one in self.annotators]
        reached = self.rhos if by_rho else [one.hits.accuracy for one in self.annotators]
        return tuple(zip(names, reached, strict=True))


def find(panel: Panel) -> Findings:
    """All figures of a panel; about a second for 1,600 items, ten runs and 1,000 draws."""
    voices = panel.voices
    columns, names = (voices.rows, voices.raters, voices.labels), voices.names
    return Findings(
        items=len(panel.items),
        counts=agreement_counts(panel.counts, panel.values, sample=panel.sample),
        agreement=among_people(panel),
        most_used=prevalence(panel.counts, sample=panel.sample),
        ceiling=_one_annotator(panel, MAJORITY),
        people_reference=_one_annotator(panel, REFERENCE),
        majority_reference=against_target(panel, panel.majority, REFERENCE),
        annotators=by_annotator(*columns, panel.counts, names=names),
        rhos=rhos_with_others(*columns, people=len(names), sample=panel.sample) if panel.ordered else (),
        runs=tuple(_run(run, panel) for run in panel.runs),
    )


def _one_annotator(panel: Panel, target: str) -> Estimate:
    truth = panel.majority if target == MAJORITY else panel.truth
    return one_annotator(panel.counts, truth, against=target, voices=panel.voices, sample=panel.sample)


def _run(run: RunColumn, panel: Panel) -> RunFinding:
    people = correlation.people_score(panel.counts, ordered=panel.ordered)
    references = correlation.reference_score(panel.truth, ordered=panel.ordered)
    has_reason = run.unscored != ""
    decided = (run.decided != MISSING) & (run.cuts is None)
    undecided = int((run.scored & ~decided & ~has_reason).sum())
    reasons = Counter(run.unscored[has_reason].tolist())
    return RunFinding(
        **run.named(),
        decided=int(decided.sum()),
        undecided=undecided,
        only_ties=run.cuts is None and undecided > 0 and not np.nan_to_num(run.strengths).any(),
        unscored=int(has_reason.sum()),
        waiting=int((~run.scored).sum()),
        reasons=tuple(reasons.most_common()),
        majority=against_target(panel, run.decided, MAJORITY),
        reference=against_target(panel, run.decided, REFERENCE),
        majority_all=accuracy_of_all(run.decided, panel.majority, run.scored, sample=panel.sample),
        reference_all=accuracy_of_all(run.decided, panel.truth, run.scored, sample=panel.sample),
        strength_people=correlation.spearman(run.strengths, people, sample=panel.sample),
        strength_reference=correlation.spearman(run.strengths, references, sample=panel.sample),
        strength_published=correlation.spearman(run.strengths, panel.published, sample=panel.sample),
    )


def against_target(panel: Panel, decided: Ints, target: str) -> Against:
    return against_truth(panel, decided, panel.true(target), CALLED[target])


def against_truth(panel: Panel, decided: Ints, truth: Ints, called: str) -> Against:
    words = [panel.words[value] for value in panel.values]
    beyond_chance = kappa(decided, truth, values=len(words), words=words, called=called, sample=panel.sample)
    return Against(accuracy(decided, truth, sample=panel.sample), beyond_chance)


# --- The figure -------------------------------------------------------------------------------------


def _tables(chosen: Selected) -> Iterator[Table]:
    if chosen.outline.has_labels:
        yield _agreement(chosen)
        if not chosen.is_averaged:
            yield _by_label(chosen)


def _agreement(chosen: Selected) -> Table:
    findings, people = FINDINGS.read(chosen), chosen.study.people
    counts = findings.counts
    rows: list[tuple[Statistic, Estimate]] = [
        (Statistic(one.name, one.key), one.estimate) for one in findings.agreement
    ]
    annotator = people.annotators.removesuffix("s")
    rows.append((Statistic(f"One {annotator} vs. the majority of the others", "ceiling"), findings.ceiling))
    if chosen.outline.has_references:
        person = Statistic(f"One {annotator} vs. the reference", "people_reference")
        rows.append((person, findings.people_reference))
    return Table(
        name="agreement",
        title=f"Agreement among {people.many}",
        columns=("Statistic", "Value"),
        rows=tuple(rows),
        rests_on=f"{counts.labeled:,} of {counted(findings.items, 'item')} with labels",
        method=f"{BOTH}, over items and for these annotators; of one {annotator}, over items and {people.annotators}",
        is_sortable=False,
    )


def _by_label(chosen: Selected) -> Table:
    """ADEPT's Table 4."""
    words, counts = chosen.outline.words, FINDINGS.read(chosen).counts
    of_labels = [
        (
            words[row.value],
            Counted(row.items, row.share),
            Counted(row.unanimous, row.share_unanimous),
            Counted(row.majority, row.share_majority),
        )
        for row in counts.by_label
    ]
    agreed = (
        "All with a majority",
        Counted(counts.agreed, counts.share_agreed),
        Counted(counts.unanimous, counts.share_unanimous),
        Counted(counts.majority, counts.share_majority),
    )
    none = ("No agreement", Counted(counts.none, counts.share_none), "", "")
    return Table(
        name="labels",
        title="Agreement by label",
        columns=(Column("Majority label", term="by_label"), "Items", "Unanimous", "Majority only"),
        rows=(*of_labels, agreed, none, ("Not labeled yet", counts.unlabeled, "", "")),
        rests_on="n is all items with a majority for a label’s items, that label’s items for unanimous and majority "
        "only, and all labeled items in the last rows",
        method=WILSON,
        is_sortable=False,
    )


def _charts(chosen: Selected) -> dict[str, Chart]:
    """None of ratings: how far two are apart stands in people/same_item.py."""
    if chosen.is_averaged:
        return {}
    people, words = chosen.study.people, chosen.outline.words
    kind = SYNTHETIC if people.are_synthetic else PEOPLE
    rows = FINDINGS.read(chosen).counts.by_label
    dots = [Dot.of(words[row.value], people.many, kind, row.share_unanimous) for row in rows]
    axis = "Unanimous items"
    spec = dot_plot(dots, axis=axis, band=None, domain=(0, 1), title=synthetic(people))
    return Chart.of("labels", spec, f"{axis} by majority label, with 95 % intervals (Wilson).")


def _lines(chosen: Selected) -> Iterator[Row]:
    """How far one person, their majority and each annotator reach; of runs, see `models/accuracy.py`."""
    findings = FINDINGS.read(chosen)
    yield ["ceiling", "one person", "", "majority of the others", "accuracy", *estimated(findings.ceiling)]
    yield ["ceiling", "one person", "", "reference", "accuracy", *estimated(findings.people_reference)]
    hits = findings.majority_reference.hits
    yield ["ceiling", "majority", "", "reference", "accuracy", *estimated(hits.accuracy, hits.correct)]
    yield ["ceiling", "majority", "", "reference", "cohen_kappa", *estimated(findings.majority_reference.kappa)]
    for one in findings.annotators:
        reached = estimated(one.hits.accuracy, one.hits.correct)
        yield ["annotators", one.rater, "", "majority of the others", "accuracy", *reached]
    if chosen.is_averaged:
        for rater, rho in findings.agreement_with_others(by_rho=True):
            yield ["annotators", rater, "", "mean of the others", "spearman", *estimated(rho)]


FINDINGS = Figure(
    key="findings",
    part="people",
    title="Agreement and accuracy",
    shape=TypeAdapter(Findings),
    compute=lambda chosen: find(chosen.panel),
    tables=_tables,
    charts=_charts,
    lines=_lines,
)
