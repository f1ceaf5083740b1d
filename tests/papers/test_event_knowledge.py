"""docs/papers/event-knowledge.md, on some items of each set, and a little text."""

import pytest

from tests.papers.commands import Cut, check_columns, run_page
from tests.scoring.scorers.weights import needs_weights

pytestmark = [pytest.mark.slow, needs_weights]
PAIRS = Cut(head=1, together=2, step=100)
LINES = Cut(count=30)
SLICES = {
    "event_knowledge/clean/clean_EventsAdapt_SentenceSet.csv": Cut(head=1, together=4, step=200),
    "event_knowledge/clean/clean_DTFit_SentenceSet.csv": PAIRS,
    # Its ratings are of 96 people, item after item.
    "event_knowledge/clean/clean_EventsRev_SentenceSet.csv": Cut(head=1, together=2, count=5),
    "event_knowledge/clean/clean_EventsRev_human_dat.csv": Cut(head=1, together=96, count=5),
    "event_knowledge/clean/clean_DTFit_human_dat.csv": PAIRS,
    **{
        f"text/{name}": LINES
        for name in (
            "english_novels/novels_paragraphs.txt.gz",
            "goemotions_reddit/goemotions_comments.txt.gz",
            "masc/masc.txt.gz",
            "movie_reviews/movie_reviews.txt.gz",
            "movie_snippets/movie_snippets.txt.gz",
            "presidential/presidential.txt.gz",
            "product_reviews/product_reviews.txt.gz",
            "self_dialogue/self_dialogue.txt.gz",
            "sgd_dialogue/sgd_utterances_sample.txt.gz",
            "tatoeba_en/tatoeba_en.tsv.gz",
            "topical_chat/topical_chat_valid_test.txt.gz",
            "ud_gum_open/gum_sentences.txt.gz",
            "wikipedia_boolq/boolq_passages.txt.gz",
            "wikipedia_gensim/enwiki_paragraphs.txt.gz",
        )
    },
    # To the end of a sentence.
    "text/ud_ewt/en_ewt-dev.conllu.gz": Cut(count=596),
    "text/ud_ewt/en_ewt-test.conllu.gz": Cut(count=593),
    "text/ud_ewt/en_ewt-train.conllu.gz": Cut(count=581),
}
FIGURE = {"value", "low", "high", "n", "n_counts", "undefined"}
TABLE = {"study", "rater", "origin", "against", "estimate", "low", "high", "n", "count", "ties", "unscored"}
COLUMNS = {
    "people.csv": FIGURE | {"section", "statistic"},
    "accuracy.csv": TABLE,
    "accuracy-shared.csv": TABLE,
    "conditions.csv": FIGURE | {"row", "column", "count"},
    "conditions-test.csv": FIGURE | {"values", "test", "chi_squared", "p", "p_holm"},
    "conditions-test-passive.csv": FIGURE | {"values", "test", "chi_squared", "p", "p_holm"},
    "voice.csv": FIGURE | {"row", "column", "count"},
    "ratings-dtfit.csv": FIGURE | {"rater", "condition", "statistic"},
    "ratings-eventsrev.csv": FIGURE | {"rater", "condition", "statistic"},
    "items.csv": {"item", "group", "attribute:voice", "attribute:condition", "reference"},
}


def test_its_commands_make_its_tables(thin_installation):
    models = str(thin_installation / "var" / "models")
    out = run_page("event-knowledge", SLICES, thin_installation, MODELS=models, MINUTES="0.02")
    check_columns(out, COLUMNS)
