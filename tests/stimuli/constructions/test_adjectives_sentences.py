"""Sentences of the adjectives builder: articles, phrases out of ConceptNet's lemmas, surface texts."""

import pytest

from stimuli.constructions.adjectives.lexicon import Lexicon
from stimuli.constructions.adjectives.phrases import Unsure
from stimuli.constructions.adjectives.sentences import Sentence, sentence_of_lemmas, sentence_of_surface
from stimuli.constructions.adjectives.triples import Triple
from stimuli.constructions.articles import article
from tests.stimuli.constructions.adjective_words import small_lexicon

BEFORE_A = (
    "university European one-way once ukulele useful usual uniform unique unilateral union utensil uranium unanimous "
    "house historic yellow UFO onetime unicorn Ukrainian unidirectional united year Utah ewe NASA"
)
BEFORE_AN = (
    "hour honest heir herb honorable apple unidentified unimportant uninteresting unusual umbrella usher utter urban "
    "urgent onion only X-ray MRI FBI 8-year 18th 11 unissued unlikely un-American hourly S-shaped heirloom"
)


@pytest.fixture
def words() -> Lexicon:
    return small_lexicon()


def said(words: Lexicon, head: str, relation: str, tail: str) -> str:
    return sentence_of_lemmas(Triple(head, relation, tail), words).original


class TestArticles:
    @pytest.mark.parametrize(
        "word",
        [
            "university",
            "European",
            "one-way",
            "once",
            "ukulele",
            "useful",
            "usual",
            "uniform",
            "unique",
            "unilateral",
            "union",
            "utensil",
            "uranium",
            "unanimous",
            "house",
            "historic",
            "yellow",
            "UFO",
            "onetime",
            "unicorn",
            "Ukrainian",
            "unidirectional",
            "united",
            "year",
            "Utah",
            "ewe",
            "NASA",
        ],
    )
    def test_a(self, word):
        assert article(word) == "a"

    @pytest.mark.parametrize(
        "word",
        [
            "hour",
            "honest",
            "heir",
            "herb",
            "honorable",
            "apple",
            "unidentified",
            "unimportant",
            "uninteresting",
            "unusual",
            "umbrella",
            "usher",
            "utter",
            "urban",
            "urgent",
            "onion",
            "only",
            "X-ray",
            "MRI",
            "FBI",
            "8-year",
            "18th",
            "11",
            "unissued",
            "unlikely",
            "un-American",
            "hourly",
            "S-shaped",
            "heirloom",
        ],
    )
    def test_an(self, word):
        assert article(word) == "an"

    def test_the_modifier_decides(self, words):
        sentence = sentence_of_lemmas(Triple("hotel", "HasProperty", "good"), words)
        assert sentence.original == "A hotel is good."
        assert sentence.modified("old") == "An old hotel is good."
        assert sentence_of_lemmas(Triple("hour", "HasProperty", "good"), words).original == "An hour is good."
        assert (
            sentence_of_lemmas(Triple("hour", "HasProperty", "good"), words).modified("long") == "A long hour is good."
        )


class TestSentencesOfLemmas:
    @pytest.mark.parametrize(
        ("head", "relation", "tail", "sentence"),
        [
            ("dog", "CapableOf", "eat bone", "A dog eats bones."),
            ("dog", "CapableOf", "carry box", "A dog carries a box."),
            ("dog", "CapableOf", "learn to swim", "A dog learns to swim."),
            ("dog", "CapableOf", "sleep", "A dog sleeps."),
            ("dog", "HasA", "four leg", "A dog has four legs."),
            ("dog", "HasA", "its owner", "A dog has its owners."),
            ("woman", "HasA", "their toy", "A woman has her toys."),
            ("dog", "HasProperty", "loyal and useful", "A dog is loyal and useful."),
            ("dog", "HasProperty", "very loyal", "A dog is very loyal."),
            ("water", "HasProperty", "good for flower", "Water is good for flowers."),
            ("box", "HasProperty", "easy to carry", "A box is easy to carry."),
            ("box", "HasProperty", "use to carry water", "A box is used to carry water."),
            ("box", "ReceivesAction", "make of wood", "A box is made of wood."),
            ("lake", "ReceivesAction", "surround by flower", "A lake is surrounded by flowers."),
            ("knife", "UsedFor", "cut meat", "A knife is used for cutting meat."),
            ("box", "UsedFor", "flower and toy", "A box is used for flowers and toys."),
            ("sky", "HasProperty", "cold", "The sky is cold."),
            ("water", "HasProperty", "cold", "Water is cold."),
        ],
    )
    def test_number_article_and_verb(self, words, head, relation, tail, sentence):
        assert said(words, head, relation, tail) == sentence

    @pytest.mark.parametrize(
        ("head", "relation", "tail", "why"),
        [
            ("dog", "CapableOf", "hard", "not a verb"),
            ("dog", "CapableOf", "carry", None),
            ("dog", "CapableOf", "carry box bone", "not known to stand together"),
            ("dog", "CapableOf", "eat one bone", "may have been"),
            ("dog", "CapableOf", "carry dog", "says the noun again"),
            ("dog", "CapableOf", "eat hollywood", "not a noun"),
            ("dog", "HasA", "sky", "not certain"),
            ("dog", "HasA", "many water", "does not go with"),
            ("dog", "HasA", "three water", "is not counted"),
            ("dog", "HasA", "rarity", "not a noun"),
            ("dog", "HasProperty", "dog", "says the noun again"),
            ("dog", "HasProperty", "bone", "not an adjective"),
            ("box", "ReceivesAction", "make", "too little"),
            ("box", "ReceivesAction", "sleep", "not said in the passive"),
            ("woman", "UsedFor", "carry box", "a person is not used"),
            ("box", "UsedFor", "hotel", "one or many"),
            ("box", "UsedFor", "carry their toy", "whose"),
            ("rarity", "HasProperty", "good", "head"),
            ("dog", "CapableOf", "eat a b c d e f g h", "more than 8 words"),
        ],
    )
    def test_what_cannot_be_repaired_for_certain_is_refused(self, words, head, relation, tail, why):
        if why is None:
            assert said(words, head, relation, tail) == "A dog carries."
            return
        with pytest.raises(Unsure, match=why):
            said(words, head, relation, tail)

    def test_a_material_has_no_article_and_a_compound_must_be_known(self, words):
        assert said(words, "boat", "ReceivesAction", "make of glass") == "A boat is made of glass."
        assert said(words, "boat", "CapableOf", "carry wood box") == "A boat carries a wood box."


class TestSurfaceTexts:
    @pytest.mark.parametrize(
        ("surface", "head", "sentence", "modified"),
        [
            ("[[a dog]] can [[eat bones]]", "dog", "A dog eats bones.", "An old dog eats bones."),
            ("*[[Dogs]] can [[eat bones]]", "dog", "Dogs eat bones.", "Old dogs eat bones."),
            ("[[A box]] can be [[heavy]].", "box", "A box is heavy.", "An old box is heavy."),
            ("[[boxes]] may be [[heavy]]", "box", "Boxes are heavy.", "Old boxes are heavy."),
            ("[[water]] has [[no color]]", "water", "Water has no color.", "Old water has no color."),
            (
                "You can use [[a knife]] to [[cut meat]]",
                "knife",
                "You use a knife to cut meat.",
                "You use an old knife to cut meat.",
            ),
            (
                "[[a knife]] is for [[cutting meat]]",
                "knife",
                "A knife is for cutting meat.",
                "An old knife is for cutting meat.",
            ),
        ],
    )
    def test_modals_become_declaratives(self, words, surface, head, sentence, modified):
        made = sentence_of_surface(Triple(head, "CapableOf", "x", surface), words)
        assert (made.original, made.modified("old")) == (sentence, modified)
        assert made.built == "surface text"

    @pytest.mark.parametrize(
        ("surface", "why"),
        [
            ("[[buy bread]] is something you can do at [[a dog]]", "is not the noun|more than a noun"),
            ("Something you find at [[a dog]] is [[bones]]", "opens with"),
            ("a dog can [[eat bones]]", "two ends"),
            ("[[a big dog]] can [[eat bones]]", "more than a noun"),
            ("[[a dog]] can [[loyal]]", "not a verb"),
            ("[[a dog]] can [[eat a dog]]", "says the noun again"),
        ],
    )
    def test_other_frames_are_refused(self, words, surface, why):
        with pytest.raises(Unsure, match=why):
            sentence_of_surface(Triple("dog", "CapableOf", "x", surface), words)


def test_a_sentence_says_where_its_words_are_from(words):
    sentence = sentence_of_lemmas(Triple("dog", "CapableOf", "eat bone"), words)
    assert isinstance(sentence, Sentence)
    assert sentence.built == "lemmas"
