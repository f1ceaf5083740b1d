"""What is counted of sentences (docs/metrics.md, A3 to A5), without a parser."""

from scoring.baselines.associations.places import END, START
from scoring.baselines.associations.tally import Tally

ARREST = [
    "the cop arrested the thief .",
    [[1, "cop", "N"], [2, "arrest", "V"], [4, "thief", "N"]],
    [["arrest", [["nsubj", "cop"], ["obj", "thief"]]]],
]


def tally(*sentences):
    counts = Tally()
    counts.add(sentences)
    return counts


def test_a3_a_verb_counts_once_with_each_of_its_nouns():
    assert tally(ARREST, ARREST).triples == {("nsubj", "arrest", "cop"): 2, ("obj", "arrest", "thief"): 2}


def test_a3_nouns_of_one_verb_count_with_each_other_both_ways_if_their_relations_differ():
    both = ["", [], [["arrest", [["nsubj", "cop"], ["obj", "thief"], ["obj", "robber"]]]]]
    assert tally(both).pairs == {
        ("nsubj", "cop", "obj", "thief"): 1,
        ("obj", "thief", "nsubj", "cop"): 1,
        ("nsubj", "cop", "obj", "robber"): 1,
        ("obj", "robber", "nsubj", "cop"): 1,
    }


def test_a4_a_lemma_counts_with_those_up_to_ten_words_to_its_right():
    far = ["", [[0, "cop", "N"], [10, "see", "V"], [11, "thief", "N"]], []]
    assert tally(far).windows == {("cop", "see"): 1, ("see", "thief"): 1}
    assert tally(far).lemmas == {("cop", "N"): 1, ("see", "V"): 1, ("thief", "N"): 1}


def test_a4_another_window():
    counts = Tally(window=2)
    counts.add([["", [[0, "cop", "N"], [2, "see", "V"], [5, "thief", "N"]], []]])
    assert counts.windows == {("cop", "see"): 1}


def test_a5_three_words_in_a_row_with_one_start_and_one_end():
    assert tally(["no .", [], []]).trigrams == {(START, "no", "."): 1, ("no", ".", END): 1}
    assert tally(["no", [], []]).trigrams == {(START, "no", END): 1}


def test_sentences_and_words_are_counted():
    counts = tally(ARREST, ["no .", [], []])
    assert (counts.sentences, counts.words) == (2, 8)
