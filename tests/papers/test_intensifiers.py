"""docs/papers/intensifiers.md, on every fifth line of the published sheet."""

import pytest

from tests.papers.commands import Cut, columns, run_page
from tests.scoring.scorers.weights import needs_weights

pytestmark = [pytest.mark.slow, needs_weights]
SLICES = {"intensifiers/items_bert_large_cased.csv": Cut(head=1, step=5)}


def test_its_commands_make_its_tables(installation):
    out = run_page("intensifiers", SLICES, installation)
    assert {"run", "attribute", "value", "statistic"} <= set(columns(out / "ranks-by-adverb.csv"))
