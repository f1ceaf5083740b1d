"""Being right by several attributes at once: which of them a plain logistic regression takes, and why not others."""

from collections.abc import Iterator
from dataclasses import dataclass

from pydantic import TypeAdapter

from comparison.figures.by_attribute.attribute import ByAttribute, deciding
from comparison.figures.figure import Figure
from comparison.figures.file import CELLS, Download, Row, estimated
from comparison.figures.table import Column, Number, Table
from comparison.frame.filters.columns import numbers
from comparison.frame.filters.selection import Selection
from comparison.frame.outline import Outline
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected
from comparison.statistics.by_attribute.logistic import Factor, Regression, regress


@dataclass(frozen=True, slots=True)
class Predictors:
    """`names` are in the model; `lacked` are not: nobody chose them, and so many of the study's `items` lack them."""

    names: tuple[str, ...]
    items: int
    lacked: tuple[tuple[str, int], ...] = ()

    @property
    def words(self) -> str:
        every = ", ".join(f"{name} ({lack:,} of {self.items:,})" for name, lack in self.lacked)
        return f"not in the model unless chosen, because some items lack them: {every}" if every else ""


def predictors_of(outline: Outline, selection: Selection) -> Predictors:
    """Those that are asked for; else the attribute of the page and all numbers, but for those that any item lacks.

    One rare number would take from the model all items without it. A value of a category takes none: its lack is one.
    """
    if selection.predictors:
        return Predictors(tuple(name for name in outline.predicting if name in selection.predictors), outline.items)
    candidates = [name for name in outline.predicting if name in (selection.by, *outline.numeric)]
    return Predictors(
        tuple(name for name in candidates if name not in outline.lacked),
        outline.items,
        tuple((name, outline.lacked[name]) for name in candidates if name in outline.lacked),
    )


def regression_of(panel: Panel, whole: Panel, selection: Selection, names: tuple[str, ...], *, run: str) -> Regression:
    """Of one run against the truth that is asked for; values that are taken as one are one."""
    classes = {}
    for name in names:
        if name not in panel.numeric:
            classes[name] = selection.taken(whole).of(panel) if name == selection.by else panel.attributes[name]
    numeric = {name: numbers(panel, name) for name in names if name in panel.numeric}
    return regress(panel.decided(run), panel.true(selection.against), numeric, classes, sample=panel.sample)


@dataclass(frozen=True, slots=True)
class Model:
    """What a run's being right was fitted by, and what came of it."""

    predictors: Predictors
    found: Regression

    @property
    def remarks(self) -> tuple[str, ...]:
        """What stands beside all figures of a model, in the file as on the page."""
        return tuple(words for words in (self.found.note, self.found.left_out.words, self.predictors.words) if words)


def model_of(chosen: Selected, *, run: str) -> Model:
    predictors = predictors_of(chosen.outline, chosen.selection)
    regression = regression_of(chosen.panel, chosen.whole, chosen.selection, predictors.names, run=run)
    return Model(predictors, regression)


# --- The figure -------------------------------------------------------------------------------------


def _compute(
    chosen: Selected, taking: tuple[object, ...], against: str, run: str, names: tuple[str, ...]
) -> Model | None:
    if not against or not run or not chosen.outline.predicting:
        return None
    return model_of(chosen, run=run)


def _rests_on(chosen: Selected) -> tuple[object, ...]:
    by, names = ByAttribute(chosen), predictors_of(chosen.outline, chosen.selection).names
    return chosen.selection.taking, by.against, by.run_key, names


def _tables(chosen: Selected) -> Iterator[Table]:
    model, run = REGRESSION.read(chosen), ByAttribute(chosen).run
    if model is None or run is None or model.found.undefined:
        return
    regression = model.found
    yield Table(
        name="regression",
        title=f"Odds ratios of a right answer, {run.title}",
        columns=(Column("Attribute", term="regression"), "Odds ratio", "p"),
        rows=tuple((_of(one), one.odds, Number(one.p, one.p_words)) for one in regression.factors),
        rests_on="Logistic regression of right answers, without random effects; "
        f"{regression.right:,} of {regression.n:,} items are right"
        f"{''.join(f'. {words[:1].upper()}{words[1:]}' for words in model.remarks)}",
        method="Brackets are 95 % intervals",
        is_sortable=False,
    )


def _answer(chosen: Selected) -> str | None:
    model = REGRESSION.read(chosen)
    return None if model is None else ", ".join(model.predictors.names) or "none"


def _of(one: Factor) -> str:
    return f"{one.attribute}: {one.value} vs. {one.beside}" if one.value else f"{one.attribute}, {one.more}"


def _lines(chosen: Selected) -> Iterator[Row]:
    """The odds ratios of every run, or of the one that is named; why there is no model, where there is none."""
    for run in deciding(chosen):
        model = model_of(chosen, run=run.key)
        regression, line = model.found, [run.title, chosen.selection.against]
        how = "; ".join(["plain logistic regression", *model.remarks])
        if regression.undefined:
            cells = [None, None, None, regression.n, "items", regression.right, regression.undefined, how, None]
            yield [*line, "", "", "", "odds_ratio", *cells]
        for one in regression.factors:
            cells = estimated(one.odds, regression.right, how=how)
            yield [*line, one.attribute, one.value or one.more, one.beside, "odds_ratio", *cells, one.p]


REGRESSION = Figure(
    key="regression",
    part="breakdown",
    title="Logistic regression",
    shape=TypeAdapter(Model | None),
    rests_on=_rests_on,
    compute=_compute,
    answer=_answer,
    tables=_tables,
    download=Download(
        says="odds ratios of a right answer",
        line="an odds ratio of a run's logistic regression",
        columns=("run", "against", "attribute", "of", "beside", "statistic", *CELLS, "p"),
        lines=_lines,
    ),
)
