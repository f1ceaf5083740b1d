"""Vectors from elsewhere for thematic fit and SDM (docs/metrics.md, A7): other vectors are other models."""

from pathlib import Path

import numpy as np
import pytest
from django.core.management import CommandError, call_command

from annotation.tasktypes.contract import Sentence, SentenceNumbers
from corpus.errors import SourceError
from scoring.baselines.associations.places import CONTENT
from scoring.baselines.associations.reading import FOLDER, open_store, take_vectors
from scoring.library.installation import baselines_of
from scoring.models import LanguageModel
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError, ModelSpec
from tests.scoring.baselines.associations.stores import small_store, small_text

pytestmark = pytest.mark.slow

SENTENCES = [Sentence("The cop arrested the thief."), Sentence("The waiter served the soup to the guest.")]
NUMBERS = {"fillers": 200, "prototype": 20}


def opened(method, settings):
    folder, content = small_store()
    spec = ModelSpec(method, str(folder), files={CONTENT: content}, settings=NUMBERS | settings)
    return open_scorer(spec, metric=method, settings={})


@pytest.fixture
def own():
    return open_store(*small_store())


def as_glove(path: Path, vectors: dict[str, list[float]]) -> Path:
    path.write_text("".join(f"{word} {' '.join(map(str, numbers))}\n" for word, numbers in vectors.items()))
    return path


@pytest.mark.parametrize("method", ["thematic_fit", "sdm"])
def test_a7_a_stores_own_vectors_by_their_path_give_the_same(method, own):
    taken = take_vectors(own.folder.parent, own)
    assert taken.words == len(own.vectors.rows)
    scores = [opened(method, settings).score(SENTENCES) for settings in ({}, taken.settings)]
    assert [one.logprob for one in scores[1]] == pytest.approx([one.logprob for one in scores[0]])


def test_a7_a_text_file_by_hand(own, tmp_path):
    """The cop lets expect the thief, and so does arrest: the cosine of the thief with itself."""
    rng = np.random.default_rng(3)
    words = [*sorted(own.every_lemma()), "zebra"]
    taken = take_vectors(as_glove(tmp_path / "glove.txt", {word: [*rng.normal(size=3)] for word in words}), own)
    assert (taken.name, taken.dimensions) == ("glove.txt", 3)
    scorer = opened("thematic_fit", taken.settings)
    [fit] = scorer.score([SENTENCES[0]])
    assert isinstance(fit, SentenceNumbers)
    assert fit.logprob == pytest.approx(1)
    # The file has a word that the store has never met.
    [strange] = scorer.score([Sentence("The cop arrested the zebra.")])
    assert isinstance(strange, SentenceNumbers)
    told = scorer.provenance()["settings"]
    assert told["vectors"] == {"name": "glove.txt", "files": taken.files, "words": taken.words, "dimensions": 3}
    assert told["vectors_sha256"] == taken.sha256


def test_vectors_that_are_gone_or_changed_are_a_model_error(own, tmp_path):
    words = {word: [1.0, float(at)] for at, word in enumerate(sorted(own.every_lemma()))}
    taken = take_vectors(as_glove(tmp_path / "glove.txt", words), own)
    laid = own.folder.parent / FOLDER / f"{taken.sha256[:16]}.safetensors"
    laid.write_bytes(laid.read_bytes() + b"x")
    with pytest.raises(ModelError, match="is gone or not what it was"):
        opened("sdm", taken.settings)


def test_a_file_of_a_few_words_is_refused(own, tmp_path):
    with pytest.raises(SourceError, match="has vectors of 2 words, fewer than 20"):
        take_vectors(as_glove(tmp_path / "glove.txt", {"cop": [1, 2], "thief": [2, 1]}), own)


@pytest.mark.django_db
def test_the_command_makes_other_models_of_a_store_that_is_there(settings, tmp_path, capsys):
    settings.VAR_DIR = tmp_path
    text = tmp_path / "small.txt"
    text.write_text(small_text())
    call_command("count_corpus", "small", str(text), "--processes", "1")
    before = set(LanguageModel.objects.values_list("key", flat=True))
    call_command("count_corpus", "small", "--vectors", str(tmp_path / "associations" / "small"), "--fillers", "7")
    new = LanguageModel.objects.exclude(key__in=before)
    assert {row.method for row in new} == {"thematic_fit", "sdm"}
    for row in new:
        assert (row.settings["fillers"], row.settings["vectors"]["name"]) == (7, "small")
        assert row.key.endswith(f"-f7-v{row.settings['vectors_sha256'][:8]}")
    every = baselines_of("small")
    assert {row.key for row in every} == before | {row.key for row in new}
    assert [row.method for row in every][:2] == ["ppmi_syntax", "ppmi_syntax_smoothed"]
    assert "vectors small: " in capsys.readouterr().out
    with pytest.raises(CommandError, match="There is no such store"):
        call_command("count_corpus", "none", "--vectors", str(text))


@pytest.mark.django_db
def test_counts_of_others_with_vectors_of_others_have_a_thematic_fit(settings, tmp_path, own):
    """Triples alone say nothing of two nouns of one verb: the verb's fillers decide (T5)."""
    settings.VAR_DIR = tmp_path
    lines = [f"arrest\t{noun}\t{relation}\t{n}" for noun, relation, n in (("cop", "sbj", 6), ("thief", "obj", 4))]
    counts = tmp_path / "freqs.txt"
    counts.write_text("\n".join([*lines, "eat\tsoup\tobj\t8"]) + "\n")
    call_command("count_corpus", "drive", "--counts", str(counts), "--no-header", "--vectors", str(own.folder.parent))
    spec = LanguageModel.objects.get(method="thematic_fit").spec
    [fit] = open_scorer(spec, metric="thematic_fit", settings={}).score([SENTENCES[0]])
    assert isinstance(fit, SentenceNumbers)
    assert fit.logprob == pytest.approx(1)
