"""How far people agree: how many items they agree on, by label, and the coefficients.

Those on top of the page are of FINDINGS; this figure has the others, which cost more.
"""

from collections.abc import Iterator

import numpy as np
from django.db.models import Exists, OuterRef, QuerySet
from pydantic import TypeAdapter

from annotation.models import Assignment, Item, RepeatedLabel, Study
from comparison.figures.figure import Chart, Figure, synthetic
from comparison.figures.file import Row, estimated
from comparison.figures.findings import FINDINGS
from comparison.figures.people.coefficients import Named, others, with_oneself
from comparison.figures.table import BOTH, Statistic, Table
from comparison.frame.coded import Coded, coded
from comparison.frame.panel import Panel
from comparison.frame.selected import Selected
from comparison.pictures.charts import PEOPLE, SYNTHETIC, Dot, dot_plot


def _compute(chosen: Selected, repeated: int) -> tuple[Named, ...]:
    """`repeated` labels were given once more: without any, nobody is held against themselves."""
    panel = chosen.panel
    coefficients = others(panel, coded(panel.people, items=list(panel.items), values=panel.values))
    again = _repeated(chosen.study, panel, coarse=chosen.asked.coarse) if repeated else None
    return coefficients if again is None else (*coefficients, *with_oneself(panel, again))


def _repeats(study: Study) -> QuerySet[RepeatedLabel]:
    """Few are: each is looked up in its study. A join would go through a large study's assignments to find none."""
    assigned = Assignment.objects.filter(pk=OuterRef("assignment_id"), sitting__study=study)
    return RepeatedLabel.objects.filter(Exists(assigned))


def _repeated(study: Study, panel: Panel, *, coarse: bool) -> Coded | None:
    """Every label of each annotator on each of the panel's items that they labeled more than once, in their order.

    None where the study has no such label. Of excluded annotators none is read.
    """
    counted = RepeatedLabel.objects.filter(
        assignment__sitting__study=study,
        assignment__state=Assignment.State.COUNTED,
        assignment__item__kind=Item.Kind.TARGET,
    ).order_by("assignment_id", "turn")
    # The assignment, its item and annotator, the first label, and one after it.
    read = counted.values_list(
        "assignment_id", "assignment__item__external_id", "assignment__annotator_id", "assignment__judgment__answer",
        "answer",
    )  # fmt: skip
    merging = study.task.scale.coarse if coarse else {}
    items = {name: place for place, name in enumerate(panel.items)}
    codes = {value: code for code, value in enumerate(panel.values)}
    rows: list[tuple[int, int, int]] = []
    before, has_repeats = None, False
    for assignment, item, who, first, again in read.iterator(chunk_size=2000):
        has_repeats = True
        if item not in items:
            continue
        answers = [again] if assignment == before else [first, again]
        rows += [(items[item], who, codes[merging.get(answer, answer)]) for answer in answers]
        before = assignment
    if not has_repeats:
        return None
    table = np.array(rows, dtype=np.int64).reshape(-1, 3)
    people, raters = np.unique(table[:, 1], return_inverse=True)
    return Coded(table[:, 0], np.asarray(raters, dtype=np.int64), table[:, 2], tuple(map(str, people)))


def _lines(chosen: Selected) -> Iterator[Row]:
    findings, values = FINDINGS.read(chosen), chosen.outline.values
    # Where the items were chosen by what these figures are of.
    warning = chosen.selection.no_agreement
    counts = findings.counts
    start = ["agreement counts", "people", "", ""]
    shares = [
        ("unanimous", counts.unanimous, counts.share_unanimous),
        ("majority", counts.majority, counts.share_majority),
        ("no_agreement", counts.none, counts.share_none),
    ]
    for kind, count, share in shares:
        yield [*start, kind, *estimated(share, count)]
    for kind, count in (("lone_label", counts.lone), ("unlabeled", counts.unlabeled)):
        yield [*start, kind, None, None, None, findings.items, "items", count, "", ""]
    for label in counts.by_label:
        yield [*start, f"items:{label.value}", *estimated(label.share, label.items)]
        yield [*start, f"unanimous:{label.value}", *estimated(label.share_unanimous, label.unanimous)]
        yield [*start, f"majority:{label.value}", *estimated(label.share_majority, label.majority)]
    used = findings.most_used
    if used.share.value is not None:
        yield ["agreement", "people", "", "", f"most_used_label:{values[used.code]}", *estimated(used.share)]
    for coefficient in (*findings.agreement, *AGREEMENT.read(chosen)):
        yield ["agreement", "people", "", "", coefficient.key, *estimated(coefficient.estimate, how=warning)]


def _tables(chosen: Selected) -> Iterator[Table]:
    if not chosen.outline.has_labels:
        return
    yield Table(
        name="coefficients",
        title="Other coefficients of agreement",
        columns=("Statistic", "Value"),
        rows=tuple((Statistic(one.name, one.key), one.estimate) for one in AGREEMENT.read(chosen)),
        rests_on="n counts items, or what is named with it",
        method=f"{BOTH}, over items and for these annotators unless marked otherwise; "
        "Conger’s κ, means over pairs and coefficients over annotators by the jackknife",
        is_sortable=False,
    )


def on_top(chosen: Selected) -> tuple[Named, ...]:
    """What the page shows first, and the coefficient by which the verdict says how far people agree."""
    coefficients, alike = FINDINGS.read(chosen).agreement, chosen.verdict.people.alike
    return coefficients if alike is None else (*coefficients, Named("brennan_prediger", "Brennan–Prediger κ", alike))


def _charts(chosen: Selected) -> dict[str, Chart]:
    if not chosen.outline.has_labels:
        return {}
    people = chosen.study.people
    kind = SYNTHETIC if people.are_synthetic else PEOPLE
    coefficients = on_top(chosen)
    low = min(
        (end for one in coefficients for end in (one.estimate.low, one.estimate.value) if end is not None), default=0.0
    )
    dots = [Dot.of(one.name, people.many, kind, one.estimate) for one in coefficients]
    domain = (-1.0 if low < 0 else 0.0, 1.0)
    spec = dot_plot(dots, axis="Agreement", band=None, domain=domain, title=synthetic(people))
    return Chart.of("coefficients", spec, "Coefficients of agreement, with 95 % intervals over items.")


AGREEMENT = Figure(
    key="agreement",
    part="people",
    title="Inter-annotator agreement",
    shape=TypeAdapter(tuple[Named, ...]),
    rests_on=lambda chosen: (_repeats(chosen.study).count(),),
    compute=_compute,
    tables=_tables,
    charts=_charts,
    lines=_lines,
)
