"""The annotators who are shown as raters of their own, lined up with a panel's items. Free of Django."""

from collections.abc import Sequence
from dataclasses import dataclass

from comparison.frame.coded import coded
from comparison.frame.panel import Panel
from comparison.statistics.accuracy.ceiling import labels_of_rater, without
from comparison.statistics.counts import Ints

# So many at most are shown without being asked for.
FEW = 5
# So many at most can be asked for: each two of them are compared.
MOST = 10


@dataclass(frozen=True, slots=True)
class Assessor:
    """`key` is the number by which files know the annotator, `name` what the imported file calls them, if one does."""

    key: str
    name: str

    def title(self, one: str) -> str:
        """Beside runs; `one` is what the study calls one of those who label.

        >>> Assessor("a7", "Anna").title("person")
        'one person · Anna'
        """
        return f"one {one} · {self.name}"


@dataclass(frozen=True, eq=False)
class AssessorColumn:
    """One annotator's labels as codes, shape (items,), and all others' counted, shape (items, values)."""

    assessor: Assessor
    decided: Ints
    others: Ints


def few_assessors(panel: Panel) -> tuple[str, ...]:
    """The numbers of all who labeled, where they are FEW at most; empty where they are more."""
    keys = [str(one) for one in panel.people["rater"].unique()]
    return tuple(sorted(keys, key=lambda key: (len(key), key))) if len(keys) <= FEW else ()


def assessor_columns(panel: Panel, assessors: Sequence[Assessor]) -> tuple[AssessorColumn, ...]:
    """The labels of each on the panel's items; of one who labeled none of these, nothing but MISSING."""
    if not assessors:
        return ()
    labels = coded(panel.people, items=list(panel.items), values=panel.values)
    numbers = {name: number for number, name in enumerate(labels.names)}
    columns = (labels.items, labels.raters, labels.labels)
    return tuple(
        AssessorColumn(
            one,
            labels_of_rater(*columns, rater=numbers.get(one.key, -1), size=len(panel.items)),
            without(panel.counts, *columns, gone=[numbers.get(one.key, -1)]),
        )
        for one in assessors
    )
