"""Two studies item by item: what people and models said of each item that both have, a page or a file at a time.

Items are the same where their ids are. Read a page of rows at a time from tallies and scores, so that it costs the same
however large the studies are; the figures over all of these items are computed at once only for small ones.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any

import numpy as np
from django.db.models import QuerySet
from pydantic import TypeAdapter

from annotation.models import Item, Study
from comparison.across.same_items import SameItems, ranked_in_both, same_items
from comparison.figures.file import estimated
from comparison.frame.cache.gathered import read_gathered
from comparison.frame.cache.remembered import known, remembered
from comparison.frame.coded import count_tallies
from comparison.frame.judging import measured, rated_as, strength_target
from comparison.frame.names import named_runs
from comparison.frame.panel import Panel, run_name
from comparison.frame.selected import QUICK
from comparison.pictures.bar import Bar, bar
from comparison.statistics.aggregation import majority
from comparison.statistics.counts import MISSING, Floats, Ints
from comparison.statistics.resampling.sample import grouped
from comparison.statistics.strengths.correlation import run_score
from comparison.statistics.verdict.evidence import MAJORITY, REFERENCE
from comparison.statistics.verdict.measure import RHO
from scoring.models import Run, Score

SAME_ITEMS = TypeAdapter(SameItems)
CHUNK = 500
BOTH = "both"
ESTIMATED = ("value", "low", "high", "n", "n_counts", "count", "undefined", "note")
# Every item has both of its texts, which take room.
PAGE = 25
# As many models as a page has columns for; the file has all.
SHOWN_RUNS = 3

Studies = tuple[Study, Study]


@dataclass(frozen=True, slots=True)
class Side:
    """What is said of one item in one study: `runs` by name with what they say, empty where that is no label."""

    study: Study
    text: str
    bar: Bar
    majority: str
    reference: str
    runs: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class ItemRow:
    item: str
    sides: tuple[Side, Side]


@dataclass(frozen=True, slots=True)
class Shared:
    """One page. `figures` are None where nobody has had them computed, which of large studies the command does."""

    total: int
    page: int
    pages: int
    rows: tuple[ItemRow, ...]
    more_runs: int
    figures: SameItems | None

    @property
    def previous(self) -> int:
        return self.page - 1

    @property
    def next(self) -> int:
        return self.page + 1


def read_shared(studies: Studies, *, page: int) -> Shared:
    found = common(studies)
    total = found.count()
    pages = max(1, -(-total // PAGE))
    page = min(page, pages)
    runs = runs_of_both(studies)
    shown = dict(islice(runs.items(), SHOWN_RUNS))
    names = list(found.values_list("external_id", flat=True)[(page - 1) * PAGE : page * PAGE])
    rows = tuple(_rows(studies, names, shown))
    figures = _figures(studies, runs) if total else None
    return Shared(total, page, pages, rows, len(runs) - len(shown), figures)


def common(studies: Studies) -> "QuerySet[Item]":
    """The first study's target items whose ids the second has too, in the first one's order."""
    one, other = (Item.objects.filter(study=study, kind=Item.Kind.TARGET) for study in studies)
    return one.filter(external_id__in=other.order_by().values("external_id")).order_by("position")


def runs_of_both(studies: Studies) -> dict[str, tuple[Run, Run]]:
    """By name, the runs of one model by one metric in both: models first, then baselines."""
    one, other = ({(run.model_id, run.metric): (run, name) for run, name in named_runs(study)} for study in studies)
    return {run_name(name, run.metric_shown): (run, other[key][0]) for key, (run, name) in one.items() if key in other}


def same_labels(studies: Studies) -> bool:
    return studies[0].task.scale.values == studies[1].task.scale.values


def compute_figures(studies: Studies) -> SameItems:
    """Over all items that both have; remembered for the page."""
    runs = runs_of_both(studies)
    return remembered(SAME_ITEMS, ["same items", *resting_on(studies).versions], lambda: _computed(studies, runs))


def lines(studies: Studies) -> Iterator[list[Any]]:
    """The file: one line an item, with all that people and every run of both said of it in either study."""
    runs = runs_of_both(studies)
    slugs = [study.slug for study in studies]
    yield [
        "item",
        *(f"{name}:{slug}" for slug in slugs for name in ("population", "text", "reference")),
        *(f"labels:{slug}:{value}" for study, slug in zip(studies, slugs, strict=True) for value in _values(study)),
        *(f"majority:{slug}" for slug in slugs),
        *(f"decision:{name}:{slug}" for name in runs for slug in slugs),
    ]
    names = common(studies).values_list("external_id", flat=True).iterator(chunk_size=CHUNK)
    while chunk := list(islice(names, CHUNK)):
        yield from _lines(studies, chunk, list(runs.values()))


def figure_lines(studies: Studies, found: SameItems) -> Iterator[list[Any]]:
    """The figures over all of these items: one line each."""
    one, other = (study.slug for study in studies)
    yield ["study", "population", "other_study", "other_population", "rater", "of", "statistic", *ESTIMATED]
    head = [one, studies[0].population, other, studies[1].population]
    for study, person in zip(studies, found.persons, strict=True):
        yield [*head, f"one {study.people.one}", study.slug, "accuracy", *estimated(person)]
    for rater in found.raters:
        for slug, hits in ((one, rater.one), (other, rater.other)):
            yield [*head, rater.name, slug, "accuracy", *estimated(hits.accuracy, hits.correct)]
        yield [*head, rater.name, BOTH, "accuracy_difference", *estimated(rater.difference)]
        test = rater.paired
        cells = [test.p, None, None, test.n, "items", test.discordant, "" if test.p is not None else test.undefined]
        yield [*head, rater.name, BOTH, "mcnemar_p", *cells, test.test]
        yield [*head, rater.name, BOTH, "same_answer", *estimated(rater.same.accuracy, rater.same.correct)]
        yield [*head, rater.name, BOTH, "cohen_kappa", *estimated(rater.kappa)]
    for ranked in found.ranked:
        if ranked.reached is not None:
            yield [*head, ranked.name, one, "spearman", *estimated(ranked.reached.one)]
            yield [*head, ranked.name, other, "spearman", *estimated(ranked.reached.other)]
            yield [*head, ranked.name, BOTH, "spearman_difference", *estimated(ranked.reached.difference)]
        yield [*head, ranked.name, BOTH, "spearman_of_its_answers", *estimated(ranked.between)]


def _lines(studies: Studies, names: Sequence[str], runs: Sequence[tuple[Run, Run]]) -> Iterator[list[Any]]:
    read = [_items(study, names) for study in studies]
    said = [_decisions(names, study, [pair[place] for pair in runs]) for place, study in enumerate(studies)]
    for name in names:
        items = [(study, one[name]) for study, one in zip(studies, read, strict=True)]
        yield [
            name,
            *(cell for study, item in items for cell in _about(study, item)),
            *(item.tally.get(value, 0) for study, item in items for value in _values(study)),
            *(_majority(study, item) for study, item in items),
            *(said[place][name].get(pair[place].pk) for pair in runs for place in (0, 1)),
        ]


def _about(study: Study, item: Item) -> list[Any]:
    return [study.population, study.task.text(item.content), item.reference]


def _rows(studies: Studies, names: Sequence[str], shown: Mapping[str, tuple[Run, Run]]) -> Iterator[ItemRow]:
    read = [_items(study, names) for study in studies]
    runs = [{name: pair[place] for name, pair in shown.items()} for place in (0, 1)]
    said = [_decisions(names, study, list(runs[place].values())) for place, study in enumerate(studies)]
    for name in names:
        one, other = (
            _side(
                study, read[place][name], {title: said[place][name].get(run.pk) for title, run in runs[place].items()}
            )
            for place, study in enumerate(studies)
        )
        yield ItemRow(name, (one, other))


def _side(study: Study, item: Item, decisions: Mapping[str, str | None]) -> Side:
    scale = study.task.scale
    counts = count_tallies([item.tally], scale.values)[0]

    def word(value: str | None) -> str:
        return "" if value is None else scale.text(value)

    return Side(
        study=study,
        text=study.task.text(item.content),
        bar=bar(counts, [scale.text(value) for value in scale.values]),
        majority=word(_majority(study, item)),
        reference=word(item.reference),
        runs=tuple((name, word(said)) for name, said in decisions.items()),
    )


def _majority(study: Study, item: Item) -> str | None:
    code = int(majority(count_tallies([item.tally], _values(study)))[0])
    return None if code == MISSING else _values(study)[code]


def _values(study: Study) -> tuple[str, ...]:
    return study.task.scale.values


def _items(study: Study, names: Sequence[str]) -> dict[str, Item]:
    rows = Item.objects.filter(study=study, kind=Item.Kind.TARGET, external_id__in=names)
    return {item.external_id: item for item in rows}


def _decisions(names: Sequence[str], study: Study, runs: Sequence[Run]) -> Mapping[str, dict[int, str | None]]:
    rows = Score.objects.filter(run__in=runs, item__study=study, item__external_id__in=names)
    found: dict[str, dict[int, str | None]] = defaultdict(dict)
    for name, run, decision in rows.values_list("item__external_id", "run", "decision"):
        found[name][run] = decision
    return found


def _figures(studies: Studies, runs: Mapping[str, tuple[Run, Run]]) -> SameItems | None:
    """Those that are known; of small studies those of now."""
    if not same_labels(studies):
        return None
    found = resting_on(studies)
    parts = ["same items", *found.versions]
    if found.are_large:
        return known(SAME_ITEMS, {"": parts}).get("")
    return remembered(SAME_ITEMS, parts, lambda: _computed(studies, runs))


@dataclass(frozen=True, slots=True)
class RestingOn:
    """What figures of two studies rest on; whether that is too much to compute them while a reader waits."""

    versions: tuple[object, object]
    are_large: bool


def resting_on(studies: Studies) -> RestingOn:
    gathered = read_gathered(studies)
    one, other = (gathered[study.pk] for study in studies)
    return RestingOn((one.version, other.version), max(one.answers, other.answers) > QUICK)


def _computed(studies: Studies, runs: Mapping[str, tuple[Run, Run]]) -> SameItems:
    # Here and not above: a web process that computes nothing does without pandas.
    from comparison.frame.reading import read_panel

    panels = [read_panel(study, coarse=False) for study in studies]
    there = [{name: row for row, name in enumerate(panel.items.tolist())} for panel in panels]
    rows = [[here[name] for name in there[0] if name in there[1]] for here in there]
    first, second = (_targets(*one) for one in zip(studies, panels, rows, strict=True))
    said = {
        title: tuple(_answers(*one) for one in zip(pair, panels, rows, strict=True)) for title, pair in runs.items()
    }
    labeled_by = " and ".join(dict.fromkeys(study.people.many for study in studies))
    sample = grouped(panels[0].groups[rows[0]].tolist())
    found = same_items(
        (first.counts, second.counts),
        np.where(first.truth == second.truth, first.truth, MISSING),
        {title: (one[0], other[0]) for title, (one, other) in said.items()},
        labeled_by=labeled_by,
        sample=sample,
    )
    if first.ratings is None or second.ratings is None:
        return found
    scores = {title: (run_score(*one), run_score(*other)) for title, (one, other) in said.items()}
    ratings = first.ratings, second.ratings
    return replace(found, ranked=ranked_in_both(ratings, scores, labeled_by=labeled_by, sample=sample))


@dataclass(frozen=True, slots=True)
class _Targets:
    """What one study has of the items; `ratings` are None where its measure is not ρ."""

    counts: Ints
    truth: Ints
    ratings: Floats | None


def _targets(study: Study, panel: Panel, rows: Sequence[int]) -> _Targets:
    counts, truth, published = panel.counts[rows], panel.truth[rows], panel.published[rows]
    target = strength_target(counts, truth, published, against=MAJORITY if counts.any() else REFERENCE)
    if measured(study.measure, target, ordered=panel.ordered) != RHO:
        return _Targets(counts, truth, None)
    return _Targets(counts, truth, rated_as(target, counts, truth, published, ordered=panel.ordered))


def _answers(run: Run, panel: Panel, rows: Sequence[int]) -> tuple[Ints, Floats]:
    """Its labels as codes, of cut points none, and its strengths."""
    [column] = [one for one in panel.runs if one.key == str(run.pk)]
    decided = column.decided if column.cuts is None else np.full_like(column.decided, MISSING)
    return decided[rows], column.strengths[rows]
