"""A panel as the evidence of a verdict: the one way from a study's rows to who is nearest."""

from dataclasses import replace

import numpy as np

from annotation.models.population import Words
from comparison.frame.filters.selection import Selection
from comparison.frame.panel import Panel, RunColumn
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.estimate import Estimate
from comparison.statistics.resampling.sample import Sample
from comparison.statistics.strengths.correlation import people_score, reference_score, run_score, spearman
from comparison.statistics.verdict import parts
from comparison.statistics.verdict.evidence import (
    MAJORITY,
    NO_DECISIONS,
    REFERENCE,
    Entrant,
    Evidence,
)
from comparison.statistics.verdict.finding import OPEN, Finding, State
from comparison.statistics.verdict.measure import RHO, measure_of
from comparison.statistics.verdict.parts import Runs, Settling, Verdict
from comparison.statistics.verdict.rule import verdict
from scoring.models import Run

PUBLISHED = "published"
LIVE = (Run.State.QUEUED, Run.State.RUNNING)


def panel_verdict(panel: Panel, *, against: str, measure: str, people: Words, share_in: float = 1.0) -> Verdict:
    """The verdict on what a reader has selected; `against` is MAJORITY or REFERENCE.

    `share_in`: of the labels that are wanted, which a majority waits for; references and published ratings do not.
    """
    target = strength_target(panel.counts, panel.truth, panel.published, against=against)
    score = rated_as(target, panel.counts, panel.truth, panel.published, ordered=panel.ordered)
    measure = measured(measure, target, ordered=panel.ordered)
    words = tuple(panel.words[value] for value in panel.values)
    in_words = rated_words if measure == RHO else strength_words
    return verdict(
        Evidence(
            counts=panel.counts,
            truth=panel.truth,
            words=words,
            ordered=panel.ordered,
            entrants=tuple(_entrant(run, score, panel.sample) for run in panel.runs),
            against=against,
            measure=measure,
            people=people.many,
            annotators=people.annotators,
            one_role=panel.one_role,
            share_in=share_in if target == MAJORITY else 1.0,
            rated=in_words(target, people, share_of="" if panel.ordered else words[0]),
            sample=panel.sample,
            voices=panel.voices,
            ratings=score,
            repeated=panel.repeated,
            decisions=NO_DECISIONS if panel.decisions is None else panel.decisions,
            target=target,
        )
    )


def strength_target(counts: Ints, truth: Ints, published: Floats, *, against: str) -> str:
    """What strengths are held against: published numbers where a study has nothing else."""
    return target_of_strengths(
        has_labels=bool(counts.any()),
        has_references=bool((truth != MISSING).any()),
        has_published=bool(np.isfinite(published).any()),
        against=against,
    )


def target_of_strengths(*, has_labels: bool, has_references: bool, has_published: bool, against: str) -> str:
    """What strengths are compared with, by what the study has."""
    return PUBLISHED if has_published and not has_labels and not has_references else against


def measured(measure: str, target: str, *, ordered: bool) -> str:
    """By what runs are compared where a study's measure is `measure`: published ratings are compared with by ρ alone.

    >>> measured("accuracy", PUBLISHED, ordered=False), measured("spearman", MAJORITY, ordered=False)
    ('spearman', 'accuracy')
    """
    is_ranked = target == PUBLISHED or (measure == RHO and ordered)
    return RHO if is_ranked else measure_of(measure, ordered=ordered).key


def strength_words(target: str, people: Words, *, share_of: str = "") -> str:
    """What a correlation with a target is a correlation with; without an order, with the share of one label."""
    chosen = f"the share of {people.many} who chose “{share_of}”" if share_of else people.labels
    return {REFERENCE: "the reference", PUBLISHED: "the published ratings"}.get(target, chosen)


def rated_words(target: str, people: Words, *, share_of: str = "") -> str:
    """What scores are compared with by ρ, in words: where labels have no order, nobody has rated anything."""
    is_rated = target == MAJORITY and not share_of
    return f"{people.theirs} mean ratings" if is_rated else strength_words(target, people, share_of=share_of)


def rated_as(target: str, counts: Ints, truth: Ints, published: Floats, *, ordered: bool) -> Floats:
    """What scores are compared with, item by item; NaN where there is none."""
    if target == PUBLISHED:
        return published
    return people_score(counts, ordered=ordered) if target == MAJORITY else reference_score(truth, ordered=ordered)


def _entrant(run: RunColumn, score: Floats, sample: Sample) -> Entrant:
    is_cut = run.cuts is not None and not run.cuts.undefined
    return Entrant(
        run=int(run.key),
        name=run.short,
        model=run.model,
        is_baseline=run.is_baseline,
        decided=run.decided,
        is_live=run.state in LIVE,
        scores=run_score(run.decided, run.strengths),
        how=run.cuts.words if run.cuts is not None and is_cut else "",
        strength=spearman(run.strengths, score, sample=sample),
    )


# --- Of items that were chosen by what a verdict judges, figures stay and nothing is concluded ---

WITHHELD = State("Withheld", OPEN)
# What concludes something about runs.
OF_RUNS = (parts.CHANCE, parts.NEAREST, parts.PERSON, parts.SETTLING, parts.STRENGTHS)


def suppress_selected(verdict: Verdict, selection: Selection) -> Verdict:
    """The verdict as it may be said of the selected items."""
    if selection.no_agreement:
        verdict = _without_agreement(verdict, selection)
    return _without_nearest(verdict, selection) if selection.no_nearest else verdict


def _without_nearest(verdict: Verdict, selection: Selection) -> Verdict:
    if not verdict.runs.models:
        return verdict
    remaining = [one for one in verdict.findings if one.part not in OF_RUNS]
    place = sum(one.part in (parts.LABELS, parts.PEOPLE) for one in remaining)
    by = selection.chosen_by_result
    none = Finding(parts.NEAREST, WITHHELD, "No model is named nearest on these items.", f"They were filtered by {by}")
    return replace(
        verdict,
        runs=_unjudged(verdict.runs),
        headline=f"Filtered by {by}: no verdict.",
        findings=(*remaining[:place], none, *remaining[place:]),
        who=selection.no_nearest,
        figure="",
    )


def _unjudged(runs: Runs) -> Runs:
    placed = tuple(replace(one, nearest=False, level=False, best=None) for one in runs.placed)
    return replace(runs, placed=placed, strengths=(), settling=Settling(what="", difference=0.0, items=None))


def _without_agreement(verdict: Verdict, selection: Selection) -> Verdict:
    """One person is measured by the others, so that is not said either."""
    reason = f"the items were filtered by {selection.chosen_by_agreement}"

    def none(one: Estimate) -> Estimate:
        return Estimate.none(reason, n=one.n, unit=one.unit)

    people = replace(
        verdict.people,
        alpha=none(verdict.people.alpha),
        percent=none(verdict.people.percent),
        ac1=none(verdict.people.ac1),
        is_skewed=False,
        alike=None,
    )
    placed = tuple(replace(one, beside=none(one.beside)) for one in verdict.runs.placed)
    runs = replace(verdict.runs, person=none(verdict.runs.person), placed=placed)
    if runs.settling.what == "person":
        runs = replace(runs, settling=Settling(what="", difference=0.0, items=None))
    gone = (parts.PERSON, *([parts.SETTLING] if verdict.runs.settling.what == "person" else []))
    by = f"They were filtered by {selection.chosen_by_agreement}"
    none_given = Finding(parts.PEOPLE, WITHHELD, "No agreement is reported for these items.", by)
    remaining = [one for one in verdict.findings if one.part not in (*gone, parts.PEOPLE)]
    place = sum(one.part == parts.LABELS for one in remaining)
    findings = (*remaining[:place], none_given, *remaining[place:]) if verdict.labels.labeled else tuple(remaining)
    return replace(
        verdict, people=people, runs=runs, headline=_of_models_alone(findings, verdict.headline), findings=findings
    )


def _of_models_alone(findings: tuple[Finding, ...], otherwise: str) -> str:
    """A headline without a clause on people: the first line on who is nearest, or on chance."""
    of_models = [one for part in (parts.NEAREST, parts.CHANCE) for one in findings if one.part == part]
    return of_models[0].statement if of_models else otherwise
