"""docs/papers/altboolq.md, on some of BoolQ's rows."""

import pytest

from stimuli.constructions.altboolq import vectors
from tests.papers.commands import Cut, check_columns, run_page
from tests.scoring.scorers.weights import MODELS_DIR, needs_weights

pytestmark = [pytest.mark.slow, needs_weights]
SLICES = {"boolq/dev_first2000.jsonl": Cut(step=80)}
FIGURE = {"value", "low", "high", "n", "n_counts", "undefined"}
COLUMNS = {
    "side-by-side.csv": {"item", "text:shen-boolq", "text:shen-altboolq", "reference:shen-altboolq"},
    "table.csv": {"study", "rater", "estimate", "low", "high", "n", "count", "pooled_from"},
    "two-studies.csv": FIGURE | {"study", "other_study", "rater", "statistic"},
}


def test_its_commands_make_its_tables(installation, monkeypatch):
    fitted = vectors._fitted
    # From one start in place of five: which clusters there are is not looked at.
    monkeypatch.setattr(vectors, "_fitted", lambda *given, **more: fitted(*given, **more | {"n_init": 1}))
    out = run_page("altboolq", SLICES, installation, MODELS=str(MODELS_DIR))
    check_columns(out, COLUMNS)
    assert {path.name for path in (out / "words").iterdir()} == {"quality.csv", "words.svg", "words.csv"}
    clusters = {"quality.csv", "words.svg", "words.csv", "bic.svg", "bic.csv"}
    assert {path.name for path in (out / "clusters").iterdir()} == clusters
