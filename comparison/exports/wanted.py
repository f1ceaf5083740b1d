"""The downloads by what a reader wants: labels, answers of models, or figures of one part of the results."""

from collections.abc import Iterable
from dataclasses import dataclass

from comparison.exports.items_lines import ITEMS
from comparison.exports.report import REPORT
from comparison.exports.stored.scores import PAIRS, SCORES
from comparison.figures.file import File
from comparison.figures.registry import FIGURES

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
