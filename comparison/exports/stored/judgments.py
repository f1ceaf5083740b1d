"""Every answer that was given, counted or not, one line each; also that an item cannot be judged."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np

from annotation.models import CANNOT_JUDGE, Assignment, Revision, Sitting, Study
from comparison.exports.cells import cell, cell_line, moment, order_shown, quoted, read_all, text_of
from comparison.figures.file import ORIGIN, Row, StoredOfPeople, Written, origin
from comparison.frame.filters.selection import Selection
from comparison.statistics.counts import Ints


@dataclass(frozen=True, slots=True)
class ItemCells:
    """`keys` are the items' in the database, in order. The nth item's own cells are two stretches of `text`, which end
    where `ends` says: the first begins the line of a label, the second ends it.

    A dictionary of texts would be five times as large, and a join reads an item's whole content for every label. What
    many items share, references and attributes, is held once.
    """

    keys: Ints
    ends: Ints
    text: bytes
    shares: Ints
    shared: tuple[tuple[str, str], ...]
    attributes: tuple[str, ...]

    def of(self, keys: Sequence[int]) -> Iterator[tuple[str, str, str] | None]:
        """Of each the cells `item,kind`, the reference, and group, text and attributes. None of an item added since."""
        queried = np.array(keys, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.keys, queried), len(self.keys) - 1)
        ends = (self.ends[2 * places + further] for further in range(3))
        columns = *ends, self.shares[places], self.keys[places] == queried
        for begin, middle, end, share, is_known in zip(*(column.tolist() for column in columns), strict=True):
            if not is_known:
                yield None
                continue
            reference, attributes = self.shared[share]
            rest = self.text[middle:end].decode()
            yield self.text[begin:middle].decode(), reference, rest + attributes


def item_cells(study: Study) -> ItemCells:
    keys, ends, shares, text = array("q"), array("q", [0]), array("q"), bytearray()
    shared: dict[tuple[str | None, str], int] = {}
    item_text = study.task.text
    rows = study.items.order_by("pk").values_list(
        "pk", "external_id", "kind", "reference", "group", text_of("content"), text_of("attributes")
    )
    records = rows.iterator(chunk_size=CHUNK)
    while chunk := list(islice(records, CHUNK)):
        contents = read_all([content for *_, content, _ in chunk])
        for (pk, item, kind, reference, group, _, attributes), content in zip(chunk, contents, strict=True):
            keys.append(pk)
            text += f"{quoted(cell(item))},{kind}".encode()
            ends.append(len(text))
            text += f"{cell_line(group)},{quoted(cell(item_text(content)))}".encode()
            ends.append(len(text))
            shares.append(shared.setdefault((reference, attributes), len(shared)))
    attribute_sets = read_all([attributes for _, attributes in shared])
    names = tuple(dict.fromkeys(name for one in attribute_sets for name in one))
    cells = ["".join(f",{cell_line(str(one.get(name, '')))}" for name in names) for one in attribute_sets]
    references = [cell_line(reference) for reference, _ in shared]
    shared_cells = tuple(zip(references, cells, strict=True))
    return ItemCells(_whole(keys), _whole(ends), bytes(text), _whole(shares), shared_cells, names)


def _whole(numbers: "array[int]") -> Ints:
    return np.frombuffer(numbers, dtype=np.int64)


HEADER = [
    *ORIGIN, "item", "kind", "annotator", "profile", "sitting", "position", "answer", "reference", "state",
    "counts", "response_ms", "hidden_ms", "shown_at", "answered_at", "earlier_answers", "order_shown",
    "instructions_version", "group", "text",
]  # fmt: skip
# Sittings whose labels are asked for at once, and labels that are fetched of these: however many there are in all.
SITTINGS = 200
CHUNK = 5_000
COLUMNS = (
    "item_id", "sitting_id", "position", "judgment__answer", "state", "judgment__response_ms", "judgment__hidden_ms",
    text_of("shown_at"), text_of("judgment__answered_at"), text_of("presentation"), "judgment__pk",
)  # fmt: skip
# The cells `state` and `counts`.
STATES = {
    state.value: f"{state.value},{'true' if state == Assignment.State.COUNTED else 'false'}"
    for state in Assignment.BEHIND
}
# What is said of a sitting: the cells `annotator,profile,sitting`, and the version of its instructions.
Sittings = dict[int, tuple[str, str]]
Line = tuple[Any, ...]


def judgments(study: Study, selection: Selection) -> Iterator[Row | Written]:
    """All kinds of items, all states. Annotators are numbers; the platform's ids stay in the house.

    Sitting by sitting, each in the order in which it was answered: so they were stored, and so the database reads on
    from where it is. By item, each label lies somewhere else.
    """
    items = item_cells(study)
    yield [*HEADER, *(f"attribute:{name}" for name in items.attributes)]
    head = ",".join(cell_line(text) for text in origin(study))
    has_earlier = Revision.objects.filter(judgment__assignment__item__study=study).exists()
    for sittings in _sittings(study):
        answered = Assignment.objects.filter(sitting__in=sittings.keys(), state__in=Assignment.BEHIND)
        records = answered.order_by("sitting_id", "position").values_list(*COLUMNS).iterator(chunk_size=CHUNK)
        while chunk := list(islice(records, CHUNK)):
            earlier = _earlier([line[-1] for line in chunk]) if has_earlier else {}
            yield from _lines(head, chunk, items, sittings, earlier)


def _sittings(study: Study) -> Iterator[Sittings]:
    rows = Sitting.objects.filter(study=study).order_by("pk")
    columns = rows.values_list("pk", "annotator_id", "annotator__profile", "instructions_version")
    records = columns.iterator(chunk_size=SITTINGS)
    while chunk := list(islice(records, SITTINGS)):
        # After the sittings: of those, too, who started meanwhile.
        names = study.annotator_numbers.names({who for _, who, *_ in chunk})
        yield {
            pk: (f"{names[who]},{cell_line(profile)},{pk}", cell_line(version)) for pk, who, profile, version in chunk
        }


def _lines(
    head: str, chunk: list[Line], items: ItemCells, sittings: Sittings, earlier: dict[int, str]
) -> Iterator[Written]:
    """Each as one text: to make and to join them all takes longer than to read them."""
    for line, of_item in zip(chunk, items.of([line[0] for line in chunk]), strict=True):
        if of_item is None:
            continue
        _, sitting, position, answer, state, ms, hidden, shown_at, at, how, pk = line
        (item, reference, rest), (who, version) = of_item, sittings[sitting]
        yield (
            f"{head},{item},{who},{position},{cell_line(answer)},{reference},{STATES[state]},"
            f"{'' if ms is None else ms},{'' if hidden is None else hidden},"
            f"{moment(shown_at)},{moment(at)},{cell_line(earlier.get(pk))},{order_shown(how)},{version},{rest}",
        )


def _earlier(judgments: list[int]) -> dict[int, str]:
    """The answers that were changed, of each judgment that has any, in the order in which they were given."""
    by_judgment: dict[int, list[str]] = {}
    for one in Revision.objects.filter(judgment__in=judgments):
        answer = one.answer if one.answer != CANNOT_JUDGE else "cannot judge"
        by_judgment.setdefault(one.judgment_id, []).append(f"{answer} {one.answered_at.isoformat()}")
    return {pk: "; ".join(answers) for pk, answers in by_judgment.items()}


JUDGMENTS = StoredOfPeople(
    key="judgments",
    title="Labels",
    says="one row per label, with annotator, time and option order",
    line="an answer, counted or not, on any kind of item",
    rows=judgments,
)
