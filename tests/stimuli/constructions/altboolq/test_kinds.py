"""Which words are alike, and that each is exchanged for one like it."""

import random
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pytest

from stimuli.constructions.altboolq.kinds import Likeness, in_document, kind, mostly, of_vocabulary
from stimuli.constructions.altboolq.vectors import Space, analogies, replace_group
from stimuli.constructions.altboolq.working import Tagger
from tests.stimuli.constructions.altboolq.space import NOUNS, PLURALS, space


class TestKinds:
    @pytest.mark.slow
    def test_lemmas_are_spacys(self):
        read = Tagger().read("Reactors need power. This reactor needed more, says NATO.")
        assert read.forms["reactor"] == {"reactors", "reactor"}
        assert read.forms["need"] == {"need", "needed"}
        assert read.kinds["reactors"] == {"NNS": 1}
        assert read.kinds["reactor"] == {"NN": 1}
        assert read.kinds["needed"] == {"VBD VBN -ed": 1}
        assert read.kinds["nato"] == {"NNP capitals": 1}
        asked = Tagger().read("Canada and NATO agreed.\nis canada in europe")
        assert asked.kinds["canada"] == {"NNP": 1}
        assert "europe" in asked.kinds

    @pytest.mark.slow
    @pytest.mark.parametrize(
        ("tag", "text", "expected"),
        [
            ("VBD", "played", "VBD VBN -ed"),
            ("VBN", "Played", "VBD VBN -ed"),
            ("VBD", "went", "VBD"),
            ("VBP", "go", "VB"),
            ("JJ", "boring", "JJ -ing"),
            ("RB", "fully", "RB -ly"),
            ("RB", "soon", "RB"),
            ("NNP", "Paris", "NNP"),
            ("NNP", "UN", "NNP capitals"),
            ("NNP", "Universities", "NNPS"),
            ("NNP", "Jones", "NNP"),
            ("NN", "washing", "NN -ing"),
            ("NNS", "dogs", "NNS"),
        ],
    )
    def test_a_tag_with_what_is_seen_of_it(self, tag, text, expected):
        assert kind(tag, text) == expected

    def test_what_a_word_is_in_its_document(self):
        assert in_document({"NN": 3, "VB": 2}, {"VB": 90}) == "NN"
        assert in_document({"NN": 2, "VB": 2}, {"VB": 9, "NN": 8}) == "VB"
        assert in_document({}, {"NN": 1}) == ""
        assert in_document({"NNP": 4, "NN": 1}, {}) == "NN"
        assert in_document({"NNP": 4}, {"NN": 9}) == "NNP"

    def test_what_a_word_mostly_is(self):
        assert mostly({"NN": 7, "VB": 3}) == "NN"
        assert mostly({"NN": 6, "VB": 4}) == ""

    @pytest.mark.slow
    def test_words_that_no_document_has_are_in_the_dictionary(self):
        """`run` is a noun and a verb, `zzyzx` nothing; `lamps` is a verb nowhere in these documents."""
        found = of_vocabulary(["kettles", "run", "zzyzx", "lamps"], {"lamps": {"NNS": 4}})
        assert found == ["NNS", "", "", "NNS"]


class TestLikeForLike:
    """The verb `light` lies nearer than any noun, and the rare plural nearer than the common one."""

    KINDS: ClassVar[dict[str, str]] = {
        "king": "NN",
        "kings": "NNS",
        "lamp": "NN",
        "moon": "NN",
        "light": "VB",
    } | dict.fromkeys(("lamps", "lampz"), "NNS")
    ZIPF: ClassVar[dict[str, float]] = {"lampz": 2.0}
    TABLE: ClassVar[dict[str, list[float]]] = PLURALS | {"light": [-0.2, 1, 0.6], "lampz": [-0.2, 1, 0.55]}
    CLUSTERS: ClassVar[dict[str, int]] = NOUNS | {"light": 1, "lampz": 1}

    def space(self, *, applies: bool = True) -> Space:
        found = space(self.TABLE, self.CLUSTERS)
        words = found.vectors.words
        alike = Likeness(
            np.array([self.KINDS[word] for word in words]),
            np.array([self.ZIPF.get(word, 4.0) for word in words]),
            band=1.0,
            applies=applies,
        )
        return replace(found, likeness=alike)

    def test_analogies_keep_kind_and_frequency(self):
        group, kinds = ("king", "kings"), {"king": "NN", "kings": "NNS"}
        free, _ = analogies(group, "king", "lamp", self.space(applies=False), avoid=(), kinds=kinds)
        held, _ = analogies(group, "king", "lamp", self.space(), avoid=(), kinds=kinds)
        assert (free, held) == (("lamp", "light"), ("lamp", "lamps"))

    def test_the_band_gives_way_before_the_kind(self):
        new, _ = analogies(
            ("king", "kings"), "king", "lamp", self.space(), avoid=("lamps",), kinds={"king": "NN", "kings": "NNS"}
        )
        assert new == ("lamp", "lampz")

    def test_what_is_drawn_is_like_the_word_it_stands_for(self):
        kinds = {"king": "NN", "kings": "NNS"}
        for seed in range(20):
            found = replace_group(("kings",), self.space(), avoid=(), rng=random.Random(seed), kinds=kinds)
            assert found is not None
            assert (found.new, found.of_kind, found.in_band) == (("lamps",), 1.0, 1.0)

    def test_from_another_cluster_where_its_own_has_none(self):
        """`light` is alone of its kind; for another verb in the cluster of singulars it comes from the other one."""
        found = replace_group(("king",), self.space(), avoid=(), rng=random.Random(0), kinds={"king": "VB"})
        assert found is not None
        assert (found.new, found.cluster_match) == (("light",), 0.0)

    def test_the_published_way_is_measured(self):
        drawn = [
            replace_group(
                ("kings",), self.space(applies=False), avoid=(), rng=random.Random(seed), kinds={"kings": "NNS"}
            )
            for seed in range(20)
        ]
        assert {found.new for found in drawn if found} == {("light",), ("lampz",), ("lamps",)}
        assert {(found.new[0], found.of_kind, found.in_band) for found in drawn if found} == {
            ("light", 0.0, 1.0), ("lampz", 1.0, 0.0), ("lamps", 1.0, 1.0)
        }  # fmt: skip
