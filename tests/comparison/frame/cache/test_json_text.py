"""Figures as JSON text and back: every bit of a number, and no other shape."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import TypeAdapter

from comparison.figures.findings import FINDINGS, Findings, find
from comparison.frame.cache.remembered import from_text, to_text
from comparison.frame.reading import read_panel
from comparison.statistics.accuracy.hits import Hits
from comparison.statistics.estimate import Estimate
from comparison.statistics.strengths.cut_points import Cuts

FINITE = st.floats(allow_nan=False, allow_infinity=False)
WORDS = st.sampled_from(["ρ = −.5", 'a "quoted"\nline', "\0 and \ud7ff", "none"])
COUNTS = st.integers(0, 2**60)
UNDEFINED = st.builds(Estimate, st.none(), n=COUNTS, undefined=WORDS)
WITH_INTERVAL = st.builds(Estimate, FINITE, FINITE, FINITE, n=COUNTS, note=WORDS, unit=WORDS)
WITHOUT = st.builds(Estimate, FINITE, n=COUNTS, no_interval=WORDS)
ESTIMATES = UNDEFINED | WITH_INTERVAL | WITHOUT
CUTS = st.builds(Cuts, COUNTS, st.lists(st.floats(allow_nan=False), max_size=4).map(tuple), WORDS)
ROW = tuple[Estimate | None, Cuts, Hits]


@pytest.mark.slow
@given(st.tuples(st.none() | ESTIMATES, CUTS, st.builds(Hits, COUNTS, COUNTS, ESTIMATES)))
def test_nothing_is_lost(row):
    shape: TypeAdapter[ROW] = TypeAdapter(ROW)
    back = from_text(shape, to_text(shape, row))
    # The same by value, and in print: −0.0 is no 0.0 there, and 1 no 1.0.
    assert back == row
    assert repr(back) == repr(row)


@pytest.mark.slow
@given(st.floats(allow_nan=False))
def test_a_float_keeps_every_bit(number):
    shape = TypeAdapter(float)
    back = from_text(shape, to_text(shape, number))
    assert (back, math.copysign(1, back)) == (number, math.copysign(1, number))


def test_numpys_numbers_become_plain():
    shape = TypeAdapter(Cuts)
    back = from_text(shape, to_text(shape, Cuts(np.int64(3), (np.float64(0.1), np.float32(0.5)))))  # type: ignore[arg-type]
    assert repr(back) == "Cuts(n=3, places=(0.1, 0.5), undefined='')"


def test_what_has_no_place_in_json_is_refused():
    with pytest.raises(TypeError, match="set has no place"):
        to_text(TypeAdapter(object), {1, 2})


@pytest.mark.parametrize("text", ['{"value": 1.0, "n": "many"}', '{"n": 3}', "[", '{"value": null}', "null"])
def test_another_shape_is_refused(text):
    with pytest.raises(ValueError, match=r"validation error|Expecting"):
        from_text(TypeAdapter(Estimate), text)


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["study", "cut_study", "asked_study", "synthetic_study", "bare_study"])
def test_all_findings_of_a_study_survive(name, request):
    found: Findings = find(read_panel(request.getfixturevalue(name), coarse=False))
    shape = FINDINGS.shape
    assert shape is not None
    back = from_text(shape, to_text(shape, found))
    assert back == found
    assert repr(back) == repr(found)
