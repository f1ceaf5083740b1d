"""What a line says of its item, known of a study's every item at once, in some forty bytes each."""

from array import array
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from annotation.models import Study
from comparison.exports.cells import cell, cell_line, quoted
from comparison.statistics.counts import Ints

CHUNK = 5_000


@dataclass(frozen=True, slots=True)
class ItemCells:
    """`keys` are the items' in the database, in order. The nth item's cells end in `text` where `ends[n + 1]` says.

    A dictionary of texts would be five times as large, and a join reads an item's whole content for every label.
    """

    keys: Ints
    ends: Ints
    text: bytes
    references: Ints
    names: tuple[str, ...]

    def of(self, keys: Sequence[int]) -> Iterator[tuple[str, str] | None]:
        """The cells `item,kind` and the reference of each; None of an item that was added since this was read."""
        wanted = np.array(keys, dtype=np.int64)
        places = np.minimum(np.searchsorted(self.keys, wanted), len(self.keys) - 1)
        columns = self.ends[places], self.ends[places + 1], self.references[places], self.keys[places] == wanted
        for begin, end, reference, is_known in zip(*(column.tolist() for column in columns), strict=True):
            yield (self.text[begin:end].decode(), self.names[reference]) if is_known else None


def item_cells(study: Study) -> ItemCells:
    keys, ends, references, text = array("q"), array("q", [0]), array("q"), bytearray()
    names: dict[str, int] = {}
    rows = study.items.order_by("pk").values_list("pk", "external_id", "kind", "reference")
    for pk, item, kind, reference in rows.iterator(chunk_size=CHUNK):
        text += f"{quoted(cell(item))},{kind}".encode()
        keys.append(pk)
        ends.append(len(text))
        references.append(names.setdefault(cell_line(reference), len(names)))
    return ItemCells(_whole(keys), _whole(ends), bytes(text), _whole(references), tuple(names))


def _whole(numbers: "array[int]") -> Ints:
    return np.frombuffer(numbers, dtype=np.int64)
