"""What is spread evenly over annotators: items that share a `group` are variants of one source, and nobody sees two.

Where a study has lists, a Latin square says which variant of a source lies on which, so that every list has each
condition equally often. An annotator works on one list, in all sittings. Who begins gets the list of the item in
greatest need: so lists fill evenly, and no item is left open to nobody. To add a way of balancing: a setting in
studyfile/tables.py, and a function here that assignment calls.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, permutations
from math import perm

from django.db.models import Q

from annotation.itemfile import ItemRow
from annotation.models import Annotator, Assignment, Item, Sitting, Study
from annotation.models.item import ItemQuerySet
from annotation.studyfile.collection import LATIN_SQUARE

# So many attributes may make up a condition, as in a design of two by two.
MOST_CROSSED = 3
# So many ways of laying a source out are all tried; of more, the turns alone.
MOST_WAYS = 120
# So often every source is laid out anew while that makes the lists more even.
MOST_ROUNDS = 20
# So many lists are told one by one.
MOST_TOLD = 8
Condition = Callable[[ItemRow], str]

# Items that are looked at at once until enough are found of different groups: most often the first will do.
CHUNK = 200


@dataclass(frozen=True, slots=True)
class Square:
    """The lists that come out: made by what, and how often each condition is on each list."""

    by: str
    # By what each list is called.
    held: Mapping[str, Counter[str]]

    @property
    def is_even(self) -> bool:
        """Whether no list has any condition more than once more often than another list has it."""
        conditions = {one for held in self.held.values() for one in held}
        return all(_spread(held[one] for held in self.held.values()) <= 1 for one in conditions)

    def __str__(self) -> str:
        held = {name: ", ".join(f"{many} {one}" for one, many in sorted(of.items())) for name, of in self.held.items()}
        if len(set(held.values())) == 1:
            return f"{self.by}, {len(held)} lists: each has {next(iter(held.values()))}."
        told = [f"list {name} has {of}" for name, of in held.items()]
        more = [f"and {len(told) - MOST_TOLD} more lists"] if len(told) > MOST_TOLD else []
        return f"{self.by}: {'; '.join(told[:MOST_TOLD] + more)}."


def list_numbers(rows: Iterable[ItemRow], *, condition: str = "", named: str = "") -> dict[str, int]:
    """The list of each target that is on one, by its id. `condition` tells variants apart (empty: found out)."""
    targets = [row for row in rows if row.kind == "target"]
    if named:
        numbers = {value: number for number, value in enumerate(list_names(targets, named))}
        return {row.id: numbers[row.attributes[named]] for row in targets if row.attributes.get(named)}
    sources = _sources(targets)
    return _laid_out(sources, _telling(sources, condition_of(targets, condition)))


def list_names(rows: Iterable[ItemRow], named: str) -> list[str]:
    """What the lists are called by an attribute: numbers in their order, words behind them."""
    values = {row.attributes[named] for row in rows if row.attributes.get(named)}
    return sorted(values, key=lambda value: (not value.isdecimal(), int(value) if value.isdecimal() else 0, value))


def square_of(rows: Sequence[ItemRow], numbers: Mapping[str, int], *, condition: str = "", named: str = "") -> Square:
    """What lies on the lists with these numbers."""
    by = condition_of(rows, condition)
    tell = _telling(_sources(rows), by)
    names = list_names(rows, named) if named else [str(number + 1) for number in range(max(numbers.values()) + 1)]
    held = {name: Counter[str]() for name in names}
    for row in rows:
        if row.id in numbers:
            held[names[numbers[row.id]]][tell(row)] += 1
    made = f"Lists by {named}" if named else f"Latin square by {' × '.join(by) or 'the order of the file'}"
    return Square(made, held)


def condition_of(rows: Iterable[ItemRow], named: str = "") -> tuple[str, ...]:
    """The attributes whose values together are a variant's condition; none where the order of the file says it.

    Where none is named: the fewest whose values are different within each source, and as many as there are lists.
    """
    if named:
        return (named,)
    sources = _sources(rows)
    lists = max(map(len, sources), default=0)
    varying = [
        name
        for name in dict.fromkeys(name for variants in sources for row in variants for name in row.attributes)
        if len({row.attributes.get(name, "") for variants in sources for row in variants}) in range(2, lists + 1)
    ]
    for size in range(1, MOST_CROSSED + 1):
        for names in combinations(varying, size):
            told = [[_values(row, names) for row in variants] for variants in sources]
            apart = all(len(set(one)) == len(one) for one in told)
            if apart and len({value for one in told for value in one}) == lists:
                return names
    return ()


def _sources(rows: Iterable[ItemRow]) -> list[list[ItemRow]]:
    """The targets of each source that has several, in the order of the file."""
    groups: dict[str, list[ItemRow]] = {}
    for row in rows:
        if row.kind == "target" and row.group:
            groups.setdefault(row.group, []).append(row)
    return [variants for variants in groups.values() if len(variants) > 1]


def _values(row: ItemRow, names: Iterable[str]) -> tuple[str, ...]:
    return tuple(row.attributes.get(name, "") for name in names)


def _telling(sources: Iterable[Sequence[ItemRow]], by: tuple[str, ...]) -> Condition:
    """How a variant's condition is told: by its attributes, or by its place among those of its source."""
    places = {row.id: str(place) for variants in sources for place, row in enumerate(variants, start=1)}
    if by:
        return lambda row: " × ".join(value or f"no {name}" for name, value in zip(by, _values(row, by), strict=True))
    return lambda row: f"variant {places[row.id]}" if row.id in places else "other"


class _Lists:
    """The lists while sources are laid out on them: how often each has each condition, and how much it has."""

    def __init__(self, lists: int, tell: Condition) -> None:
        self.lists, self.tell = lists, tell
        self.held: dict[str, list[int]] = defaultdict(lambda: [0] * lists)
        self.sizes = [0] * lists

    @property
    def are_even(self) -> bool:
        return all(_spread(counts) <= 1 for counts in self.held.values())

    def put(self, variants: Sequence[ItemRow], way: Sequence[int], by: int) -> None:
        for row, number in zip(variants, way, strict=True):
            self.held[self.tell(row)][number] += by
            self.sizes[number] += by

    def best(self, variants: Sequence[ItemRow]) -> tuple[int, ...]:
        """Where each of them is rarest, all together."""
        counts = [self.held[self.tell(row)] for row in variants]

        def already_there(way: tuple[int, ...]) -> tuple[int, int]:
            of_these = sum(count[number] for count, number in zip(counts, way, strict=True))
            return of_these, sum(self.sizes[number] for number in way)

        return min(_ways(len(variants), self.lists), key=already_there)


def _laid_out(sources: Iterable[Sequence[ItemRow]], tell: Condition) -> dict[str, int]:
    """Each source in the way that makes the lists most even, after those before it.

    So a source that comes behind moves none that is there; only where the lists are still uneven are all laid out anew.
    """
    ordered = [sorted(variants, key=tell) for variants in sources]
    lists = _Lists(max(map(len, ordered), default=0), tell)
    chosen: list[tuple[int, ...]] = []
    for variants in ordered:
        chosen.append(lists.best(variants))
        lists.put(variants, chosen[-1], 1)
    for _ in range(MOST_ROUNDS):
        if lists.are_even:
            break
        before = list(chosen)
        for at, variants in enumerate(ordered):
            lists.put(variants, chosen[at], -1)
            chosen[at] = lists.best(variants)
            lists.put(variants, chosen[at], 1)
        if chosen == before:
            break
    laid = zip(ordered, chosen, strict=True)
    return {row.id: number for variants, way in laid for row, number in zip(variants, way, strict=True)}


def _ways(variants: int, lists: int) -> Iterator[tuple[int, ...]]:
    """On which lists the variants of one source may lie, each on another."""
    if perm(lists, variants) <= MOST_WAYS:
        yield from permutations(range(lists), variants)
    else:
        for turn in range(lists):
            yield tuple((place + turn) % lists for place in range(variants))


def _spread(counts: Iterable[int]) -> int:
    found = list(counts)
    return max(found) - min(found)


def lists_of(study: Study, rows: Iterable[ItemRow]) -> dict[str, int]:
    """The list of each of its targets that is on one, by its id, where the study has lists."""
    if study.lists != LATIN_SQUARE:
        return {}
    return list_numbers(rows, condition=study.condition_attribute, named=study.list_attribute)


def square(study: Study) -> Square | None:
    """What lies on its lists; None where it has none."""
    read = study.items.filter(kind=Item.Kind.TARGET).order_by("position")
    listed = read.exclude(list_number=None) if study.lists == LATIN_SQUARE else read.none()
    numbers: dict[str, int] = {}
    rows = []
    for name, group, number, attributes in listed.values_list("external_id", "group", "list_number", "attributes"):
        assert number is not None  # as asked
        numbers[name] = number
        rows.append(ItemRow(name, {}, group=group, attributes=attributes))
    if not rows:
        return None
    return square_of(rows, numbers, condition=study.condition_attribute, named=study.list_attribute)


def unmet(study: Study, annotator: Annotator, open_items: ItemQuerySet) -> ItemQuerySet:
    """Those of which the annotator has met no variant."""
    met = Assignment.objects.filter(sitting__study=study, annotator=annotator).exclude(item__group="")
    return open_items.exclude(group__in=met.values("item__group"))


def draw(study: Study, annotator: Annotator, open_items: ItemQuerySet, *, wanted: int) -> tuple[list[Item], int | None]:
    """The first of `open_items`, all unmet, locked, and the list that the annotator works on, if on any.

    Whose list has nothing left gets what is open on others, of sources that they have not met. The caller holds the
    study's lock.
    """
    if study.lists != LATIN_SQUARE:
        return _of_different_groups(open_items, wanted), None
    number = _list_of(study, annotator, open_items)
    own = open_items.filter(Q(list_number=number) | Q(list_number=None))
    return _of_different_groups(own, wanted) or _of_different_groups(open_items, wanted), number


def variant_of(study: Study, item: Item) -> str:
    """What the database holds an annotator's assignments to: no two with the same."""
    is_variant = study.keeps_variants_apart and item.kind == Item.Kind.TARGET and item.group
    return f"{study.pk}/{item.group}" if is_variant else ""


def _list_of(study: Study, annotator: Annotator, open_items: ItemQuerySet) -> int | None:
    """The annotator's own, else that of the item in greatest need."""
    before = Sitting.objects.filter(study=study, annotator=annotator, list_number__isnull=False)
    number = before.values_list("list_number", flat=True).first()
    if number is None:
        number = open_items.filter(list_number__isnull=False).values_list("list_number", flat=True).first()
    return number


def _of_different_groups(items: ItemQuerySet, wanted: int) -> list[Item]:
    chosen: list[int] = []
    met: set[str] = set()
    for pk, group in items.values_list("pk", "group").iterator(chunk_size=CHUNK):
        if group not in met:
            chosen.append(pk)
            met |= {group} - {""}
        if len(chosen) == wanted:
            break
    return list(Item.objects.select_for_update(no_key=True).filter(pk__in=chosen))
