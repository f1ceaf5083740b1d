"""docs/papers/adept.md, on some of ADEPT's entries and a beginning of the text."""

import pytest

from tests.papers.commands import Cut, check_columns, run_page
from tests.scoring.scorers.weights import needs_weights
from training.models import Training

pytestmark = [pytest.mark.slow, needs_weights]
SLICES = {
    "adept/train.json": Cut(step=1400),
    "adept/val.json": Cut(step=48),
    "text/wikipedia_boolq/boolq_passages.txt.gz": Cut(count=200),
    "text/wikipedia_gensim/enwiki_paragraphs.txt.gz": Cut(count=100),
}
FIGURE = {"value", "low", "high", "n", "n_counts", "undefined"}
SHARES = {"attribute", "value", "labels_of", "label", "share", "low", "high", "n", "count"}
RATED = {"study", "rater", "origin", "estimate", "low", "high", "n", "count"}
COLUMNS = {
    "labels-train.csv": SHARES,
    "labels-train-by-class.csv": SHARES,
    "labels-val-by-class.csv": SHARES,
    "lists.csv": RATED,
    "lists-four.csv": RATED | {"classes"},
    "lists-three.csv": RATED | {"classes"},
    "assessors.csv": FIGURE | {"section", "rater", "against", "statistic", "count"},
    "with-and-without.csv": FIGURE | {"study", "other_study", "rater", "statistic"},
    "with-and-without-items.csv": {"item", "text:adept-people", "text:adept-people-without-context"},
    "judgments.csv": {"item", "kind", "annotator", "profile", "answer", "reference", "state", "counts"},
    "quality.csv": FIGURE | {"section", "rater", "statistic", "count"},
    "confusion.csv": {"run", "label", "decision", "count", "share_of_row", "row_low", "row_n", "share_of_all", "all_n"},
}


def trained_with(*, recipe: str = "adept", **wanted: str | None) -> str:
    """The key of the model that the page trained on ADEPT by this recipe with these settings."""
    every = Training.objects.filter(studies=["adept-train"], recipe=recipe).select_related("model")
    [found] = [one for one in every if all(one.settings[name] == value for name, value in wanted.items())]
    assert found.model
    return found.model.key


def test_its_commands_make_its_tables(thin_installation):
    keys = {
        "FULL": lambda: trained_with(learns="all", without=None),
        "BARE": lambda: trained_with(recipe="adept-no-context"),
        "FOUR": lambda: trained_with(without="impossible"),
        "PROBE": lambda: trained_with(learns="new"),
    }
    out = run_page("adept", SLICES, thin_installation, TIMES="1", **keys)
    check_columns(out, COLUMNS)
