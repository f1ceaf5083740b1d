"""A verdict on items that were chosen by what it judges: figures stay, and nothing is concluded from them."""

from dataclasses import replace

from comparison.frame.filters.selection import Selection
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict import parts
from comparison.statistics.verdict.parts import Finding, Runs, Settling, Verdict

# What concludes something about runs.
OF_RUNS = (parts.CHANCE, parts.NEAREST, parts.PERSON, parts.SETTLING, parts.STRENGTHS)


def suppress_selected(found: Verdict, selection: Selection) -> Verdict:
    """The verdict as it may be said of the selected items."""
    if selection.no_agreement:
        found = _without_agreement(found, selection)
    return _without_nearest(found, selection.no_nearest) if selection.no_nearest else found


def _without_nearest(found: Verdict, words: str) -> Verdict:
    if not found.runs.models:
        return found
    kept = [one for one in found.said if one.part not in OF_RUNS]
    place = sum(one.part in (parts.LABELS, parts.PEOPLE) for one in kept)
    said = (*kept[:place], Finding(parts.NEAREST, words), *kept[place:])
    return replace(found, runs=_unjudged(found.runs), said=said, who=words, figure="", lead=(words,))


def _unjudged(runs: Runs) -> Runs:
    placed = tuple(replace(one, nearest=False, level=False, best=None) for one in runs.placed)
    return replace(runs, placed=placed, strengths=(), settling=Settling(what="", difference=0.0, items=None))


def _without_agreement(found: Verdict, selection: Selection) -> Verdict:
    """One person is measured by the others, so that is not said either."""
    reason = f"the items were chosen by {selection.chosen_by_agreement}"

    def none(one: Estimate) -> Estimate:
        return Estimate.none(reason, n=one.n, unit=one.unit)

    people = replace(
        found.people,
        alpha=none(found.people.alpha),
        percent=none(found.people.percent),
        ac1=none(found.people.ac1),
        is_skewed=False,
        together=None,
        alike=None,
    )
    placed = tuple(replace(one, beside=none(one.beside)) for one in found.runs.placed)
    runs = replace(found.runs, person=none(found.runs.person), placed=placed)
    if runs.settling.what == "person":
        runs = replace(runs, settling=Settling(what="", difference=0.0, items=None))
    gone = (parts.PERSON, *([parts.SETTLING] if found.runs.settling.what == "person" else []))
    said = [one for one in found.said if one.part not in gone]
    words = selection.no_agreement
    return replace(
        found,
        people=people,
        runs=runs,
        said=tuple(Finding(one.part, words) if one.part == parts.PEOPLE else one for one in said),
    )
