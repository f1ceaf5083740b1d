"""The language of texts is guessed from frequent words, or not at all."""

import pytest

from annotation.languages import FREQUENT, guessed

GERMAN = [
    "Der Hund hat das Haus gesehen.",
    "Welche Frau ist mit dem Mann gekommen?",
    "Ich glaube, dass sie nicht schläft.",
]
ENGLISH = ["The dog has seen the house.", "Which woman is with the man?", "I think that she was not asleep."]
OTHERS = [
    ["Hunden har set det hus, der er rødt.", "Den mand er der ikke."],
    ["De hond heeft het huis gezien.", "Welke vrouw is met de man gekomen?"],
    ["Le chien a vu la maison.", "Quelle femme est venue avec lui ?"],
    ["the", "der"],
    [],
]


def test_german_and_english_are_told_apart():
    assert (guessed(GERMAN), guessed(ENGLISH)) == ("de", "en")
    assert guessed(["Wie klingt dieser Satz?"], least=1) == "de"


@pytest.mark.parametrize("texts", OTHERS)
def test_of_other_texts_nothing_is_said(texts):
    assert guessed(texts) == ""


def test_no_frequent_word_is_one_of_two_languages():
    assert not FREQUENT["de"] & FREQUENT["en"]
