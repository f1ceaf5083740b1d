"""Where items have groups, pages say what was computed by groups; where they have none, nothing is said of groups."""

import pytest

from comparison.bundle.words.facts import read_facts
from comparison.bundle.words.methods import methods
from comparison.exports.registry import export
from comparison.frame.filters.selection import Selection
from comparison.frame.selected import select
from comparison.page.page import Page
from tests.comparison.page.visiting import page, words

MCNEMAR = "McNemar’s exact test, by groups of items (permutation of whole groups)"
COCHRAN = "by groups of items (a group’s sum stands for its items)"


def methods_of(study) -> str:
    found = Page(select(study, Selection()))
    return methods(found, read_facts(study, attributes=()))


@pytest.mark.slow
def test_tests_between_runs_are_named_by_what_was_computed(logged_in, grouped_study):
    said = words(page(logged_in, grouped_study, "between-runs"))
    assert f"p is {MCNEMAR}" in said
    assert COCHRAN in said
    cells = [str(cell) for row in export("between-runs")(grouped_study, Selection()) for cell in row]
    assert any(MCNEMAR in cell for cell in cells)
    assert any(COCHRAN in cell for cell in cells)
    assert "permutation of whole groups" in methods_of(grouped_study)


@pytest.mark.slow
def test_without_groups_the_plain_forms_are_named(logged_in, study):
    assert "by groups of items" not in words(page(logged_in, study, "between-runs"))
    assert "permutation of whole groups" not in methods_of(study)


@pytest.mark.slow
def test_collecting_says_that_a_group_counts_once(logged_in, grouped_study):
    said = words(page(logged_in, grouped_study, "people"))
    assert "a group of items counts once (3 groups and single items): by its first item for accuracy" in said


@pytest.mark.slow
def test_without_groups_collecting_says_nothing_of_them(logged_in, study):
    assert "group of items counts once" not in words(page(logged_in, study, "people"))
