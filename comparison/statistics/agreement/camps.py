"""Two camps of annotators: they agree within each, and across less than one truth seen by both would have it.

With c for what two annotators' labels have in common beyond how often each gives them (a covariance; on ordered scales
of places, else of labels alike), people who judge by one truth have c = the product of their two skills (Spearman 1904,
American Journal of Psychology 15: 72–101). Each person's skill is read from the pairs within their group, so that
across the groups a c is expected for just the pairs who met: where annotators are bound to lists, a careless one may
have met only the other group. Views correlate at what is found across over what is expected; experts and beginners on
hard items come to .87. Camps are said to be there where that correlation is shown to be below .8 and both groups to
agree within.

Items (or groups of them) are dealt into halves. Each half's best split is tested on the other half, by leaving out one
item at a time (for what is expected across, one of 40 parts), and the smaller p counts twice: so the search for a split
is no part of its test (Cox 1975, Biometrika 62: 441–444). Who is in which camp is then the best split of all items.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np
import scipy as sp
from numpy.typing import NDArray

from comparison.statistics import tails
from comparison.statistics.agreement.coded_labels import CodedLabels, numbered, read_said
from comparison.statistics.counts import Floats, Ints
from comparison.statistics.resampling.bootstrap import SEED
from comparison.statistics.resampling.left_out import variance
from comparison.statistics.resampling.sample import ITEMS, Sample, cluster_sums

LEVEL = 0.05
APART = 0.8
# Asked of so many people with so many labels each, on so many labels: of more, items are drawn by chance.
FEWEST_PEOPLE, MOST_PEOPLE, FEWEST_ITEMS, MOST_LABELS = 4, 100, 30, 200_000
# A search begins with the pairs of annotators that agree least.
BEGINNINGS = 20
# Skills are read anew without each of so many parts of the items, and have settled after so many rounds.
PARTS, ROUNDS = 40, 40

Side = NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Camps:
    """The numbers of the people in each; how alike two of them are within the one, within the other, and across.

    `alike`: how often they give the same label; of `ordered` labels, how their labels correlate.
    """

    one: tuple[int, ...]
    other: tuple[int, ...]
    alike: tuple[float, float, float]
    ordered: bool = False


def camps(
    rows: Ints, raters: Ints, labels: Ints, *, values: int, ordered: bool = False, without: Collection[int] = (),
    sample: Sample = ITEMS,
) -> Camps | None:  # fmt: skip
    """Of labels one by one (row, rater, code), `without` those of whom something else is known; None where none are.

    Three people who go by one truth, and two who go by another on half of the items:

    >>> rng = np.random.default_rng(1)
    >>> truth, rows, raters = rng.integers(2, size=(2, 200)), np.repeat(np.arange(200), 5), np.tile(np.arange(5), 200)
    >>> seen = np.where(raters < 3, truth[0][rows], truth[rows % 2, rows])
    >>> labels = np.where(rng.random(1000) < 0.9, seen, 1 - seen)
    >>> found = camps(rows, raters, labels, values=2)
    >>> found.one, found.other
    ((0, 1, 2), (3, 4))
    """
    kept = ~np.isin(raters, [*without]) & (np.bincount(raters)[raters] >= FEWEST_ITEMS)
    people = np.unique(raters[kept])
    if not FEWEST_PEOPLE <= len(people) <= MOST_PEOPLE:
        return None
    said = read_said(rows[kept], raters[kept], labels[kept], sample=sample)
    rng = np.random.default_rng(SEED)
    order = rng.permutation(said.clusters)[said.groups[said.item]]
    some = order < MOST_LABELS / len(order) * said.clusters
    places = np.arange(values, dtype=np.float64)[:, None] if ordered else np.eye(values)
    halves = [_seen(said, some & (order % 2 == half), places) for half in range(2)]
    found = [_best_split(one) for one in halves]
    chances = [_chance_of(one, side) for one, side in zip(halves, reversed(found), strict=True) if side is not None]
    if not chances or 2 * min(chances) > LEVEL:
        return None
    side = _best_split(_seen(said, some, places))
    if side is None:
        return None
    if not side[0]:
        side = ~side
    one, other = (tuple(people[here].tolist()) for here in (side, ~side))
    seen = _standardized(_seen(said, some, places)) if ordered else _seen(said, some, places, centered=False)
    return Camps(one, other, _alike(seen, side), ordered)


@dataclass(frozen=True, slots=True)
class _Seen:
    """Some labels: item, rater and place, each rater's with mean 0; `groups`: each item's."""

    item: Ints
    rater: Ints
    place: Floats
    groups: Ints
    people: int


def _seen(said: CodedLabels, some: Side, places: Floats, *, centered: bool = True) -> _Seen:
    items, item = numbered(said.item[some])
    rater, place = said.rater[some], places[said.label[some]]
    if centered:
        given = np.maximum(np.bincount(rater, minlength=said.raters), 1)
        sums = [np.bincount(rater, weights=column, minlength=said.raters) for column in place.T]
        place = place - (np.array(sums) / given).T[rater]
    return _Seen(item, rater, place, said.groups[items], said.raters)


def _standardized(seen: _Seen) -> _Seen:
    """Each rater's places with variance 1, so that a mean product of two is a correlation."""
    given = np.maximum(np.bincount(seen.rater, minlength=seen.people), 1)
    spread = np.sqrt(np.bincount(seen.rater, weights=seen.place[:, 0] ** 2, minlength=seen.people) / given)
    return replace(seen, place=seen.place / np.where(spread > 0, spread, 1.0)[seen.rater, None])


def _best_split(seen: _Seen) -> Side | None:
    """The split across which people have least in common, for what they have within; two people a side at least."""
    common, shared = _pairs(seen)
    alike = common / np.maximum(shared, 1)
    one, other = np.triu_indices(seen.people, 1)
    best, split = -np.inf, None
    for place in np.argsort(alike[one, other], kind="stable")[:BEGINNINGS]:
        side = alike[one[place]] > alike[other[place]]
        side[one[place]], side[other[place]] = True, False
        value, side = _climb(common, shared, side)
        if value > best:
            best, split = value, side
    return split


def _pairs(seen: _Seen) -> tuple[Floats, Floats]:
    """Of each two people, the sum of what their labels have in common, and how many items both have; 0 with oneself."""
    common, shared = _pairs_by_part(seen, np.zeros(len(seen.item), dtype=np.int64), 1)
    return common[0], shared[0]


def _pairs_by_part(seen: _Seen, part: Ints, parts: int) -> tuple[Floats, Floats]:
    """The same of each part of the items, (parts, people, people); `part` is each label's."""
    # Each part has columns of its own, so one product has the pairs of all: an item has only those of its part.
    column, size = part * seen.people + seen.rater, int(seen.item.max(initial=-1)) + 1
    places = seen.place.shape[1]
    row = (seen.item[:, None] + size * np.arange(places)).ravel()
    said = sp.sparse.csr_array((seen.place.ravel(), (row, column.repeat(places))), (size * places, parts * seen.people))
    met = sp.sparse.csr_array((np.ones(len(column)), (seen.item, column)), (size, parts * seen.people))
    return _products(said, parts), _products(met, parts)


def _products(table: "sp.sparse.csr_array", parts: int) -> Floats:
    found = (table.T @ table).tocoo()
    people = table.shape[1] // parts
    tables = np.zeros((parts, people, people))
    tables[found.row // people, found.row % people, found.col % people] = found.data
    tables[:, range(people), range(people)] = 0.0
    return tables


def _climb(common: Floats, shared: Floats, side: Side) -> tuple[float, Side]:
    """Whoever gains most by it changes sides, until nobody gains."""
    value = -np.inf
    while True:
        moved = [_if_moved(table, side) for table in (common, shared)]
        sizes = side.sum() + np.where(side, -1, 1)
        within, among, across = (a / np.maximum(b, 1) for a, b in zip(*moved, strict=True))
        fair = (within > 0) & (among > 0) & (sizes >= 2) & (len(side) - sizes >= 2)
        gains = np.where(fair, np.sqrt(np.maximum(within * among, 0)) - across, -np.inf)
        best = int(gains.argmax())
        if gains[best] <= value + 1e-12:
            return value, side
        value, side = float(gains[best]), side ^ (np.arange(len(side)) == best)


def _if_moved(table: Floats, side: Side) -> tuple[Floats, Floats, Floats]:
    """The sums within the one side, within the other, and across, if that one person changed sides."""
    ours, theirs = table @ side, table @ ~side
    to = np.where(side, -1, 1)
    within, among, across = ours @ side, theirs @ ~side, ours @ ~side
    return (within + 2 * to * ours) / 2, (among - 2 * to * theirs) / 2, across + to * (theirs - ours)


def _sums(seen: _Seen, side: Side) -> Floats:
    """Of each item, what pairs have in common and how many there are: within one side, the other, and across."""
    size = int(seen.item.max(initial=-1)) + 1
    parts, sums, many = [], [], []
    for here in (side[seen.rater], ~side[seen.rater]):
        sums.append(
            np.array([np.bincount(seen.item, weights=column * here, minlength=size) for column in seen.place.T])
        )
        many.append(np.bincount(seen.item, weights=here, minlength=size))
        own = np.bincount(seen.item, weights=(seen.place**2).sum(axis=1) * here, minlength=size)
        parts += [((sums[-1] ** 2).sum(axis=0) - own) / 2, many[-1] * (many[-1] - 1) / 2]
    return np.column_stack([*parts, (sums[0] * sums[1]).sum(axis=0), many[0] * many[1]])


def _chance_of(seen: _Seen, side: Side) -> float:
    """The largest p of three: that one side does not agree, that the other does not, that they are not apart."""
    parts = cluster_sums(_sums(seen, side), seen.groups)
    total = parts.sum(axis=0)

    def within(sums: Floats) -> Floats:
        return np.column_stack([sums[:, at] / np.maximum(sums[:, at + 1], 1) for at in (0, 2)])

    found, left_out = within(total[None])[0], within(total - parts)
    return max(*map(_p, found, left_out.T), _p(*_apart(seen, side)))


def _p(value: float, left_out: Floats) -> float:
    """That a value is not above 0, from its values with each unit left out."""
    spread = variance(left_out)
    return float(tails.of_t(value / spread**0.5, len(left_out) - 1)) if spread > 0 else 1.0


def _apart(seen: _Seen, side: Side) -> tuple[float, Floats]:
    """How much less than expected people have in common across the sides, of all items and without each part."""
    clusters = int(seen.groups.max(initial=-1)) + 1
    part = (np.random.default_rng(SEED).permutation(clusters) % PARTS)[seen.groups][seen.item]
    common, shared = _pairs_by_part(seen, part, max(1, min(PARTS, clusters)))
    # First all of them, then all but each part.
    common, shared = (np.concatenate([own.sum(axis=0)[None], own.sum(axis=0) - own]) for own in (common, shared))
    missing = _missing(common, shared, side)
    return float(missing[0]), missing[1:]


def _missing(common: Floats, shared: Floats, side: Side) -> Floats:
    """What pairs across the sides are expected to have in common, times APART, less what they have; a mean over pairs.

    Of tables of shape (…, people, people). Who met nobody of their own side has no skill there, and is left out.
    """
    skill = _skills(common, shared, side)
    across = np.isfinite(skill)[..., :, None] & np.isfinite(skill)[..., None, :] & side[:, None] & ~side
    expected = np.where(across, shared * skill[..., :, None] * skill[..., None, :], 0.0)
    wanting: Floats = APART * expected - np.where(across, common, 0.0)
    met: Floats = np.maximum((shared * across).sum(axis=(-2, -1)), 1.0)
    missing: Floats = wanting.sum(axis=(-2, -1)) / met
    return missing


def _skills(common: Floats, shared: Floats, side: Side) -> Floats:
    """Each person's skill, (…, people): products of two are what pairs of one side have in common, by least squares."""
    same = side[:, None] == side
    common, shared = common * same, shared * same
    # Two people alone fix no more than their product, of which each begins with the root.
    means = [common[..., one, :].sum(axis=(-2, -1)) / np.maximum(shared[..., one, :].sum(axis=(-2, -1)), 1.0)
             for one in (side, ~side)]  # fmt: skip
    skill = np.where(side, *(np.sqrt(np.maximum(mean, 0.0))[..., None] for mean in means))
    for _ in range(ROUNDS):
        weight = (shared @ (skill**2)[..., None])[..., 0]
        fitted = (common @ skill[..., None])[..., 0] / np.where(weight > 0, weight, np.inf)
        skill = (skill + fitted) / 2
    return np.where(weight > 0, skill, np.nan)


def _alike(seen: _Seen, side: Side) -> tuple[float, float, float]:
    sums = _sums(seen, side).sum(axis=0)
    within, among, across = (float(sums[at] / max(sums[at + 1], 1.0)) for at in (0, 2, 4))
    return within, among, across
