"""AltBoolQ's equations and choices on cases small enough to work out by hand."""

import json
import math
import random
from collections import Counter
from statistics import mean, stdev

import numpy as np
import pytest
from scipy.stats import t

from corpus.errors import BuildError
from stimuli.constructions.altboolq.documents import (
    Corpus,
    Document,
    groups,
    select,
    tfidf,
    weights,
)
from stimuli.constructions.altboolq.kinds import replacements, structural_words
from stimuli.constructions.altboolq.parameters import Parameters
from stimuli.constructions.altboolq.quality import lines, quality
from stimuli.constructions.altboolq.vectors import NewGroup, analogies, bend, best_analogy, cluster, draw, replace_group
from stimuli.constructions.altboolq.working import DocumentOutcome, Job, Plan, torn, work
from tests.stimuli.constructions.altboolq.space import NOUNS, PLURALS, space, vectors


def doc(counts: dict[str, int]) -> Document:
    return Document("d", "", Counter(counts))


class TestEquations:
    def test_equation_2(self):
        """t twice in d, and in 1 of 3 documents: (1 + ln 2)(1 + ln(4/2)) = 1.6931² = 2.8667."""
        assert tfidf(2, documents=3, containing=1) == pytest.approx(2.8667, abs=1e-4)
        assert tfidf(1, documents=9, containing=9) == pytest.approx(1.0)

    def test_equation_2_with_proportions_would_select_nothing(self):
        """Why f_t(d) is read as a count: twice in a document of a hundred words, in no other of 3270."""
        as_printed = (1 + math.log(2 / 100)) * (1 + math.log(3271 / 2))
        assert as_printed < 0 < Parameters().tfidf_cutoff < tfidf(2, documents=3270, containing=1)

    def test_equation_1(self):
        """cos = 0.6, the smaller count is 2: 0.6 - 0.01 ln 2 = 0.593069."""
        unit = np.array([[1, 0], [0.6, 0.8]], dtype=np.float32)
        assert weights(unit, [2, 5], alpha=0.01)[0, 1] == pytest.approx(0.593069, abs=1e-6)


# Neighbors are 30° apart (cosine 0.87), next but one 60° (0.5): a chain of three is one component at 0.66.
CHAIN = {name: [math.cos(math.radians(angle)), math.sin(math.radians(angle))] for name, angle in
         {"aa": 0, "bb": 30, "cc": 60, "dd": 150}.items()}  # fmt: skip


class TestGrouping:
    def corpus(self, **frequencies: int) -> Corpus:
        return Corpus(100, {"aa": 1, "bb": 1, "cc": 1, "dd": 1, "xx": 1} | frequencies, frozenset({"the"}))

    def test_connected_components(self):
        found = groups(doc({"aa": 1, "bb": 1, "cc": 1, "dd": 1, "xx": 1}), self.corpus(), vectors(CHAIN), Parameters())
        assert sorted(found) == [("aa", "bb", "cc"), ("dd",), ("xx",)]

    def test_too_popular_and_structural_words_join_nothing(self):
        counts = {"aa": 1, "bb": 1, "cc": 1}
        found = groups(doc(counts), self.corpus(bb=11), vectors(CHAIN), Parameters())
        assert sorted(found) == [("aa",), ("bb",), ("cc",)]
        assert len(groups(doc(counts), self.corpus(bb=10), vectors(CHAIN), Parameters())) == 1
        structural = Corpus(100, {}, frozenset({"bb"}))
        assert len(groups(doc(counts), structural, vectors(CHAIN), Parameters())) == 3

    def test_frequent_words_are_tied_less(self):
        """0.866 - 0.1 ln 8 = 0.658 is below the cutoff, 0.866 - 0.1 ln 7 = 0.671 above."""
        many = Parameters(alpha=0.1)
        assert len(groups(doc({"aa": 8, "bb": 9}), self.corpus(), vectors(CHAIN), many)) == 2
        assert len(groups(doc({"aa": 7, "bb": 9}), self.corpus(), vectors(CHAIN), many)) == 1


class TestSelection:
    space = vectors({"aa": [1, 0, 0], "bb": [0, 1, 0], "cc": [0, 0, 1], "the": [1, 1, 1], "aas": [1, 0.1, 0]})
    corpus = Corpus(1000, {"aa": 1, "aas": 1, "bb": 1, "cc": 1, "the": 1, "fill": 1}, frozenset({"the"}))

    def chosen(self, counts: dict[str, int], **changes: float) -> list[tuple[str, ...]]:
        settings = {"freq_cutoff": 1.0} | changes
        return select(doc(counts), self.corpus, self.space, Parameters(**settings))  # type: ignore[arg-type]

    def test_weightiest_first_until_enough(self):
        counts = {"aa": 2, "bb": 4, "cc": 3, "fill": 11}
        assert self.chosen(counts) == [("bb",), ("cc",), ("aa",)]
        # bb alone is exactly 20 % of the words, which is not more than 20 %.
        assert self.chosen(counts, freq_cutoff=0.2) == [("bb",), ("cc",)]
        assert self.chosen(counts, freq_cutoff=0.19) == [("bb",)]

    def test_a_word_brings_its_group(self):
        assert self.chosen({"aa": 2, "aas": 1, "fill": 5}) == [("aa", "aas")]
        assert self.chosen({"aa": 2, "aas": 1, "fill": 5}, group_size=1) == []

    def test_rare_structural_and_unknown_words_stay(self):
        assert self.chosen({"aa": 1, "the": 9, "fill": 9}) == []

    def test_the_cutoff_counts(self):
        assert tfidf(2, documents=1000, containing=1) == pytest.approx(12.22, abs=0.01)
        assert self.chosen({"aa": 2}, tfidf_cutoff=12.2) == [("aa",)]
        assert self.chosen({"aa": 2}, tfidf_cutoff=12.3) == []


class TestLemmas:
    def test_forms_torn_apart(self):
        forms = {"store": {"store", "stores"}, "reactor": {"reactor"}, "go": {"goes", "went"}}
        assert torn(forms, [("store", "stores")]) == []
        assert torn(forms, [("store",), ("stores",)]) == [["store", "stores"]]
        assert torn(forms, [("goes",), ("reactor",)]) == [["goes", "went"]]


class TestClusters:
    @pytest.mark.slow
    def test_far_words_fall_into_different_clusters(self):
        table = {f"n{i}": [1, i / 100] for i in range(9)} | {f"v{i}": [i / 100, 1] for i in range(9)}
        found = cluster([*table, "n1"], vectors(table), Parameters(components=2), seed=0)
        assert sorted(map(len, found.members)) == [9, 10]
        assert max(found.members, key=len).count("n1") == 2
        assert {word[0] for word in found.members[0]} != {word[0] for word in found.members[1]}

    def test_too_few_words(self):
        with pytest.raises(BuildError, match="Only 2 different words were selected, too few for 41 clusters"):
            cluster(["aa", "bb"], vectors(CHAIN), Parameters(), seed=0)

    @pytest.mark.slow
    def test_auto_keeps_the_curve(self):
        rng = random.Random(0)
        table = {f"{group}{i}": [math.cos(a), math.sin(a)] for group in "xyz" for i in range(12)
                 for a in ["xyz".index(group) * 2 + rng.gauss(0, 0.02)]}  # fmt: skip
        found = cluster(list(table), vectors(table), Parameters(components=0, most_components=22), seed=0)
        assert list(found.bic_curve) == [1, 11, 21]
        assert found.number in found.bic_curve

    def test_the_bend(self):
        assert bend({1: 9.0, 11: 4.0, 21: 6.0}) == 11
        # It only falls: by 50, 40, 8 and 7. The fall slows most after 21.
        assert bend({1: 105.0, 11: 55.0, 21: 15.0, 31: 7.0, 41: 0.0}) == 21


class TestAnalogy:
    def test_the_plural_of_the_drawn_word(self):
        """w_kings - w_king + w_lamp = (-0.2, 1, 0.6), of length 1.18322; its cosine with lamps is 1.16/1.18322."""
        new, similarity = analogies(("king", "kings"), "king", "lamp", space(PLURALS, NOUNS), avoid=())
        assert new == ("lamp", "lamps")
        assert similarity == pytest.approx((1 + 1.16 / math.sqrt(1.4)) / 2, abs=1e-6)

    def test_the_candidate_is_the_word_of_the_same_form(self):
        new, _ = best_analogy(("king", "kings"), ["king", "kings"], "lamps", space(PLURALS, NOUNS), avoid=())
        assert new == ("lamp", "lamps")

    def test_words_of_the_document_and_structural_ones_are_not_drawn(self):
        rng = random.Random(0)
        found = space(PLURALS, NOUNS, structural=("moon",))
        assert {draw(0, ("king",), found, avoid=(), rng=rng) for _ in range(20)} == {"lamp"}
        assert draw(0, ("king",), found, avoid=("lamp",), rng=rng) is None

    def test_all_clusters_match(self):
        found = replace_group(("king", "kings"), space(PLURALS, NOUNS), avoid=("moon",), rng=random.Random(1))
        assert found is not None
        assert (found.new, found.cluster_match) == (("lamp", "lamps"), 1.0)

    def test_the_best_of_the_clusters_that_do_not_match(self):
        clusters = NOUNS | {"lamps": 0}
        found = replace_group(("king", "kings"), space(PLURALS, clusters), avoid=("moon",), rng=random.Random(1))
        assert found is not None
        assert (found.new, found.cluster_match) == (("lamp", "lamps"), 0.5)

    def test_different_words_get_different_ones(self):
        table = PLURALS | {"kingz": [0.8, 0, 0.6], "lampz": [0, 0.8, 0.59]}
        clusters = NOUNS | {"kingz": 1, "lampz": 1}
        new, _ = analogies(("king", "kings", "kingz"), "king", "lamp", space(table, clusters), avoid=())
        assert sorted(new) == ["lamp", "lamps", "lampz"]


def test_structural_words_and_numerals_stay_where_the_vectors_lack_them():
    document = doc({"the": 2, "king": 2, "zzyzx": 1, "1997": 1})
    plan = Plan(space(PLURALS, NOUNS, structural=("the",)), seed=0, keep_lemma_errors=False)
    made = work(Job(document, [("king",)], {"king": {"king"}}, {"king": "NN"}), plan)
    assert made.unknown == ["zzyzx"]
    assert made.new_words.keys() == {"zzyzx", "king"}


class TestVectors:
    def test_length_one_and_centered(self):
        found = vectors({"aa": [3, 4], "bb": [0, 0], "cc": [1, 0]})
        assert found.words == ("aa", "cc")
        assert found.unit[0].tolist() == pytest.approx([0.6, 0.8])
        centered = vectors({"aa": [1, 1], "cc": [3, 1]}, center=True)
        assert centered.unit.tolist() == [[-1, 0], [1, 0]]

    def test_only_words_in_use_take_anothers_place(self):
        found = replacements(
            ["house", "the", "qzxjvw", "popular"],
            structural=structural_words(), frequencies={"popular": 6}, most=5,
        )  # fmt: skip
        assert found == {"house"}


class TestQuality:
    def test_figures(self):
        """Two documents of ten words; one with a torn lemma, the other with two groups, one matching by half."""
        documents = [Document("a", "", {"xx": 2, "ys": 1, "yy": 1, "zz": 6}), Document("b", "", {"xx": 10})]
        kept = DocumentOutcome("a", [], [NewGroup(("xx",), ("uu",), 1.0, 1.0, 1.0, 0.0),
                              NewGroup(("yy", "ys"), ("vv", "vs"), 0.5, 0.9, 0.5, 1.0)],
                    ["xx", "yy", "ys"], ["zz"])  # fmt: skip
        found = quality(documents, [kept, DocumentOutcome("b", [["xx"]], [], ["xx"], [])], usable=[kept])
        assert {name: one["value"] for name, one in found.items()} == {
            "documents_without_lemma_errors": 0.5,
            "documents_with_all_clusters_matching": 0.0,
            "words_in_the_old_cluster": 0.75,
            "mean_similarity": 0.95,
            "mean_similarity_of_analogies": 0.8,
            "words_of_the_old_kind": 0.75,
            "words_about_as_frequent": 0.5,
            "documents_with_a_selection": 1.0,
            "words_selected": 0.7,
            "words_out_of_vocabulary": 0.3,
            "words_redacted": 0.6,
            "words_replaced": 0.4,
            "words_per_group": 1.5,
        }
        assert (found["words_selected"]["n"], found["words_per_group"]["n"]) == (2, 2)
        assert (found["words_selected"]["low"], found["words_selected"]["high"]) == (0.4, 1.0)
        assert found["mean_similarity"]["no_interval"] == "fewer than two documents"
        assert json.loads(json.dumps(kept.as_json()))["unknown"] == ["zz"]
        assert kept.new_words == {"zz": "redacted", "xx": "uu", "yy": "vv", "ys": "vs"}

    def test_lines_name_n_the_interval_and_the_set_that_a_published_figure_is_of(self):
        torn = [DocumentOutcome(str(number), [["xx"]] * (number < 18), [], [], []) for number in range(100)]
        said = lines(quality([Document(one.id, "", {"xx": 1}) for one in torn], torn, usable=[]))
        assert said[:2] == [
            "documents without lemma errors: 0.82 [0.7333, 0.883], n = 100 (documents) "
            "(published: 0.888 for the validation set, 0.866 for the training set)",
            "documents with all clusters matching: nothing to count (published: 0.519 for the validation set)",
        ]
        assert "words per group: nothing to count" in said

    def test_a_mean_over_documents_has_an_interval_about_as_wide_as_student_s(self):
        documents = [Document(str(number), "", {"xx": 1 + number % 7, "yy": 3}) for number in range(200)]
        made = [DocumentOutcome(one.id, [], [], ["xx"], []) for one in documents]
        found = quality(documents, made, usable=made)["words_selected"]
        shares = [one.counts["xx"] / sum(one.counts.values()) for one in documents]
        reach = t.ppf(0.975, 199) * stdev(shares) / 200**0.5
        assert [found["low"], found["high"]] == pytest.approx(
            [mean(shares) - reach, mean(shares) + reach], abs=0.1 * reach
        )

    def test_what_has_no_interval_says_why(self):
        kept = DocumentOutcome("a", [], [NewGroup(("xx",), ("uu",), 1.0, 1.0, 1.0, 0.0)], ["xx"], [])
        said = lines(quality([Document("a", "", {"xx": 2})], [kept], usable=[kept]))
        assert "words per group: 1.0 (no interval: groups of one document hang together), n = 1 (groups)" in said
