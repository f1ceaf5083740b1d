"""The dot table: one row a rater with its interval drawn in it, grouped by what is shown of it; and coefficients."""

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType

from comparison.frame.panel import NamedRun
from comparison.page.drawn.axis import Axis, Mark, spelled
from comparison.statistics.estimate import Estimate, plain
from comparison.statistics.verdict.measure import DISTANCE, KAPPA, RHO
from comparison.statistics.verdict.parts import Placed, Runs
from corpus.errors import counted

# How a dot looks, as a class of figures.css.
NEAREST, OTHER, BASELINE, PEOPLE = "m", "m open", "b", "p"
# Ticks of annotators that are nearer than this, as a share of the width, are one.
TICK = 0.005
# With fewer labels than these one's tick is faint.
FEW = 10
# Names of lines that are nearer than this stand one above the other, as they must on a phone of 320 pixels.
# Nearer to an end than this, they end there.
CLOSE, NEAR_END = 0.65, 0.13
LOWER, UPPER = "24", "10"
BASELINES = "Baselines"
APART = "Each on its own items"


@dataclass(frozen=True, slots=True)
class Line:
    """A value that tells nothing, dotted through all rows: chance, or the best constant label."""

    kind: str
    words: str
    at: str
    anchor: str
    y: str


@dataclass(frozen=True, slots=True)
class Ticks:
    """Annotators who stand at the same place; one who stands out has a tick alone, with the `name` above it."""

    at: str
    said: str
    name: str = ""
    anchor: str = ""
    # Of few labels, which leave room for any value.
    is_faint: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A rater. `key` is a run's, empty of people; `small` stands below its name."""

    key: str
    name: str
    small: str
    title: str
    look: str
    number: str
    interval: str
    why_not: str
    said: str
    mark: Mark | None
    # Chance of its own, of labels by cut points.
    chance: str = ""
    ticks: tuple[Ticks, ...] = ()
    # On a leaderboard: the range of its place, κ, and what its row unfolds to.
    rank: str = ""
    kappa: str = ""
    more: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """Rows of which the same is shown; `title` says what."""

    title: str
    rows: tuple[Row, ...]
    is_tie: bool = False


@dataclass(frozen=True, slots=True)
class Band:
    at: str
    width: str
    said: str


@dataclass(frozen=True, slots=True, kw_only=True)
class DotTable:
    """`said` is the table's name for a screen reader, `head` its column of numbers."""

    said: str
    head: str
    axis: Axis
    lines: tuple[Line, ...]
    band: Band | None
    people: Row | None
    groups: tuple[Group, ...]
    # How many runs are left out.
    left: int = 0
    # What the legend calls the dot of the nearest.
    nearest: str = ""

    @property
    def runs(self) -> int:
        return self.left + sum(len(group.rows) for group in self.groups)

    def first(self, most: int) -> "DotTable":
        """The nearest runs, of as many as there are."""
        groups, room = [], most
        for group in self.groups:
            if rows := group.rows[:room]:
                groups.append(replace(group, rows=rows))
            room -= len(rows)
        return replace(self, groups=tuple(groups), left=max(0, self.runs - most))

    @property
    def has_ticks(self) -> bool:
        return bool(self.people and self.people.ticks)

    @property
    def looks(self) -> frozenset[str]:
        """What the legend explains."""
        return frozenset(row.look for group in self.groups for row in group.rows)

    @property
    def has_cut(self) -> bool:
        return any(row.chance for group in self.groups for row in group.rows)


@dataclass(frozen=True, slots=True)
class Words:
    """How one measure's groups are called."""

    nearest: str
    told: str
    over_chance: str
    not_shown: str
    below: str


NEAREST_MODELS, COULD_BE = "Nearest among the models", "Could be nearest to {truth}"
NEAREST_DOT, OPEN_DOT = "nearest model", "could be nearest"
TOLD = "Beats chance, and not by favoring common labels"
WORDS = Words("Nearest to {truth}", TOLD, "Beats chance", "Not shown to beat chance", "Worse than chance")
WORDS_OF_RHO = Words(
    "Follows {truth} best",
    "Follows {truth}",
    "Follows {truth}",
    "Not shown to follow {truth}",
    "Runs against {truth}",
)


def dot_table(
    runs: Runs,
    by_key: Mapping[str, NamedRun],
    *,
    measure: str,
    head: str,
    description: str,
    truth: str,
    one: str,
    small: str = "",
    annotators: Mapping[str, Estimate] = MappingProxyType({}),
    outliers: Collection[str] = (),
    is_judged: bool = True,
    may_be_near: bool = True,
) -> DotTable:
    """Every compared run by the study's measure; `by_key` has what it is by its key.

    `one` is what a person is called, with `small` below it, and `truth` what runs come near to. `annotators` are what
    each of them reaches on their own labels, by name, and `outliers` those who stand out. Where these items were chosen
    by a result, the models are one group, of which nothing is shown; where none `may_be_near`, as of labels that may be
    noise, none is.
    """
    placed, person = runs.placed, runs.person
    axis = axis_of(measure, [*(each.value for each in placed), person])
    nearest = _nearest(runs) if is_judged and may_be_near else ()
    groups = _groups(runs, nearest, measure, truth) if is_judged else [("Models", list(runs.models))]
    groups.append((BASELINES, [each for each in placed if each.is_baseline]))
    return DotTable(
        said=description,
        head=head,
        axis=axis,
        lines=tuple(_lines(runs, axis)),
        band=_band(axis, person, one),
        people=row_of_people(axis, person, one, small, annotators, outliers),
        nearest=NEAREST_DOT if runs.is_even else OPEN_DOT,
        groups=tuple(
            Group(
                title=title,
                rows=tuple(_row(each, by_key.get(str(each.run)), axis, nearest) for each in inside),
                is_tie=runs.is_even and len(inside) > 1 and inside[0] in nearest,
            )
            for title, inside in groups
            if inside
        ),
    )


def apart_table(accuracies: Iterable[tuple[NamedRun, Estimate]], *, head: str, description: str) -> DotTable | None:
    """Where no runs can be compared on the same items: each by itself. None where none has a value."""
    axis = Axis()
    rows = [row_of(run, value, axis, BASELINE if run.is_baseline else OTHER) for run, value in accuracies]
    rows = sorted((row for row in rows if row.mark), key=lambda row: row.number, reverse=True)
    groups = (Group(APART, tuple(rows)),)
    return (
        DotTable(said=description, head=head, axis=axis, lines=(), band=None, people=None, groups=groups)
        if rows
        else None
    )


def axis_of(measure: str, values: Iterable[Estimate]) -> Axis:
    """All of a share's scale; of κ and ρ as far below 0, and of steps as far up, as there is something to draw.

    >>> axis_of(KAPPA, [Estimate(0.2, -0.13, 0.5, n=9)]).low, axis_of(DISTANCE, [Estimate(0.9, 0.4, 1.2, n=9)]).high
    (-0.2, 2)
    """
    ends = [end for one in values for end in (one.low, one.value, one.high) if end is not None]
    if measure == DISTANCE:
        return Axis(0.0, max(1, math.ceil(max(ends, default=1.0))))
    lowest = math.floor(10 * min(ends, default=0.0)) / 10
    return Axis(min(0.0, lowest) if measure in (KAPPA, RHO) else 0.0, 1.0)


def _nearest(runs: Runs) -> tuple[Placed, ...]:
    """Empty with a single model, and where no two models can be separated."""
    several = len(runs.models) > 1 and any(one.best is not None for one in runs.models)
    return runs.nearest if several else ()


def _groups(runs: Runs, nearest: Collection[Placed], measure: str, truth: str) -> list[tuple[str, list[Placed]]]:
    """Models by what is shown of them; each stands once."""
    words = WORDS_OF_RHO if measure == RHO else WORDS
    among = NEAREST_MODELS if not any(one.is_told for one in runs.models) else words.nearest
    among = among if runs.is_even else COULD_BE
    rest = [one for one in runs.models if one not in nearest]
    below = [one for one in rest if one.is_below_chance]
    better = [one for one in rest if one.is_told]
    over = [one for one in rest if one.beats_chance and one not in better]
    titled = [
        (among, list(nearest)),
        (words.told if runs.can_favor else words.over_chance, better),
        (words.over_chance, over),
        (words.not_shown, [one for one in rest if not (one.beats_chance or one.is_told or one.is_below_chance)]),
        (words.below, below),
    ]
    groups: dict[str, list[Placed]] = {}
    for title, inside in titled:
        # The nearest do that too.
        also = nearest and title in (words.told, words.over_chance)
        title = f"Also {title[0].lower()}{title[1:]}" if also else title
        groups.setdefault(title.format(truth=truth), []).extend(inside)
    return list(groups.items())


def _row(one: Placed, run: NamedRun | None, axis: Axis, nearest: Collection[Placed]) -> Row:
    look = BASELINE if one.is_baseline else NEAREST if one in nearest else OTHER
    chance = axis.at(one.chance) if one.how else ""
    if run is None:
        return written(str(one.run), one.name, "", one.name, one.value, axis, look, chance)
    if one.how:
        return row_of(run, one.value, axis, look, chance)
    # Scores themselves are compared with ratings: no cut points.
    return written(run.key, run.short, run.metric, run.name, one.value, axis, look)


def row_of(run: NamedRun, value: Estimate, axis: Axis, look: str, chance: str = "") -> Row:
    return written(run.key, run.short, run.marked_metric, run.title, value, axis, look, chance)


def written(
    key: str, name: str, small: str, title: str, value: Estimate, axis: Axis, look: str, chance: str = ""
) -> Row:
    return Row(
        key=key,
        name=name,
        small=small,
        title=title,
        look=look,
        number=value.aligned[0],
        interval=value.aligned[1],
        why_not=value.undefined,
        said=f"{title}: {value}",
        mark=axis.mark(value, called=title),
        chance=chance,
    )


def row_of_people(
    axis: Axis,
    person: Estimate,
    one: str,
    small: str,
    annotators: Mapping[str, Estimate] = MappingProxyType({}),
    outliers: Collection[str] = (),
) -> Row | None:
    if person.value is None:
        return None
    ticks = tuple(_ticks(axis, annotators, outliers))
    return replace(written("", one, small, one, person, axis, PEOPLE), ticks=ticks)


def _ticks(axis: Axis, annotators: Mapping[str, Estimate], outliers: Collection[str] = ()) -> Iterator[Ticks]:
    """One for each place, however many annotators there are, and one for each who stands out.

    >>> crowd = {"a": Estimate(0.9, None, None, n=40), "b": Estimate(0.9012, None, None, n=50)}
    >>> crowd |= {"c": Estimate(0.8, None, None, n=45), "d": Estimate(0.0, None, None, n=2)}
    >>> [(one.at, one.said, one.name) for one in _ticks(Axis(), crowd, ["c"])]
    [('0%', '1 annotator of under 10 labels: .00', ''), ('90%', '2 annotators: .90', ''), ('80%', 'c: .80', 'c')]
    """
    places = Counter(
        (round(axis.share(one.value) / TICK), one.n < FEW)
        for name, one in annotators.items()
        if one.value is not None and name not in outliers
    )
    for (place, are_few), several in sorted(places.items()):
        value = axis.low + place * TICK * (axis.high - axis.low)
        whose = counted(several, "annotator") + (f" of under {FEW} labels" if are_few else "")
        yield Ticks(spelled(place * TICK), f"{whose}: {plain(value, decimals=2)}", is_faint=are_few)
    for name in outliers:
        reached = annotators[name].value if name in annotators else None
        if reached is not None:
            yield Ticks(axis.at(reached), f"{name}: {plain(reached, decimals=2)}", name, _anchor(axis.share(reached)))


def _anchor(share: float) -> str:
    """Of words below a place: near an end they end there."""
    return "start" if share < NEAR_END else "end" if share > 1 - NEAR_END else "middle"


def _band(axis: Axis, person: Estimate, one: str) -> Band | None:
    if person.low is None or person.high is None:
        return None
    low, high = axis.share(person.low), axis.share(person.high)
    return Band(spelled(low), spelled(high - low), f"{one}: {person}")


def _lines(runs: Runs, axis: Axis) -> Iterator[Line]:
    """Chance and the best constant, whose names stand one above the other where they are near."""
    values = [("chance", "chance", runs.chance)] if runs.has_common_chance else []
    values += [("const", "best constant", runs.constant.value)] if runs.constant else []
    shares = [axis.share(value) for _, _, value in values]
    is_close = len(shares) > 1 and abs(shares[0] - shares[1]) < CLOSE
    for place, (kind, name, value) in enumerate(values):
        share = shares[place]
        words = f"{name} {plain(value, decimals=2)}"
        yield Line(kind, words, axis.at(value), _anchor(share), UPPER if is_close and place == 0 else LOWER)


@dataclass(frozen=True, slots=True)
class Coefficients:
    axis: Axis
    rows: tuple[Row, ...]


def coefficients(estimates: Iterable[tuple[str, Estimate]]) -> Coefficients:
    """Those that are undefined last."""
    every = list(estimates)
    values = [end for _, estimate in every for end in (estimate.low, estimate.value) if end is not None]
    # Below 0 people contradict one another: the scale goes on as far as that.
    # In half of a card, “−1” and “−.50” would run into one another.
    axis = Axis(-1.0, 1.0, most=4) if min(values, default=0.0) < 0 else Axis()
    falling = sorted(every, key=lambda one: -2.0 if one[1].value is None else one[1].value, reverse=True)
    return Coefficients(axis, tuple(_of_coefficient(name, estimate, axis) for name, estimate in falling))


def _of_coefficient(name: str, estimate: Estimate, axis: Axis) -> Row:
    return Row(
        key="",
        name=name,
        small="",
        title=name,
        look=PEOPLE,
        number=estimate.aligned[0],
        interval=estimate.aligned[1],
        why_not=estimate.undefined,
        said=f"{name}: {estimate}",
        mark=axis.mark(estimate, called=name),
    )
