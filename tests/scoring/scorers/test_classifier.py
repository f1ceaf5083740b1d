"""The scorer of trained classifiers (rules J1 to J5 of docs/metrics.md), held to plain forward passes."""

from pathlib import Path

import pytest
import torch
import transformers
from safetensors.torch import load_file, save_file

from annotation.tasktypes.contract import Labeled, LabelNumbers, Sentence, Unscored
from scoring.scorers import classifier as module
from scoring.scorers import open_scorer
from scoring.scorers.contract import ModelError
from scoring.scorers.networks.weights import file_hashes
from tests.scoring.scorers.little.bert import LONGEST, adept_rows, write_encoder
from tests.scoring.scorers.little.classifier import YES_NO, spec, write_classifier

DEGREES = ("impossible", "less_likely", "equally_likely", "more_likely", "necessarily_true")


def opened(folder: Path, recipe: str, **settings):
    return open_scorer(spec(folder, recipe, **settings), metric="label", settings={})


@pytest.fixture
def adept(tmp_path) -> Path:
    return write_classifier(tmp_path / "adept", DEGREES)


@pytest.fixture
def boolq(tmp_path) -> Path:
    return write_classifier(tmp_path / "boolq", YES_NO)


def requests() -> list[Labeled]:
    contents = [row.content for row in adept_rows()]
    return [
        Labeled(one["original"], DEGREES, paired=one["modified"], focus=one["modifier"], head=one["noun"])
        for one in contents
    ]


@pytest.mark.slow
def test_j1_the_label_is_the_most_probable_one_by_the_models_own_forward_pass(adept):
    results = opened(adept, "adept").score(requests())
    model = transformers.AutoModelForSequenceClassification.from_pretrained(adept).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(adept)
    for request, result in zip(requests(), results, strict=True):
        with torch.inference_mode():
            logits = model(**tokenizer(request.text, request.paired, return_tensors="pt")).logits[0]
        assert isinstance(result, LabelNumbers)
        assert result.probabilities is not None
        shares = logits.softmax(0).tolist()
        assert list(result.probabilities) == list(DEGREES)
        assert list(result.probabilities.values()) == pytest.approx(shares, abs=1e-6)
        assert result.label == DEGREES[shares.index(max(shares))]


@pytest.mark.slow
def test_j2_an_item_is_judged_alike_alone_and_among_others(adept, monkeypatch):
    together = opened(adept, "adept").score(requests())
    monkeypatch.setattr(module, "WINDOW", 5)
    assert flat(opened(adept, "adept").score(requests())) == pytest.approx(flat(together), abs=1e-6)
    scorer = opened(adept, "adept")
    alone = [scorer.score([request])[0] for request in requests()]
    assert flat(alone) == pytest.approx(flat(together), abs=1e-6)


def flat(results) -> list[float]:
    return [share for result in results for share in result.probabilities.values()]


def test_j3_the_recipe_says_what_is_read(adept):
    """Without context only noun and modifier count: the sentences may be anything."""
    scorer = opened(adept, "adept-no-context")
    one = Labeled("A key helps people .", DEGREES, paired="A red key helps people .", focus="red", head="key")
    other = Labeled("The key is here .", DEGREES, paired="The red key is here .", focus="red", head="key")
    first, second = scorer.score([one, other])
    assert first == second
    assert opened(adept, "adept").score([one]) != opened(adept, "adept").score([other])


def test_one_that_learned_without_a_label_gives_the_others(tmp_path):
    four = DEGREES[1:]
    results = opened(write_classifier(tmp_path / "four", four), "adept").score(requests())
    assert {result.label for result in results} <= set(four)
    assert all(set(result.probabilities) == set(four) for result in results)


@pytest.mark.parametrize(
    ("request_", "reason"),
    [
        (Sentence("A key ."), "not probabilities"),
        (Labeled("A key .", YES_NO, paired="A red key ."), "knows the labels impossible"),
        (Labeled("A key .", DEGREES), "has one text, but this classifier reads two"),
        (Labeled("A key .", DEGREES, paired="A [SEP] key ."), "contains [SEP]"),
        (Labeled(" ", DEGREES, paired=" "), "has no tokens"),
        (Labeled("A key .", DEGREES, paired=" "), "has no tokens"),
    ],
)
def test_j4_what_it_cannot_judge_is_left_unscored_with_the_reason(adept, request_, reason):
    (result,) = opened(adept, "adept").score([request_])
    assert isinstance(result, Unscored)
    assert reason in result.reason


def test_g8_weights_that_are_no_numbers_leave_the_items_unscored(adept):
    weights = load_file(adept / "model.safetensors")
    weights["classifier.weight"][0] = float("nan")
    save_file(weights, adept / "model.safetensors", {"format": "pt"})
    assert set(opened(adept, "adept").score(requests())) == {Unscored("the model returned a number that is not finite")}


def test_j5_a_text_that_is_too_long_is_unscored_with_both_lengths_unless_a_length_was_declared(boolq):
    words = 50
    long = Labeled("is the key here ?", YES_NO, paired=" ".join(["key"] * words))
    # Start, five words, separator, fifty words, end.
    (result,) = opened(boolq, "boolq").score([long])
    assert result == Unscored(f"the text has {words + 8} tokens with start and end; the model reads at most {LONGEST}")
    (cut,) = opened(boolq, "boolq", max_length=30).score([long])
    assert isinstance(cut, LabelNumbers)
    assert cut.note == f"the last {words + 8 - 30} tokens of the second text were cut off"
    (short,) = opened(boolq, "boolq").score([Labeled(long.text, YES_NO, paired=" ".join(["key"] * (30 - 8)))])
    assert isinstance(short, LabelNumbers)
    assert cut.probabilities == pytest.approx(short.probabilities)
    # The question alone is longer than that: nothing of the passage would be left.
    (none,) = opened(boolq, "boolq", max_length=8).score([Labeled("key " * 20, YES_NO, paired="A key .")])
    assert isinstance(none, Unscored)


def test_a_classifier_that_does_not_say_what_it_reads_is_refused(adept):
    for settings in ({"recipe": "snli"}, {"recipe_version": "0"}):
        with pytest.raises(ModelError):
            opened(adept, **{"recipe": "adept"} | settings)


def test_an_encoder_without_a_classifier_is_refused(tmp_path):
    with pytest.raises(ModelError, match="lacks weights"):
        opened(write_encoder(tmp_path / "bare"), "adept")


def test_provenance_says_what_was_read(boolq):
    told = opened(boolq, "boolq", max_length=30).provenance()
    assert (told["recipe"], told["recipe_version"], told["max_length"]) == ("boolq", "1", 30)
    assert told["labels"] == ["yes", "no"]
    assert told["files_sha256"] == file_hashes(boolq)
