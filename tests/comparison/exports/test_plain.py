"""Exports are quick and give the same bytes as the plain way: a model object and a cell at a time."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from comparison.exports.cells import PIECE, cell_line, lines
from tests.comparison.exports.plain import differing, plain_lines, revise
from tests.either_database import found_by

VALUES = st.one_of(
    st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5), st.sampled_from("=+-@＝\t")
)


@pytest.mark.django_db
@pytest.mark.slow
def test_the_study_of_all_tests(study):
    assert differing(study) == []
    revise(study)
    assert differing(study) == []


@pytest.mark.slow
def test_on_either_database(tmp_path, either_url):
    found = found_by("tests.comparison.exports.plain", str(tmp_path), url=either_url)
    assert found == {"vendor": either_url.split(":")[0], "differing": []}


@given(st.lists(st.lists(VALUES, min_size=2, max_size=4), max_size=5))
@pytest.mark.slow
def test_any_cells(rows):
    assert "".join(lines(rows)) == plain_lines(rows)


@given(st.lists(st.lists(st.none() | st.text(max_size=5), min_size=2, max_size=4), max_size=5))
@pytest.mark.slow
def test_cells_that_are_written_already(rows):
    """Among others and by themselves."""
    tuples = [tuple(map(cell_line, row)) for row in rows]
    assert "".join(lines(tuples)) == plain_lines(rows)
    assert "".join(lines([["a", 1.5], *tuples])) == plain_lines([["a", 1.5], *rows])


def test_many_lines_come_in_pieces():
    rows = [[number, "a"] for number in range(PIECE + 1)]
    pieces = list(lines(rows))
    assert [piece.count("\n") for piece in pieces] == [PIECE, 1]
    assert "".join(pieces) == plain_lines(rows)
