"""Word vectors from counts (docs/metrics.md, A6)."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from scoring.baselines.associations.tally import Tally
from scoring.baselines.associations.vectors import FEWEST_WORDS, cosine, positive_pmi, reduced
from tests.scoring.baselines.associations.stores import counted, words_in_two_circles


def test_a6_positive_pmi_by_hand():
    # N = 10; rows 4 and 6, columns 5 and 5: log2(4·10/20) = 1 and log2(5·10/30).
    found = positive_pmi(csr_array(np.array([[4.0, 0.0], [1.0, 5.0]]))).toarray()
    assert found == pytest.approx(np.array([[1, 0], [0, np.log2(5 / 3)]]))


def test_a6_the_reduction_keeps_what_a_matrix_of_that_rank_says():
    rng = np.random.default_rng(1)
    matrix = rng.normal(size=(6, 2)) @ rng.normal(size=(2, 5))
    found = reduced(csr_array(matrix), dimensions=2)
    # U √S (U √S)ᵀ = U S Uᵀ, whose square is M Mᵀ.
    assert (found @ found.T) @ (found @ found.T) == pytest.approx(matrix @ matrix.T)
    assert (found[np.abs(found).argmax(axis=0), [0, 1]] > 0).all()


def test_a6_words_in_the_same_company_are_near_and_the_bytes_are_the_same_again(tmp_path):
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one, two = (counted(tmp_path / name, words_in_two_circles()) for name in ("one", "two"))
    assert one.manifest.files["vectors.safetensors"] == two.manifest.files["vectors.safetensors"]
    assert cosine(one.vectors["xa"], one.vectors["xb"]) > 0.9
    assert abs(cosine(one.vectors["xa"], one.vectors["ya"])) < 0.1


def test_a6_a_word_that_no_other_stands_near_has_no_vector(tmp_path):
    tally = words_in_two_circles()
    tally.lemmas["alone", "N"] = 10
    assert "alone" not in counted(tmp_path, tally).vectors


def test_a6_too_few_words_make_no_vectors(tmp_path):
    assert not counted(tmp_path, Tally()).manifest.has_vectors


def test_a6_a_list_of_words_makes_no_vectors(tmp_path):
    """Many words, each a sentence of its own: none stands near another."""
    tally = Tally()
    tally.lemmas.update({(f"w{chr(97 + n)}", "N"): 10 for n in range(FEWEST_WORDS)})
    assert not counted(tmp_path, tally).manifest.has_vectors
