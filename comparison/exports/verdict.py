"""The verdict in the report: each sentence, and for each compared run its figures, one line each."""

from collections.abc import Iterator

from comparison.figures.file import Row, estimated
from comparison.statistics.verdict.measure import RHO
from comparison.statistics.verdict.parts import Placed, Verdict
from comparison.statistics.verdict.rare import Rare


def verdict_lines(found: Verdict, *, is_judged: bool) -> Iterator[Row]:
    """From the section on: section, rater, family, against, statistic, then the cells of an estimate.

    Where runs may not be judged on these items, no rank and no test of theirs is among them.
    """
    against = found.against
    for one in found.said:
        yield ["verdict", "", "", against, one.part, None, None, None, None, "", None, "", one.text]
    if not found.runs.placed:
        return
    yield _number(found, "", "chance_level", found.runs.chance)
    if found.runs.constant is not None:
        always = f"always {found.words[found.runs.constant.code]}"
        yield _number(found, "", "best_constant", found.runs.constant.value, note=always)
    yield [
        "verdict",
        "people, split halves" if found.measure == RHO else "one person",
        "",
        against,
        _shared(found),
        *estimated(found.runs.person),
    ]
    for placed in found.runs.placed:
        yield from _placed_lines(found, placed, is_judged=is_judged)
    if is_judged and found.runs.rare is not None:
        yield from _rare_lines(found, found.runs.rare)


def _rare_lines(found: Verdict, rare: Rare) -> Iterator[Row]:
    """Who finds the rarest class."""
    for one in rare.finders:
        head = ["verdict", one.name, "", found.against]
        label = found.words[rare.code]
        yield [*head, "recall_of_rare", *estimated(one.recall, how=label)]
        yield [*head, "precision_of_rare", *estimated(one.precision, how=label)]
        yield _number(found, one.name, "p_rare_not_found", one.p, note="one-sided, Holm")


def _placed_lines(found: Verdict, one: Placed, *, is_judged: bool) -> Iterator[Row]:
    head = ["verdict", one.name, "baseline" if one.is_baseline else "", found.against]
    yield [*head, _shared(found), *estimated(one.value, how=one.how)]
    if not is_judged:
        return
    if one.rank is not None:
        yield [*head, "rank", None, *one.rank, found.runs.items, "items", None, "", "range among the models"]
    if one.best is not None:
        yield _number(found, one.name, "first_in_resamples", one.best)
        yield _number(found, one.name, "cannot_be_told_from_best", float(one.nearest))
    if one.how:
        yield _number(found, one.name, "chance_level", one.chance, note="the same labels, shuffled across items")
    note = "two-sided, Holm" if found.measure == RHO else "one-sided, Holm"
    yield _number(found, one.name, "p_no_better_than_chance", one.over_chance, note=note)
    yield _number(found, one.name, "p_no_better_than_shuffled", one.over_dealt, note=note)
    if one.under_constant is not None:
        yield _number(found, one.name, "p_constant_no_better", one.under_constant, note="one-sided, Holm")
    if one.nearest and one.joint != one.value:
        how = "95 % for all nearest at once"
        yield [*head, f"{_shared(found)}_at_once", *estimated(one.joint, how=how)]
    yield [*head, "nearer_than_one_person", *estimated(one.beside)]


def _number(found: Verdict, rater: str, statistic: str, value: float, *, note: str = "") -> Row:
    line = ["verdict", rater, "", found.against, statistic]
    return [*line, value, None, None, found.runs.items, "items", None, "", note]


def _shared(found: Verdict) -> str:
    """Not to be taken for the measure on all items that one run has labeled."""
    return f"{found.measure}_on_shared_items"
