"""The picture of ranks says by itself whose they are and what its marks mean: it leaves its page as a file."""

import json

import altair as alt
import numpy as np
import pytest

from comparison.bundle.figures import draw
from comparison.figures.models.ranks import ALL, RankPage
from comparison.statistics.strengths.ranks import rank_row, rank_rows
from scoring.ranks import Ranks

CONTEXT = Ranks(np.array([1.0, 4.0, 2.0, 9.0]), np.array([3.0, 2.0, 8.0, 5.0]))
NEUTRAL = Ranks(np.array([5.0, 4.0, 2.0, 9.0]), np.array([3.0, 2.0, 8.0, 5.0]))
AS_THEY_STAND, ALONE = "items in context, with 95 % interval", "neutral context, with 95 % interval"


def page_of(neutral):
    rows = rank_rows(["really", "really", "rather", "rather"], CONTEXT, neutral)
    runs = (("1", "owl · cloze", rank_row(ALL, CONTEXT, neutral)),)
    return RankPage("plausible", "implausible", runs, "1", "owl · cloze", "adverb", rows, 2)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("neutral", "said", "unsaid"), [(NEUTRAL, [AS_THEY_STAND, ALONE], []), (None, [AS_THEY_STAND], [ALONE])]
)
def test_the_file_names_the_run_and_each_kind_of_mark(neutral, said, unsaid):
    spec = page_of(neutral).figure
    alt.LayerChart.validate(spec)
    drawn = draw(spec, "svg", note="").decode()
    assert ">owl · cloze<" in drawn
    assert [drawn.count(f">{words}<") for words in said] == [1] * len(said)
    assert not [words for words in unsaid if words in json.dumps(spec)]
