"""Being right by several attributes at once: which of them a plain logistic regression takes."""

from comparison.frame.filters.columns import numbers
from comparison.frame.filters.selection import Selection
from comparison.frame.outline import Outline
from comparison.frame.panel import Panel
from comparison.statistics.by_attribute.logistic import Regression, regress


def chosen_of(found: Outline, asked: Selection) -> tuple[str, ...]:
    """Those that are asked for; else the attribute of the page and all numbers."""
    wanted = asked.predictors or (asked.by, *found.numeric)
    return tuple(name for name in found.predicting if name in wanted)


def regression_of(panel: Panel, whole: Panel, asked: Selection, names: tuple[str, ...], *, run: str) -> Regression:
    """Of one run against the truth that is asked for; values that are taken as one are one."""
    classes = {}
    for name in names:
        if name not in panel.numeric:
            classes[name] = asked.taken(whole).of(panel) if name == asked.by else panel.attributes[name]
    found = {name: numbers(panel, name) for name in names if name in panel.numeric}
    return regress(panel.decided(run), panel.true(asked.against), found, classes, sample=panel.sample)
