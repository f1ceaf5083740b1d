"""What is shown of a study's figures: as they are or, while a worker computes those of a large one, as they were."""

from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from annotation.models import Study
from comparison.frame import selected
from comparison.frame.cache.computing import Computed, Computing, Progress, start
from comparison.frame.cache.gathered import Gathered, read_one
from comparison.frame.cache.remembered import known
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import NotComputed, Selected
from comparison.page.page import COMPUTE, Page, read_part
from researcher.collecting.totals import GIVEN, SUM_UP, Collected, cache_key_parts, read_collected

Found = TypeVar("Found")
# The part of the results whose figures other pages show too.
OVERVIEW = "overview"


@dataclass(frozen=True, slots=True)
class Shown(Generic[Found]):
    """What was found, or None where nothing was computed yet. `of` is the earlier state that it shows, if it does."""

    found: Found | None
    of: Computed | None = None
    progress: Progress | None = None


def read_shown_part(study: Study, asked: Selection, part: str, *, gathered: Gathered | None = None) -> Shown[Page]:
    """One part; SelectionError if the address names what the study lacks. `gathered`, where it has been read."""
    chosen = Selected(study=study, asked=asked, gathered=gathered or read_one(study), waits=False)
    computing = Computing(study.pk, part, asked.query())
    try:
        page = read_part(chosen, part)
    except NotComputed:
        return _meanwhile(chosen, part, computing)
    if not chosen.is_quick:
        computing.finish(chosen.gathered)
    return Shown(page)


def read_raters_shown(study: Study, gathered: Gathered) -> Page | None:
    """The results' figures of single annotators, on all items; None while a worker computes a large study's first."""
    chosen = Selected(study=study, asked=Selection(), gathered=gathered, waits=False)
    page = Page(chosen, OVERVIEW)
    try:
        page.findings, page.verdict  # noqa: B018
    except NotComputed:
        return _meanwhile(chosen, OVERVIEW, Computing(study.pk, OVERVIEW, "")).found
    return page


def read_given_shown(study: Study, gathered: Gathered) -> Shown[Collected]:
    """What has been given to a study, likewise."""
    if gathered.answers <= selected.QUICK:
        return Shown(read_collected(study))
    computing = Computing(study.pk, "given", "")
    last = computing.latest()
    versions = {gathered.version, *([last.version] if last else [])}
    found = known(GIVEN, {version: cache_key_parts(version) for version in versions})
    if gathered.version in found:
        return Shown(found[gathered.version])
    start(computing, SUM_UP, study.pk, answers=gathered.answers)
    if last is None or last.version not in found:
        return Shown(None, None, computing.progress())
    return Shown(found[last.version], last, computing.progress())


def _meanwhile(chosen: Selected, part: str, computing: Computing) -> Shown[Page]:
    """The figures as they were last computed, if they were; a worker is asked for those of now."""
    start(computing, COMPUTE, computing.study, part, computing.query, answers=chosen.gathered.answers)
    progress, last = computing.progress(), computing.latest()
    if last is not None:
        before = replace(chosen, gathered=replace(chosen.gathered, version=last.version))
        try:
            return Shown(read_part(before, part), last, progress)
        except NotComputed:
            # Forgotten by the cache.
            pass
    return Shown(None, None, progress)
