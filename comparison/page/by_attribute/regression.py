"""Being right by several attributes at once: which of them a plain logistic regression takes, and why not others."""

from dataclasses import dataclass

from comparison.frame.filters.columns import numbers
from comparison.frame.filters.selection import Selection
from comparison.frame.outline import Outline
from comparison.frame.panel import Panel
from comparison.statistics.by_attribute.logistic import Regression, regress


@dataclass(frozen=True, slots=True)
class Predictors:
    """`names` are in the model; `lacked` are not: nobody chose them, and so many of the study's `items` lack them."""

    names: tuple[str, ...]
    items: int
    lacked: tuple[tuple[str, int], ...] = ()

    @property
    def words(self) -> str:
        every = ", ".join(f"{name} ({lack:,} of {self.items:,})" for name, lack in self.lacked)
        return f"not in the model unless chosen, since items of the study lack them: {every}" if every else ""


def predictors_of(found: Outline, asked: Selection) -> Predictors:
    """Those that are asked for; else the attribute of the page and all numbers, but for those that any item lacks.

    One rare number would take from the model all items without it. A value of a category takes none: its lack is one.
    """
    if asked.predictors:
        return Predictors(tuple(name for name in found.predicting if name in asked.predictors), found.items)
    wanted = [name for name in found.predicting if name in (asked.by, *found.numeric)]
    return Predictors(
        tuple(name for name in wanted if name not in found.lacked),
        found.items,
        tuple((name, found.lacked[name]) for name in wanted if name in found.lacked),
    )


def regression_of(panel: Panel, whole: Panel, asked: Selection, names: tuple[str, ...], *, run: str) -> Regression:
    """Of one run against the truth that is asked for; values that are taken as one are one."""
    classes = {}
    for name in names:
        if name not in panel.numeric:
            classes[name] = asked.taken(whole).of(panel) if name == asked.by else panel.attributes[name]
    found = {name: numbers(panel, name) for name in names if name in panel.numeric}
    return regress(panel.decided(run), panel.true(asked.against), found, classes, sample=panel.sample)


def remarks(found: Regression, chosen: Predictors) -> tuple[str, ...]:
    """What stands beside all figures of a model, in the file as on the page."""
    return tuple(words for words in (found.note, found.left_out.words, chosen.words) if words)
