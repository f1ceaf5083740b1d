"""Training itself, with a tiny encoder: it learns, it repeats byte for byte, and being interrupted changes nothing."""

import math
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch.nn import functional

from scoring.scorers.contract import ModelError, ModelSpec
from scoring.scorers.networks.weights import file_hashes
from tests.scoring.scorers.little.bert import LONGEST, write_encoder
from tests.training.classifier.little_task import Told, parted
from training.classifier import trainer
from training.classifier.examples import Split
from training.classifier.history import History, Judged
from training.classifier.loop import Task, fit
from training.classifier.settings import Settings
from training.classifier.trainer import FORMAT, Diverged, Stopped, order
from training.shared.checkpoint import CHECKPOINT, load

pytestmark = pytest.mark.slow

# Three epochs of five steps: 36 items in batches of 8.
SETTINGS = Settings(learning_rate=5e-3, epochs=3, batch_size=8, held_out=0.25)


@pytest.fixture
def encoder(tmp_path) -> Path:
    return write_encoder(tmp_path / "encoder")


@pytest.fixture
def task(encoder) -> Task:
    return Task(base=ModelSpec("encoder", str(encoder), "", file_hashes(encoder)), split=parted(), settings=SETTINGS)


@pytest.fixture
def chatty(monkeypatch):
    """Every step is told and saved, so that leaving can happen anywhere."""
    monkeypatch.setattr(trainer, "TELL_SECONDS", 0.0)
    monkeypatch.setattr(trainer, "SAVE_SECONDS", 0.0)


def test_it_learns_what_the_items_teach(task, tmp_path):
    trained = fit(replace(task, settings=replace(SETTINGS, epochs=20)), folder=tmp_path / "work", listener=Told())
    assert trained.history.losses[-1] < 0.5 * trained.history.losses[0]
    assert trained.best.accuracy == 1.0
    assert trained.weights.is_file()
    assert trained.drawn == ("classifier.bias", "classifier.weight")


def test_the_same_task_gives_the_same_bytes(task, tmp_path):
    one, other = (fit(task, folder=tmp_path / name, listener=Told()) for name in ("one", "other"))
    assert one.weights.read_bytes() == other.weights.read_bytes()
    assert one.history == other.history
    another = fit(replace(task, settings=replace(SETTINGS, seed=2)), folder=tmp_path / "third", listener=Told())
    assert another.history != one.history


def test_items_of_nearly_one_length_share_a_batch_and_each_comes_once():
    lengths = [3 + (7 * place) % 90 for place in range(1005)]
    batches = order(lengths, batch_size=8, seed=1, epoch=0)
    assert sorted(place for batch in batches for place in batch) == list(range(1005))
    assert [len(batch) for batch in batches] == [8] * 125 + [5]
    filled = sum(len(batch) * max(lengths[place] for place in batch) for batch in batches)
    assert filled < 1.1 * sum(lengths)
    # The batches are at random: long ones do not come first.
    longest = [max(lengths[place] for place in batch) for batch in batches[:50]]
    assert longest != sorted(longest, reverse=True)
    assert order(lengths, batch_size=8, seed=1, epoch=1) != batches
    assert order(lengths, batch_size=8, seed=1, epoch=0) == batches


def test_coarse_numbers_teach_as_well_and_judge_in_float32(task, tmp_path):
    settings = replace(SETTINGS, epochs=20, numbers="bfloat16")
    coarse, fine = (
        fit(replace(task, settings=one), folder=tmp_path / one.numbers, listener=Told())
        for one in (settings, replace(settings, numbers="float32"))
    )
    assert coarse.history.losses != fine.history.losses
    assert coarse.best.accuracy == fine.best.accuracy == 1.0
    # Weights and what is judged are not rounded: a loss of bfloat16 has eight bits.
    assert {weight.dtype for weight in load_file(coarse.weights).values()} == {torch.float32}
    assert any(judged.loss != float(torch.tensor(judged.loss).bfloat16()) for judged in coarse.history.judged)


@pytest.mark.parametrize("at", [2, 5, 7, 14], ids=["in an epoch", "at its end", "in the next", "in the last"])
def test_an_interrupted_training_ends_as_one_that_was_not(task, tmp_path, chatty, at):
    whole = fit(task, folder=tmp_path / "whole", listener=Told())
    folder = tmp_path / "interrupted"
    with pytest.raises(Stopped):
        fit(task, folder=folder, listener=Told(leave_at=at))
    assert load(folder / CHECKPOINT).state["step"] == at
    again = fit(task, folder=folder, listener=Told())
    assert again.weights.read_bytes() == whole.weights.read_bytes()
    assert again.history == whole.history


def test_a_finished_training_that_is_asked_for_again_has_nothing_left_to_do(task, tmp_path):
    one = fit(task, folder=tmp_path / "work", listener=Told())
    again = fit(task, folder=tmp_path / "work", listener=Told())
    assert again.best == one.best
    assert again.history == one.history


def test_states_are_safetensors_only_and_the_latest_is_kept(task, tmp_path, chatty):
    told = Told()
    fit(task, folder=tmp_path / "work", listener=told)
    assert told.steps == 15
    # Every step but the last of an epoch, and the end of every epoch.
    assert told.saved == 15
    suffixes = {path.suffix for path in (tmp_path / "work").rglob("*") if path.is_file()}
    assert suffixes == {".safetensors"}
    assert load(tmp_path / "work" / CHECKPOINT).state["step"] == 15
    assert len(list((tmp_path / "work").glob("best-*"))) == 1
    # Nothing of an earlier state, and nothing half written.
    assert len(list((tmp_path / "work").iterdir())) == 2


def test_the_best_epoch_is_kept_and_not_the_last(task, tmp_path):
    trained = fit(task, folder=tmp_path / "work", listener=Told())
    judged = trained.history.judged
    assert [one.epoch for one in judged] == [1, 2, 3]
    assert [one.step for one in judged] == [5, 10, 15]
    assert trained.best == max(judged, key=lambda one: (one.accuracy, -one.loss))
    trained.model.load_state_dict(load_file(trained.weights))
    assert accuracy_of(trained, task.split) == pytest.approx(trained.best.accuracy)


def accuracy_of(trained, parts: Split) -> float:
    """By a plain forward pass for each item alone."""
    right = 0
    trained.model.eval()
    for example in parts.held_out:
        inputs = trained.tokenizer(example.pair.first, example.pair.second, return_tensors="pt")
        with torch.inference_mode():
            place = int(trained.model(**inputs).logits.argmax())
        right += parts.labels[place] == example.label
    return right / len(parts.held_out)


def test_the_best_is_by_accuracy_then_loss_then_the_earlier():
    one, other, third = Judged(1, 5, 0.5, 0.9), Judged(2, 10, 0.6, 1.2), Judged(3, 15, 0.6, 1.1)
    assert History([], [one, other]).best == other
    assert History([], [one, other, third]).best == third
    assert History([], [third, replace(third, epoch=4)]).best == third
    assert History().best is None


def test_curves_are_means_of_stretches_that_stay_where_they_are():
    history = History([4.0, 2.0, 1.0], [Judged(1, 3, 0.5, 0.7)])
    assert history.curves(steps=3)["loss"] == [[1, 4.0], [2, 2.0], [3, 1.0]]
    # 200 steps in at most 100 points: two steps a point, the last one not full yet.
    assert history.curves(steps=200)["loss"] == [[2, 3.0], [3, 1.0]]
    assert history.curves(steps=3)["held_out"] == [{"epoch": 1, "step": 3, "accuracy": 0.5, "loss": 0.7}]
    assert History.of_json(history.as_json()) == history


@pytest.mark.parametrize(
    ("schedule", "rate"),
    [
        # Up by quarters to the peak of 1e-3; then 1e-3 · √(4 / step), level, or evenly down to 0 at step 10.
        ("inverse_sqrt", lambda step: 1e-3 * (step / 4 if step < 4 else (4 / step) ** 0.5)),
        ("constant", lambda step: 1e-3 * min(1, step / 4)),
        ("linear", lambda step: 1e-3 * (step / 4 if step < 4 else (10 - step) / 6)),
    ],
)
def test_the_learning_rate_follows_the_declared_schedule(task, tmp_path, monkeypatch, schedule, rate):
    rates: list[float] = []
    plain = trainer.ClassifierTrainer.training_step

    def noted(self, *arguments):
        plain(self, *arguments)
        rates.append(self.optimizer.param_groups[0]["lr"])

    monkeypatch.setattr(trainer.ClassifierTrainer, "training_step", noted)
    told = replace(SETTINGS, learning_rate=1e-3, schedule=schedule, warmup_steps=4, epochs=2)
    fit(replace(task, settings=told), folder=tmp_path / "work", listener=Told())
    assert rates == pytest.approx([rate(step) for step in range(10)])


def test_a_loss_that_is_no_number_ends_it(task, tmp_path, monkeypatch):
    monkeypatch.setattr(functional, "cross_entropy", lambda *_: torch.tensor(math.nan))
    with pytest.raises(Diverged, match="the loss is nan at step 1"):
        fit(task, folder=tmp_path / "work", listener=Told())


def test_a_held_out_loss_that_is_no_number_ends_it(task, tmp_path, monkeypatch):
    """Weights that the last step of an epoch has ruined are no model."""
    learning = trainer.ClassifierTrainer.training_step

    def ruined(self, *given):
        learning(self, *given)
        if self.step == 5:
            with torch.no_grad():
                self.model.classifier.weight.fill_(math.nan)

    monkeypatch.setattr(trainer.ClassifierTrainer, "training_step", ruined)
    with pytest.raises(Diverged, match="the held-out loss is nan after step 5"):
        fit(task, folder=tmp_path / "work", listener=Told())
    assert not list((tmp_path / "work").iterdir())


def test_f5_nothing_is_cut_unless_a_length_is_declared(encoder, tmp_path):
    parts = parted("yes_no", "boolq")
    long = replace(parts.train[0], pair=replace(parts.train[0].pair, second=" ".join(["There is one key here ."] * 10)))
    parts = replace(parts, train=(long, *parts.train[1:]))
    task = Task(base=ModelSpec("encoder", str(encoder)), split=parts, settings=SETTINGS)
    with pytest.raises(
        ModelError, match=f"1 of 18 items cannot be read.*tokens.*reads at most {LONGEST}.*--max-length"
    ):
        fit(task, folder=tmp_path / "work", listener=Told())
    fit(replace(task, settings=replace(SETTINGS, max_length=20)), folder=tmp_path / "work", listener=Told())


def test_g3_a_special_token_in_an_item_ends_it(task, tmp_path):
    odd = replace(task.split.train[0], pair=replace(task.split.train[0].pair, second="A [MASK] key helps people ."))
    parts = replace(task.split, train=(odd, *task.split.train[1:]))
    with pytest.raises(ModelError, match=r"1 of 36 items cannot be read.*contains \[MASK\]"):
        fit(replace(task, split=parts), folder=tmp_path / "work", listener=Told())


def test_a_base_that_changed_or_lacks_weights_is_refused(task, encoder, tmp_path):
    changed = replace(task.base, files={**task.base.files, "model.safetensors": "0" * 64})
    with pytest.raises(ModelError, match=r"differ from those registered: model\.safetensors has changed"):
        fit(replace(task, base=changed), folder=tmp_path / "work", listener=Told())
    weights = load_file(encoder / "model.safetensors")
    weights.pop(next(name for name in weights if "layer.1.output.dense.weight" in name))
    save_file(weights, encoder / "model.safetensors", FORMAT)
    with pytest.raises(ModelError, match="lacks weights of an encoder"):
        fit(replace(task, base=ModelSpec("encoder", str(encoder))), folder=tmp_path / "work", listener=Told())


def test_of_a_frozen_encoder_only_the_new_layer_learns(task, encoder, tmp_path):
    settings = replace(SETTINGS, epochs=20, learns="new")
    trained = fit(replace(task, settings=settings), folder=tmp_path / "work", listener=Told())
    before, after = load_file(encoder / "model.safetensors"), load_file(trained.weights)
    own = {name: value for name, value in after.items() if name not in trained.drawn}
    assert own
    assert all(torch.equal(value, before[name.removeprefix("bert.")]) for name, value in own.items())
    assert trained.history.losses[-1] < trained.history.losses[0]


def test_a_frozen_one_that_was_interrupted_gives_the_same_bytes(task, tmp_path, chatty):
    task = replace(task, settings=replace(SETTINGS, learns="new"))
    whole = fit(task, folder=tmp_path / "whole", listener=Told())
    with pytest.raises(Stopped):
        fit(task, folder=tmp_path / "left", listener=Told(leave_at=7))
    assert fit(task, folder=tmp_path / "left", listener=Told()).weights.read_bytes() == whole.weights.read_bytes()
