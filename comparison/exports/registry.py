"""Every download of a study: rows as they are stored, items, the report, and the files of figures; and the same by what
a reader wants: labels, answers of models, or figures of one part of the results.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from comparison.exports.items_lines import ITEMS
from comparison.exports.report import REPORT
from comparison.exports.stored.judgments import JUDGMENTS
from comparison.exports.stored.people import ADJUDICATIONS, PARTICIPANTS, PAYMENTS, REPORTS
from comparison.exports.stored.scores import PAIRS, SCORES
from comparison.figures.file import Export, File
from comparison.figures.registry import FIGURES

FILES: dict[str, File] = {
    one.key: one
    for one in (
        JUDGMENTS, PAYMENTS, SCORES, PAIRS, PARTICIPANTS, ADJUDICATIONS, REPORTS, ITEMS, REPORT,
        *(figure.file for figure in FIGURES if figure.file is not None),
    )
}  # fmt: skip
# In the report's folder, as CSV and Parquet.
IN_REPORT = tuple(one.key for one in FILES.values() if one.is_in_report)
SHARED = {one.key: one for one in FILES.values() if one.is_shared}


def export(what: str) -> Export:
    """The rows of the download of that name; LookupError, listing those there are, if it is unknown."""
    if what not in FILES:
        raise LookupError(f"Unknown export {what!r}. Exports: {', '.join(sorted(FILES))}.")
    return FILES[what].rows


LABELS, ANSWERS, PEOPLE, MODELS, ATTRIBUTES = (
    "Labels and annotators", "Items and models’ answers", "Statistics on people", "Statistics on models",
    "Statistics by attribute",
)  # fmt: skip
GROUPS = (LABELS, ANSWERS, PEOPLE, MODELS, ATTRIBUTES)
OF_PART = {"people": PEOPLE, "breakdown": ATTRIBUTES}
BY_KEY = {
    **{one.key: ANSWERS for one in (ITEMS, SCORES, PAIRS)},
    **{one.file.key: OF_PART.get(one.part, MODELS) for one in FIGURES if one.file is not None},
    REPORT.key: MODELS,
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """`files` with what each holds, in words."""

    name: str
    files: tuple[tuple[File, str], ...]


def wanted(files: Iterable[tuple[File, str]]) -> list[Wanted]:
    """Every file once; a group without any is left out."""
    by_group: dict[str, list[tuple[File, str]]] = {name: [] for name in GROUPS}
    for file, words in files:
        by_group[BY_KEY.get(file.key, LABELS)].append((file, words))
    return [Wanted(name, tuple(inside)) for name, inside in by_group.items() if inside]
