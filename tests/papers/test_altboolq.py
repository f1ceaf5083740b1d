"""docs/papers/altboolq.md, on some of BoolQ's rows."""

from functools import partial

import pytest
from sklearn import manifold

from stimuli.constructions.altboolq import vectors
from tests.papers.commands import Cut, check_columns, run_page
from tests.scoring.scorers.weights import needs_weights

pytestmark = [pytest.mark.slow, needs_weights]
SLICES = {"boolq/dev_first2000.jsonl": Cut(step=160)}
FIGURE = {"value", "low", "high", "n", "n_counts", "undefined"}
COLUMNS = {
    "side-by-side.csv": {"item", "text:shen-boolq", "text:shen-altboolq", "reference:shen-altboolq"},
    "table.csv": {"study", "rater", "estimate", "low", "high", "n", "count", "pooled_from"},
    "two-studies.csv": FIGURE | {"study", "other_study", "rater", "statistic"},
}


def test_its_commands_make_its_tables(thin_installation, monkeypatch):
    fitted = vectors._fitted
    # From one start in place of five, and in a quarter of the steps: which clusters there are, and where a figure has
    # its words, is not looked at.
    monkeypatch.setattr(vectors, "_fitted", lambda *given, **more: fitted(*given, **more | {"n_init": 1}))
    monkeypatch.setattr(manifold, "TSNE", partial(manifold.TSNE, max_iter=250))
    out = run_page("altboolq", SLICES, thin_installation, MODELS=str(thin_installation / "var" / "models"))
    check_columns(out, COLUMNS)
    assert {path.name for path in (out / "words").iterdir()} == {"quality.csv", "words.svg", "words.csv"}
    clusters = {"quality.csv", "words.svg", "words.csv", "bic.svg", "bic.csv"}
    assert {path.name for path in (out / "clusters").iterdir()} == clusters
