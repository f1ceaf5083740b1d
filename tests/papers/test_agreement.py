"""docs/papers/agreement.md, on some pairs of every construction and paradigm."""

import pytest

from tests.papers.commands import Cut, check_columns, run_page
from tests.scoring.scorers.weights import needs_weights

pytestmark = [pytest.mark.slow, needs_weights]
SLICES = {
    "marvin_linzen/simple_agrmt.tsv": Cut(step=4),
    "marvin_linzen/marvin_linzen_small.tsv": Cut(step=40),
    "colorless_green_bert/generated.tab": Cut(head=1, together=2, step=10),
    "blimp/data": Cut(count=6),
}
FIGURE = {"value", "low", "high", "n", "n_counts", "undefined"}
BREAKDOWN = {"attribute", "value", "items", "rater", "against", "statistic", "estimate", "low", "high", "n", "count"}
COLUMNS = {
    "pairs.csv": {"item", "run", "sentence", "correct", "p_correct", "incorrect", "p_incorrect", "decision"},
    "right.csv": {"item", "text", "reference", "attribute:template"},
    "wrong.csv": {"item", "text", "reference", "attribute:template"},
    "by-template.csv": BREAKDOWN,
    "by-phenomenon.csv": BREAKDOWN,
    "phenomenon-by-number.csv": FIGURE | {"row", "column", "count"},
    "between-phenomena.csv": FIGURE | {"values", "test", "chi_squared", "p", "p_holm"},
    "colorless.csv": BREAKDOWN,
    "colorless-by-type.csv": BREAKDOWN,
    "families.csv": FIGURE | {"row", "column", "count"},
    "attraction.csv": BREAKDOWN,
    "attraction-test.csv": FIGURE | {"values", "test", "chi_squared", "p", "p_holm"},
    "blimp.csv": FIGURE | {"row", "column", "count"},
}


def test_its_commands_make_its_tables(thin_installation):
    out = run_page("agreement", SLICES, thin_installation, SETS="1")
    check_columns(out, COLUMNS)
