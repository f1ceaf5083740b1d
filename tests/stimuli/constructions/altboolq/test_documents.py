"""AltBoolQ's documents: which words count, which may change, and how others are put in their places."""

from collections import Counter

import pytest

from stimuli.constructions.altboolq.documents import (
    Document,
    cased_like,
    document,
    document_frequencies,
    may_change,
    replaced,
    words_of,
)
from stimuli.datasets.boolq import Question


class TestDocuments:
    def test_question_and_passage_are_one_document(self):
        made = document(Question(3, "is Canada cold", "t", answer=True, passage="Canada's north, 13.5 GWe."))
        assert made.id == "boolq-3"
        assert made.counts == {"is": 1, "canada": 2, "cold": 1, "north": 1, "13": 1, "gwe": 1}
        assert made.length == 7

    def test_only_the_words_named_change(self):
        text = "  The nation’s\tREACTORS (reactors), Reactors; McReactors reactor-like\n``x''  "
        new = replaced(text, {"reactors": "stores", "nation": "caribbean"})
        assert new == "  The caribbean’s\tSTORES (stores), Stores; McReactors reactor-like\n``x''  "
        assert replaced(text, {}) == text

    def test_numerals_count_and_may_not_change(self):
        made = document(Question(1, "was 2017 good", "t", answer=True, passage="In 2017, 98.2 of the 20th; b12, x__."))
        assert {"2017", "98", "20th", "b12"} <= set(made.counts)
        assert [word for word in sorted(made.counts) if not may_change(word)] == ["2017", "20th", "98"]

    @pytest.mark.parametrize(
        "script",
        [
            "Brie (/briː/; French: (bʁi)) is",
            "Tower (ˈtorre di ˈpiːza) in",
            "Albarn (/ˈdeɪmən ˈælbɑːrn/; born",
            "South (/suːˈdæn, -ˈdɑːn/ ( listen)) is",
            "dachshund (UK: /ˈdakshʊnd/ or US: /ˈdɑːkshʊnt/ HUUNT or /ˈdɑːksənt/) is",
            "latte (kafˈfɛ lˈlatte), caffelatte (kaffeˈlatte)",
            "nerve [ˈveɪɡəs] VAY-gəs of 9 km/h is",
        ],
    )
    def test_phonetic_script_is_no_word_and_stays(self, script):
        """Words of the document that stand in a transcription too are left alone there."""
        outside = {"brie", "french", "is", "tower", "in", "albarn", "born", "south", "listen", "dachshund", "uk", "or"}
        outside |= {"us", "huunt", "latte", "caffelatte", "nerve", "vay", "of", "km"}
        assert set(words_of(script)) <= outside
        assert replaced(script, dict.fromkeys(("di", "lˈlatte", "gəs", "bʁi", "ɑːrn", "rn"), "new")) == script

    def test_letters_of_names_are_no_phonetic_script(self):
        assert words_of("Niʻihau and/or Hawaiʻi, naïve Ærø (so)") == [
            "niʻihau",
            "and",
            "or",
            "hawaiʻi",
            "naïve",
            "ærø",
            "so",
        ]

    @pytest.mark.parametrize(
        ("text", "new", "expected"),
        [
            ("is a spark near an engine", {"spark": "eagle", "engine": "car"}, "is an eagle near a car"),
            ("An hour. A car, AN OWL", {"hour": "week", "car": "hour", "owl": "cat"}, "A week. An hour, A CAT"),
            ("a  ``red'' an \"old\" house", {"red": "open", "old": "new"}, "an  ``open'' a \"new\" house"),
            ("a spark and an eagle", {"and": "or"}, "a spark or an eagle"),
            ("a team", {"team": "nfl"}, "an nfl"),
            ("A HORSE", {"horse": "house"}, "A HOUSE"),
            (
                "vitamin A levels, plan-a levels, d'a levels",
                {"levels": "events"},
                "vitamin A events, plan-a events, d'a events",
            ),
            ("an apple", {"apple": "redacted"}, "a redacted"),
            ("an an apple", {"an": "redacted"}, "redacted redacted apple"),
        ],
    )
    def test_a_and_an_agree_with_the_new_word(self, text, new, expected):
        assert replaced(text, new) == expected

    @pytest.mark.parametrize(
        ("word", "expected"), [("canada", "usa"), ("CANADA", "USA"), ("Canada", "Usa"), ("TWh", "Usa"), ("iPad", "usa")]
    )
    def test_case_is_kept(self, word, expected):
        assert cased_like(word, "usa") == cased_like(word, "USA") == expected

    def test_document_frequencies_count_documents(self):
        documents = [Document("d", "", Counter({"a1": 5, "b1": 1})), Document("d", "", Counter({"a1": 1}))]
        assert document_frequencies(documents) == {"a1": 2, "b1": 1}
