"""A training is the same whether it was stopped or not, and learns what there is to learn."""

import math
import os
from dataclasses import replace

import pytest
import torch

from scoring.scorers.lstm_model.folder import CARD, VOCABULARY, WEIGHTS, read_card, read_model
from scoring.scorers.networks.onednn import REMEMBERED
from scoring.scorers.networks.tensor_file import CheckpointError, read_whole
from tests.training.lstm.small import SMALL, prepared, trained
from training.lstm.training import Interrupted, Training, TrainingError
from training.shared.checkpoint import CHECKPOINT, load, save

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    return prepared(tmp_path_factory.mktemp("text"))


def quiet(training):
    pass


def stopped_after(steps):
    """What to ask a training by: whether it has made so many steps in this process."""
    made = iter(range(1, 10**9))
    return lambda: next(made) >= steps


def same_bytes(one, other, *names):
    return all((one / name).read_bytes() == (other / name).read_bytes() for name in names)


@pytest.fixture(scope="module")
def whole(made, tmp_path_factory):
    """The folder of a training that was never stopped."""
    folder = tmp_path_factory.mktemp("whole")
    trained(made, SMALL, work=folder / "work", out=folder / "model")
    return folder / "model"


def test_a_second_training_with_the_same_seed_gives_the_same_bytes(made, whole, tmp_path):
    trained(made, SMALL, work=tmp_path, out=tmp_path / "model")
    assert same_bytes(whole, tmp_path / "model", WEIGHTS, VOCABULARY, CARD)
    trained(made, replace(SMALL, seed=2), work=tmp_path / "w", out=tmp_path / "other")
    assert not same_bytes(whole, tmp_path / "other", WEIGHTS)


# In the middle of a pass, right at a look at the held-out text, and while it cools down.
@pytest.mark.parametrize("steps", [[7], [10], [33], [1, 2, 20]])
def test_stopped_and_taken_up_again_it_gives_the_same_bytes(made, whole, tmp_path, steps):
    for some in steps:
        with pytest.raises(Interrupted):
            Training(made, SMALL).run(tmp_path / CHECKPOINT, on_step=quiet, must_stop=stopped_after(some))
    trained(made, SMALL, work=tmp_path, out=tmp_path / "model")
    assert same_bytes(whole, tmp_path / "model", WEIGHTS, VOCABULARY, CARD)


def test_without_gain_it_goes_back_to_the_best_cools_down_and_ends(made, tmp_path):
    # Far too fast to learn: no look is better than the first few.
    hot = replace(SMALL, steps=0, rate=1.0, every=2, patience=2)
    card = trained(made, hot, work=tmp_path, out=tmp_path / "model")
    assert card["cooling"]["why"] == "no gain"
    assert card["steps"] == card["cooling"]["end"]
    best = min(card["curve"], key=lambda point: point["heldout"])
    assert card["best_step"] == best["step"]
    assert card["heldout"]["nats_a_word"] == pytest.approx(best["heldout"], abs=1e-9)
    # Stopped in the look that ends the waiting, it goes on alike.
    with pytest.raises(Interrupted):
        Training(made, hot).run(tmp_path / CHECKPOINT, on_step=quiet, must_stop=stopped_after(card["cooling"]["start"]))
    trained(made, hot, work=tmp_path, out=tmp_path / "again")
    assert same_bytes(tmp_path / "model", tmp_path / "again", WEIGHTS, CARD)


def test_few_products_are_remembered(made, tmp_path, monkeypatch):
    for name in REMEMBERED:
        monkeypatch.delenv(name, raising=False)
    trained(made, replace(SMALL, steps=1), work=tmp_path, out=tmp_path / "m")
    assert {name: os.environ[name] for name in REMEMBERED} == REMEMBERED


def test_it_learns_the_grammar(made, tmp_path):
    card = trained(
        made, replace(SMALL, size=24, steps=150, every=50, rate=0.02, dropout=0.0), work=tmp_path, out=tmp_path / "m"
    )
    losses = [point["heldout"] for point in card["curve"]]
    # Ten nouns, six verbs and certain places between them: less than a nat a word, uniform would be 4.
    assert losses[-1] < 1.1 < math.log(len(made.vocabulary)) / 2
    assert card["heldout"]["perplexity"] == pytest.approx(math.exp(card["heldout"]["nats_a_word"]))


def test_the_clock_ends_it_and_the_card_says_so(made, tmp_path):
    card = trained(made, replace(SMALL, steps=0, minutes=0.004), work=tmp_path, out=tmp_path / "m")
    assert card["cooling"] is None or card["cooling"]["why"] == "minutes"
    assert card["steps"] >= 1


def test_a_loss_that_is_no_number_ends_it(made, tmp_path):
    training = Training(made, SMALL)
    with torch.no_grad():
        training.parameters["bias"].fill_(math.nan)
    with pytest.raises(TrainingError, match="the loss is not a number"):
        training.run(tmp_path / CHECKPOINT, on_step=quiet, must_stop=lambda: False)


def test_so_does_a_held_out_loss_that_is_none(made, tmp_path, monkeypatch):
    training = Training(made, replace(SMALL, every=1))

    def too_far():
        with torch.no_grad():
            training.parameters["bias"].fill_(math.nan)

    monkeypatch.setattr(training.optimizer, "step", too_far)
    with pytest.raises(TrainingError, match="After step 1 the held-out loss is not a number"):
        training.run(tmp_path / CHECKPOINT, on_step=quiet, must_stop=lambda: False)


def test_a_state_that_cannot_be_written_is_said(made, tmp_path):
    # As a full disk would: safetensors and the system have an exception each.
    (tmp_path / f".{CHECKPOINT}.part").mkdir()
    with pytest.raises(CheckpointError, match="checkpoint.safetensors cannot be written"):
        Training(made, SMALL).run(tmp_path / CHECKPOINT, on_step=quiet, must_stop=lambda: True)


@pytest.mark.skipif(torch.cuda.is_available(), reason="there is a GPU here")
def test_a_gpu_that_is_not_there_is_said(made):
    with pytest.raises(TrainingError, match="no GPU"):
        Training(made, replace(SMALL, device="cuda"))


def test_the_state_of_another_training_is_refused(made, tmp_path):
    with pytest.raises(Interrupted):
        Training(made, SMALL).run(tmp_path / CHECKPOINT, on_step=quiet, must_stop=stopped_after(3))
    with pytest.raises(CheckpointError, match="its settings differ"):
        Training(made, replace(SMALL, size=13)).restore(load(tmp_path / CHECKPOINT))
    torn = tmp_path / "torn"
    torn.write_bytes((tmp_path / CHECKPOINT).read_bytes()[:-100])
    with pytest.raises(CheckpointError, match="cannot be read"):
        load(torn)


def test_a_checkpoint_comes_back_as_it_was(made, tmp_path):
    training = Training(made, SMALL)
    with pytest.raises(Interrupted):
        training.run(tmp_path / "one", on_step=quiet, must_stop=stopped_after(12))
    again = Training(made, SMALL)
    again.restore(load(tmp_path / "one"))
    save(tmp_path / "two", again.checkpoint())
    assert same_bytes(tmp_path, tmp_path, "one") and (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    tensors, _ = read_whole(tmp_path / "two")
    assert {name.split(".")[0] for name in tensors} >= {"adam", "best", "vectors", "layers"}


def test_the_card_says_what_it_takes_to_train_it_again(made, whole):
    card = read_card(whole)
    assert card["sources"] == made.about["sources"]
    assert card["settings"] == SMALL.as_json()
    assert card["weights_sha256"] == read_model(whole).weights_hash
    assert [point["step"] for point in card["curve"]] == [10, 20, 30, 40]
    assert card["words_trained_on"] == card["curve"][-1]["words"]
    assert card["parameters"] == sum(parameter.numel() for parameter in read_model(whole).network.parameters())
