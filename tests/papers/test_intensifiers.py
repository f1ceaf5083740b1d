"""docs/papers/intensifiers.md, on every fifth line of the published sheet and the beginnings of four corpora."""

import pytest

from tests.papers.commands import Cut, check_columns, run_page
from tests.scoring.scorers.weights import needs_weights

pytestmark = [pytest.mark.slow, needs_weights]
SLICES = {
    "intensifiers/items_bert_large_cased.csv": Cut(head=1, step=5),
    "text/goemotions_reddit/goemotions_comments.txt.gz": Cut(count=12_000),
    "text/topical_chat/topical_chat_valid_test.txt.gz": Cut(count=2_000),
    "text/sgd_dialogue/sgd_utterances_sample.txt.gz": Cut(count=1_000),
    "text/wikipedia_gensim/enwiki_paragraphs.txt.gz": Cut(count=200),
}
FIGURE = {"value", "low", "high", "n", "n_counts", "undefined"}
RANK = {"run", "attribute", "value", "context", "statistic", "estimate", "low", "high", "n", "count"}
COLUMNS = {
    "ranks-by-class.csv": RANK,
    "ranks-by-adverb.csv": RANK,
    "context-and-neutral.csv": FIGURE | {"study", "other_study", "rater", "statistic"},
    "heatmap.csv": FIGURE | {"row", "column", "count"},
    "frequency.csv": FIGURE | {"run", "what", "statistic"},
    "frequency-bins.csv": {"value", "rater", "against", "estimate", "low", "high", "n", "count"},
    "frequency-regression.csv": FIGURE | {"run", "attribute", "of", "beside", "p"},
    "intensity-socal.csv": FIGURE | {"run", "unit", "what", "statistic"},
    "intensity-vader.csv": FIGURE | {"run", "unit", "what", "statistic"},
    "classes.csv": FIGURE | {"values", "test", "chi_squared", "degrees", "p", "p_holm"},
    "right.csv": {"item", "text", "reference", "attribute:socal", "attribute:vader"},
    "wrong.csv": {"item", "text", "reference", "attribute:bigram_ln_frequency"},
    "pairs.csv": {"item", "run", "sentence", "correct", "p_correct", "incorrect", "p_incorrect", "decision"},
    "text-by-class.csv": RANK,
    "text-by-adverb.csv": RANK,
}


def test_its_commands_make_its_tables(thin_installation):
    out = run_page("intensifiers", SLICES, thin_installation)
    check_columns(out, COLUMNS)
