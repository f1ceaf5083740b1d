"""A study at a glance: how far people agree and how near models come, each as a line on 0 to 1 and as a few words.

To draw one more thing of a study: a `Glance` here, its column in `templates/researcher/studies/_row.html`.
"""

from collections.abc import Iterable, Set
from dataclasses import dataclass

from comparison.frame.status import Standing
from comparison.statistics.estimate import Estimate
from comparison.statistics.verdict.measure import DISTANCE, RHO
from comparison.statistics.verdict.parts import Runs
from comparison.statistics.verdict.words.wording import in_a_tile
from researcher.studies.list import StudyLine

# Letters of the words under a line; what is longer ends in an ellipsis, and whole in its title.
LONGEST = 40
# Of which a value may be called tentative, and reliable (Krippendorff 2019, p. 356).
RULES = (0.667, 0.80)
# The least width of a band, in per cent, so that it is seen.
NARROWEST = 1.0
LETTERS = {2: "Two", 3: "Three", 4: "Four", 5: "Five", 6: "Six", 7: "Seven", 8: "Eight", 9: "Nine"}


@dataclass(frozen=True, slots=True)
class Dot:
    """An estimate in its place; `low` and `high` are empty where its interval is not drawn."""

    at: str
    low: str = ""
    high: str = ""
    is_hollow: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    """What people reach themselves; `name` says who."""

    at: str
    width: str
    name: str


@dataclass(frozen=True, slots=True)
class Glance:
    """`words` say all of it, `brief` what there is room for under the line, `small` stands below; no `dots` where
    there is no line.

    `rules` are dotted across the line; `band` is what people reach, as far as an interval goes.
    """

    words: str
    brief: str = ""
    small: str = ""
    dots: tuple[Dot, ...] = ()
    rules: tuple[str, ...] = ()
    band: Band | None = None
    is_known: bool = True

    @property
    def short(self) -> str:
        return self.brief or shortened(self.words)


@dataclass(frozen=True, slots=True)
class ListRow:
    """A study in the list. `agreement` and `models` are what is drawn of `line`; `opens` is the page of its name."""

    line: StudyLine
    agreement: Glance
    models: Glance
    opens: str
    has_namesake: bool

    @property
    def is_draft(self) -> bool:
        return _is_draft(self.line)


def read_rows(lines: Iterable[StudyLine], *, editable: Set[int]) -> list[ListRow]:
    """The latest first, or by when it was made. A draft without labels opens at its setup for those who may edit."""
    found = sorted(lines, key=lambda line: line.last_activity or line.study.created_at, reverse=True)
    titles = [line.study.title for line in found]
    return [
        ListRow(
            line,
            agreement(line),
            models(line),
            opens="setup" if _is_draft(line) and line.study.pk in editable else "study",
            has_namesake=titles.count(line.study.title) > 1,
        )
        for line in found
    ]


def _is_draft(line: StudyLine) -> bool:
    return line.study.state == line.study.State.DRAFT and not line.valid


def agreement(line: StudyLine) -> Glance:
    """α; of minimal pairs, whose right answer is always the same, agreement beyond 1 / options instead."""
    standing = line.standing
    if standing is None:
        return Glance("Computing…", is_known=False)
    if not standing.has_labels:
        return Glance(line.none_valid.capitalize() or "No labels yet", is_known=False)
    people = standing.verdict.people
    found, sign = (people.alpha, "α") if people.alike is None else (people.alike, "BP κ")
    small = "synthetic labels" if line.study.people.are_synthetic else ""
    if found.value is None:
        return Glance("Undefined", small=shortened(found.undefined), is_known=False)
    return Glance(f"{sign} {found.short}", "", small, (_dot(found),), tuple(at(rule) for rule in RULES))


def models(line: StudyLine) -> Glance:
    standing = line.standing
    if standing is None:
        return Glance("Computing…", is_known=False)
    runs = standing.verdict.runs
    if not runs.models:
        return Glance(_without_models(line, standing), is_known=False)
    small = "" if standing.against_people else f"vs. {standing.instead}, n = {runs.items:,}"
    words, brief = _words(line, standing)
    if standing.verdict.measure == DISTANCE:
        return Glance(words, brief, small or "mean distance in steps")
    band = band_of(runs.person, standing.verdict.measure)
    return Glance(words, brief, small, _dots(standing, runs), _bar_to_beat(standing, runs), band)


def _without_models(line: StudyLine, standing: Standing) -> str:
    """What is said before a model's labels can be compared."""
    if scores := [one for one in standing.verdict.runs.heard if one.is_told]:
        best = max(scores, key=lambda one: one.rho.value or 0.0)
        return f"{in_a_tile(best.name)}, ρ {best.rho.short}"
    if standing.verdict.runs.heard:
        return "No score shown to follow labels"
    if line.live_runs:
        return f"{line.live_runs} run{'' if line.live_runs == 1 else 's'} in progress"
    return "Not comparable yet" if line.has_runs else "No runs yet"


def _words(line: StudyLine, standing: Standing) -> tuple[str, str]:
    """Who is nearest, with the figure and one annotator beside; and as much of it as there is room for."""
    verdict, nearest = standing.verdict, standing.verdict.runs.nearest
    if not verdict.figure or not nearest:
        words = verdict.who[:1].upper() + verdict.who[1:]
        return words, shortened(words)
    names = [in_a_tile(one.name) for one in nearest]
    who = f"{names[0]} nearest" if len(names) == 1 else f"{LETTERS.get(len(names), len(names))} tied"
    so_far = ", so far" if verdict.labels.share_in < 1 else ""
    below = f", below one {'synthetic ' if line.study.people.are_synthetic else ''}annotator"
    falls_short = all(one.beside.high is not None and one.beside.high < 0 for one in nearest)
    parts = (below + so_far, so_far) if falls_short else (f", {verdict.figure}{so_far}", so_far)
    whole = verdict.short + (below if falls_short else "")
    return whole, next((f"{who}{part}" for part in parts if len(who + part) <= LONGEST), shortened(who + so_far))


def _dots(standing: Standing, runs: Runs) -> tuple[Dot, ...]:
    """Those that may be nearest; where none is, the best model hollow. An interval where it stands alone."""
    if standing.verdict.figure and runs.nearest:
        alone = len(runs.nearest) == 1
        return tuple(_dot(one.joint if alone else one.value, with_interval=alone) for one in runs.nearest)
    best = next(one for one in runs.models)
    return (_dot(best.value, is_hollow=True),)


def _bar_to_beat(standing: Standing, runs: Runs) -> tuple[str, ...]:
    """Chance, or the best constant label where that is higher. Correlations have neither."""
    if standing.verdict.measure == RHO:
        return ()
    return (at(max(runs.chance, runs.constant.value if runs.constant else 0.0)),)


def people_of(measure: str) -> str:
    """Who it is that models stand beside: no single annotator has a ρ with mean ratings."""
    return "people, split halves" if measure == RHO else "one annotator"


def band_of(person: Estimate, measure: str) -> Band | None:
    if person.value is None:
        return None
    low, high = person.value if person.low is None else person.low, person.value if person.high is None else person.high
    width = max(100 * (_inside(high) - _inside(low)), NARROWEST)
    return Band(_per_cent(min(100 * _inside(low), 100 - width)), _per_cent(width), people_of(measure))


def _dot(found: Estimate, *, with_interval: bool = True, is_hollow: bool = False) -> Dot:
    place = at(found.value or 0.0)
    if not with_interval or found.low is None or found.high is None:
        return Dot(place, is_hollow=is_hollow)
    return Dot(place, at(found.low), at(found.high), is_hollow)


def at(value: float) -> str:
    """Where a value stands along the line; what lies beyond an end stands at it.

    >>> at(0.7265), at(-0.1), at(1)
    ('72.65%', '0%', '100%')
    """
    return _per_cent(100 * _inside(value))


def _inside(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _per_cent(share: float) -> str:
    return f"{share:.2f}".rstrip("0").rstrip(".") + "%"


def shortened(words: str) -> str:
    """
    >>> shortened("None shown to beat chance")
    'None shown to beat chance'
    >>> shortened("None can be called near: people not shown to agree")
    'None can be called near: people not…'
    """
    if len(words) <= LONGEST:
        return words
    return words[:LONGEST].rsplit(" ", 1)[0].rstrip(",:;") + "…"
