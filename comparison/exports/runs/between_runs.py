"""Runs beside one another, and each beside one person, one line a figure."""

from collections.abc import Iterator

from annotation.models import Study
from comparison.figures.file import Row, estimated, figure_rows
from comparison.frame.filters.selection import TARGETS, Selection
from comparison.frame.selected import Selected
from comparison.page.models_part.between_runs import BetweenRuns, PairLine
from comparison.page.reading import read_between_runs
from comparison.statistics.estimate import Estimate, counted


def between_rows(study: Study, selection: Selection) -> Iterator[Row]:
    return figure_rows(study, selection, between_lines)


def between_lines(chosen: Selected) -> Iterator[Row]:
    """From the section on. What is not held against majority or reference comes once."""
    panel = chosen.panel
    for target in TARGETS:
        found = read_between_runs(chosen, target=target)
        if found is None:
            return
        if target == TARGETS[0]:
            yield from _whatever_is_true(found, is_judged=not chosen.selection.no_nearest)
        if (panel.has_labels and not panel.no_majority) if target == TARGETS[0] else panel.has_references:
            yield from _q_lines(found)
            for line in found.pairs:
                yield from _pair_lines(line, target)


def _whatever_is_true(found: BetweenRuns, *, is_judged: bool) -> Iterator[Row]:
    named = {run.key: run for run in found.runs}
    for one in found.alike:
        head = ["between runs", named[one.one].name, named[one.one].family, named[one.other].name]
        yield [*head, "decide_alike", *estimated(one.same.accuracy, one.same.correct)]
        yield [*head, "cohen_kappa", *estimated(one.kappa)]
    for run, beside in found.beside:
        head = ["beside one person", run.name, run.family, "majority of the others"]
        for name, share in (("share_of_run", beside.run), ("share_of_one_person", beside.person)):
            if share is not None:
                yield [*head, name, *estimated(Estimate(share, n=beside.difference.n, unit="labels"))]
        yield [*head, "difference", *estimated(beside.difference, how=beside.verdict if is_judged else "")]


def _q_lines(found: BetweenRuns) -> Iterator[Row]:
    head, q = ["between runs", f"all {found.q_over}", "", found.target], found.q
    tail = [None, None, q.n, "items", q.telling, q.undefined]
    of = "groups of items" if q.by_groups else "items"
    note = f"{counted(q.runs, found.q_over[:-1])}; count is of the {of} that tell them apart"
    yield [*head, "cochran_q", q.q, *tail, note]
    yield [*head, "cochran_q_p", q.p, *tail, "; ".join(part for part in (q.how, q.form) if part)]


def _pair_lines(line: PairLine, target: str) -> Iterator[Row]:
    head = ["between runs", line.one.name, line.one.family, line.other.name]
    test = line.test.paired
    yield [*head, f"accuracy_difference:{target}", *estimated(line.difference)]
    note = f"only the first right: {test.only_one}; only the second: {test.only_other}"
    note += f"; {test.test}" if test.by_groups else ""
    tail = [None, None, test.n, "items", test.discordant, test.undefined]
    yield [*head, f"mcnemar_p:{target}", test.p, *tail, note]
    yield [*head, f"mcnemar_p_holm:{target}", line.test.held, *tail, f"over {line.test.of} pairs"]
