"""The vectors of a store of counted text: its lemmas', and those of their forms."""

import json
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import save_file

from corpus import word_vectors
from corpus.errors import SourceError
from corpus.word_vectors import is_store, read_counted
from scoring.baselines.associations.places import CURRENT, VECTORS, state_folder

CONTENT = "0123456789abcdef" * 4


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """As scoring writes it: the state's folder by scoring's own rule, the vectors as in its `build_vectors`."""
    state = state_folder(tmp_path, CONTENT)
    state.mkdir()
    (tmp_path / CURRENT).write_text(json.dumps({"content": CONTENT}))
    words = np.frombuffer("\n".join(["king", "go", "u.s", "42"]).encode(), dtype=np.uint8)
    save_file({"vectors": np.eye(4, 3, dtype=np.float32), "words": words}, str(state / VECTORS))
    return tmp_path


@pytest.mark.slow
def test_forms_have_the_vector_of_their_lemma(store):
    found = read_counted(store, words={"kings", "king", "went", "zzyzx"})
    assert set(found.vectors) == {"king", "kings", "go", "went"} == set(found.frequent)
    assert found.vectors["kings"].tolist() == found.vectors["king"].tolist() == [1, 0, 0]
    assert found.vectors["went"].tolist() == [0, 1, 0]


def test_a_state_can_be_named_by_itself(store):
    state = state_folder(store, CONTENT)
    assert is_store(store)
    assert is_store(state)
    assert read_counted(state, words=()).files == read_counted(store, words=()).files == (state / VECTORS,)


def test_names_are_those_that_scoring_writes():
    assert (word_vectors.CURRENT, word_vectors.VECTORS) == (CURRENT, VECTORS)


def test_faulty_stores(store, tmp_path):
    vectors = state_folder(store, CONTENT) / VECTORS
    vectors.write_bytes(b"nothing")
    with pytest.raises(SourceError, match="cannot be read"):
        read_counted(store, words=())
    vectors.unlink()
    with pytest.raises(SourceError, match="too little text"):
        read_counted(store, words=())
    (store / CURRENT).write_text("{}")
    with pytest.raises(SourceError, match="does not contain"):
        read_counted(store, words=())
    assert not is_store(tmp_path / "nowhere")
