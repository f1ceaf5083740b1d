"""What came of one run: how near it comes, which labels it gives beside people's, and its clearest mistakes."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from django.db.models import Count
from pydantic import TypeAdapter

from annotation.models import Item
from comparison.frame.cache.gathered import read_one
from comparison.frame.cache.item_sums import MANY, read_kinds
from comparison.frame.cache.remembered import remembered
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.verdict.measure import DISTANCE, RHO
from comparison.statistics.verdict.parts import Placed
from corpus.errors import counted
from researcher.studies.glance import Dot, Glance, at, band_of, people_of
from researcher.studies.list import StudyLine, read_lines
from scoring.models import Run, Score

# Items on the page, and among how many of those that people agree on most they are looked for.
WORST, AMONG = 5, 5_000


@dataclass(frozen=True, slots=True)
class LabelShare:
    """How often a label is given, in per cent of the run's labels and of people's; None of people who gave none."""

    name: str
    run: float
    people: float | None


SHARES = TypeAdapter(tuple[LabelShare, ...])


@dataclass(frozen=True, slots=True)
class WrongItem:
    """An item of which most people, `agreed` of `labels`, say `right`, and the run says `said`."""

    name: str
    text: str
    said: str
    right: str
    agreed: int
    labels: int


@dataclass(frozen=True, slots=True)
class RunResult:
    """`estimate` by the study's measure, or ρ of a run with scores alone, or None. `is_large`: a worker is at it."""

    line: StudyLine
    estimate: Estimate | None
    measure: str
    glance: Glance | None
    state: tuple[str, str, str]
    facts: tuple[str, ...]
    shares: tuple[LabelShare, ...]
    wrong: tuple[WrongItem, ...]

    @property
    def against(self) -> str:
        return self.line.held_against


def read_run_result(run: Run) -> RunResult:
    """A constant number of queries, however many items the study has."""
    gathered = read_one(run.study)
    [line] = read_lines([run.study], read={run.study_id: gathered})
    runs = line.standing.verdict.runs if line.standing else None
    placed = next((one for one in runs.placed if one.run == run.pk), None) if runs else None
    scores = next((one for one in runs.heard if one.run == run.pk), None) if runs else None
    estimate = placed.value if placed else scores.rho if scores else None
    return RunResult(
        line=line,
        estimate=estimate,
        measure="ρ" if scores and not placed else run.study.measured_by,
        glance=_glance(line, placed),
        state=_state(line, placed),
        facts=_facts(line, placed),
        shares=remembered(SHARES, ["label shares", run.pk, run.scored, gathered.version], lambda: _shares(run)),
        wrong=_wrong(run),
    )


def _glance(line: StudyLine, placed: Placed | None) -> Glance | None:
    """On the scale from 0 to 1, between chance and one annotator."""
    if placed is None or placed.value.value is None or line.standing is None:
        return None
    verdict = line.standing.verdict
    if verdict.measure == DISTANCE:
        return None
    found = placed.value
    ends = ("", "") if found.low is None or found.high is None else (at(found.low), at(found.high))
    rules = () if verdict.measure == RHO else (at(placed.chance),)
    return Glance(
        found.short,
        dots=(Dot(at(found.value or 0.0), *ends),),
        rules=rules,
        band=band_of(verdict.runs.person, verdict.measure),
    )


def _state(line: StudyLine, placed: Placed | None) -> tuple[str, str, str]:
    if line.standing is None:
        return ("clock", "open", "Computing…")
    if placed is None:
        return ("ring", "open", "Not compared")
    if placed.is_below_chance:
        return ("cross", "bad", "Worse than chance")
    if not placed.beats_chance:
        return ("ring", "open", "Not shown to beat chance")
    if placed in line.standing.verdict.runs.nearest:
        return ("check", "good", "Among the nearest")
    return ("check", "good", "Beats chance")


def _facts(line: StudyLine, placed: Placed | None) -> tuple[str, ...]:
    if placed is None or line.standing is None:
        return ()
    verdict = line.standing.verdict
    facts = [counted(placed.value.n, "item")]
    if verdict.measure != RHO:
        facts.append(f"chance {plain(placed.chance, decimals=2)}")
    if verdict.runs.constant is not None:
        facts.append(f"always “{verdict.constant_label}” {plain(verdict.runs.constant.value, decimals=2)}")
    if verdict.runs.person.value is not None:
        facts.append(f"{people_of(verdict.measure)} {verdict.runs.person.short}")
    return tuple(facts)


def _shares(run: Run) -> tuple[LabelShare, ...]:
    """By the scale's order; none of a run that gives scores only."""
    given = run.scores.filter(item__kind=Item.Kind.TARGET).exclude(decision=None).order_by()
    said = dict(given.values_list("decision").annotate(Count("pk")))
    if not said:
        return ()
    people = Counter[str]()
    for tally in run.study.items.targets().values_list("tally", flat=True).iterator():
        people.update(tally)
    return tuple(
        LabelShare(label.text, 100 * said.get(label.value, 0) / sum(said.values()), _share(people, label.value))
        for label in run.study.task.scale.labels
    )


def _most_agreed(run: Run) -> Iterator[Score]:
    """With their items; of a large study those alone that have all their labels, which an index has in this order."""
    rows = run.scores.exclude(decision=None).select_related("item")
    if read_kinds(run.study)[Item.Kind.TARGET] < MANY:
        targets = rows.filter(item__kind=Item.Kind.TARGET, item__agreed__gte=1)
        yield from targets.order_by("-item__agreed", "item__position")[:AMONG].iterator()
        return
    items, left = run.study.items.complete(), AMONG
    most = items.order_by("-agreed").values_list("agreed", flat=True).first() or 0
    for agreed in range(most, 0, -1):
        keys = list(items.filter(agreed=agreed).order_by("position").values_list("pk", flat=True)[:left])
        yield from rows.filter(item__in=keys).order_by("item__position")
        left -= len(keys)


def _share(people: Mapping[str, int], value: str) -> float | None:
    total = sum(people.values())
    return 100 * people.get(value, 0) / total if total else None


def _wrong(run: Run) -> tuple[WrongItem, ...]:
    """Those that people agree on most and the run labels otherwise."""
    scale, text = run.study.task.scale, run.study.task.text
    found = []
    for score in _most_agreed(run):
        right = score.item.majority
        if right is not None and score.decision is not None and score.decision != right:
            words = scale.text(score.decision), scale.text(right)
            labels = sum(score.item.tally.values())
            found.append(WrongItem(score.item.external_id, text(score.item.content), *words, score.item.agreed, labels))
        if len(found) == WORST:
            break
    return tuple(found)
