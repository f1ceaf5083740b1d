"""Surprisal is the same number in bits."""

import json
import math

import pytest
from django.urls import reverse
from hypothesis import given
from hypothesis import strategies as st

from comparison.exports.stored.scores import of_options
from comparison.statistics.divergence import bits
from tests.comparison.page.visiting import file_rows


@pytest.mark.parametrize(("probability", "expected"), [(1, 0), (1 / 2, 1), (1 / 8, 3), (1 / 1024, 10)])
def test_half_a_chance_is_one_bit(probability, expected):
    assert bits(math.log(probability)) == pytest.approx(expected)


def test_a_certain_event_has_no_negative_zero():
    assert math.copysign(1, bits(0.0)) == 1


@given(st.floats(-1e6, 0), st.floats(-1e6, 0))
def test_it_adds_up_as_log_probabilities_do(one, other):
    assert bits(one + other) == pytest.approx(bits(one) + bits(other))
    assert 2.0 ** -bits(one) == pytest.approx(math.exp(one))


def test_of_a_score():
    half = -math.log(2)
    detail = {
        "options": {
            "sentence": {"text": "A lamp.", "logprob": 3 * half, "tokens": [["A", half], ["lamp", 2 * half]]},
            "word": {"text": "lamp", "logprob": half, "rank": 2},
            "nothing": {"text": "lamp"},
        }
    }
    found = of_options(detail)
    assert list(found) == ["sentence", "word"]
    assert found["sentence"]["bits"] == pytest.approx(3)
    assert found["sentence"]["tokens"] == [["A", pytest.approx(1)], ["lamp", pytest.approx(2)]]
    assert found["word"] == {"bits": pytest.approx(1)}
    assert of_options({"probabilities": {"yes": 0.4}}) == {}


def test_the_scores_file_has_it_beside_the_detail(logged_in, study):
    rows = file_rows(logged_in, study.slug, "scores")
    scored = next(row for row in rows if row["model"] == "smol" and row["strength"] == "2")
    found = json.loads(scored["surprisal_bits"])
    assert found["modified"]["bits"] == pytest.approx(18 / math.log(2))
    assert found["original"]["tokens"] == [
        ["A", pytest.approx(1 / math.log(2))],
        ["lamp", pytest.approx(19 / math.log(2))],
    ]
    assert {row["surprisal_bits"] for row in rows if row["model"] != "smol" or row["unscored"]} == {""}


@pytest.mark.slow
def test_the_items_page_has_it_beside_each_token(logged_in, study):
    page = logged_in.get(reverse("comparison_item", args=[study.slug, "target-3"])).content.decode()
    assert '<th scope="col" class="number">Surprisal, bits</th>' in page
    # ln p = −20 and −18 for the two sentences, −19 for the token.
    for number in ("28.854", "25.969", "27.41"):
        assert f'<td class="number">{number}</td>' in page
