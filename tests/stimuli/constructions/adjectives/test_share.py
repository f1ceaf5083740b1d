"""How many items have a non-subsective adjective: as many as are asked for, as far as there are."""

import pytest

from stimuli.constructions.adjectives.entries import Entry
from stimuli.constructions.adjectives.modifiers import CountedModifier
from stimuli.constructions.adjectives.rows import TakenEntries, take
from stimuli.constructions.adjectives.sentences import Sentence
from stimuli.constructions.adjectives.triples import Triple
from stimuli.datasets.adjective_list import AdjectiveList

MARKED = AdjectiveList({"fake": "", "former": ""})
PLAIN = ("old", "big", "wet", "dry")


def entry(number: int, *marked: str) -> Entry:
    words = [*marked, *PLAIN][:4]
    triple = Triple(f"noun{number}", "HasA", "thing")
    return Entry(
        Sentence(triple, before="", determiner="a", noun=f"noun{number}", after=" has a thing."),
        [CountedModifier(word, 10) for word in words],
    )


def possible(with_two: int, with_one: int, without: int) -> list[Entry]:
    kinds = [("fake", "former")] * with_two + [("fake",)] * with_one + [()] * without
    return [entry(number, *marked) for number, marked in enumerate(kinds)]


def marked(taken: TakenEntries) -> int:
    return sum(one.text in MARKED.subclasses for _, variants in taken.entries for one in variants)


@pytest.mark.parametrize("seed", range(5))
def test_one_to_four_where_there_are_enough(seed):
    taken = take(possible(20, 30, 150), MARKED, entries=100, variants=1, share=0.2, seed=seed)
    assert (len(taken.entries), marked(taken), taken.wanted) == (100, 20, 20)
    assert taken.could == 50


def test_all_that_there_are_where_there_are_fewer():
    taken = take(possible(3, 4, 93), MARKED, entries=100, variants=1, share=0.2, seed=1)
    assert (marked(taken), taken.wanted, taken.could) == (7, 20, 7)


@pytest.mark.parametrize(("variants", "wanted"), [(2, 8), (3, 12), (4, 16)])
def test_several_variants_of_an_entry_count_each(variants, wanted):
    taken = take(possible(10, 10, 0), MARKED, entries=20, variants=variants, share=0.2, seed=3)
    assert taken.wanted == wanted
    assert all(len({one.text for one in some}) == variants for _, some in taken.entries)
    # An entry with two of them among its four cannot give three variants without one.
    assert marked(taken) == wanted if variants == 2 else marked(taken) >= wanted


def test_a_share_of_nothing_is_left_to_chance():
    several = {marked(take(possible(0, 40, 0), MARKED, entries=40, variants=1, share=0, seed=n)) for n in range(8)}
    assert len(several) > 1
    assert max(several) < 25


def test_the_same_seed_takes_the_same_and_another_does_not():
    entries = possible(5, 10, 60)
    one, again, other = (take(entries, MARKED, entries=30, variants=1, share=0.2, seed=n) for n in (4, 4, 5))
    assert one == again != other


def test_a_share_of_one_takes_every_such_entry_first():
    taken = take(possible(2, 6, 50), MARKED, entries=8, variants=1, share=1, seed=2)
    assert marked(taken) == 8
