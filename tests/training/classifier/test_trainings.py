"""Trainings as rows: one row a request, stopped and taken up, the best of a grid kept, and a model that scores."""

import json
import shutil
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import IntegrityError, transaction
from django.utils import timezone

from annotation.loading import load_study
from annotation.models import Item
from corpus.provenance import digest
from scoring.models import Chunk
from scoring.runs import asking
from scoring.runs.fitting import CannotRun, choices_for
from scoring.runs.starting import start_run
from scoring.runs.working import CHUNKS
from scoring.scorers.networks.weights import file_hashes
from tests.scoring.scorers.little.bert import adept_rows, boolq_rows, write_encoder
from tests.studies import write_study
from tests.training.classifier.trainings import SETTINGS, done, encoder, model_of, prepared, ready, sent, study, var
from training.classifier import loop, trainer
from training.classifier.bases import NoBase, find_base
from training.classifier.collecting import CannotCollect, find_studies
from training.classifier.settings import Settings
from training.classifier.starting import CannotTrain, go_on, start_training, stop_training
from training.classifier.working import workplace
from training.models import Training
from training.shared.checkpoint import CHECKPOINT
from work.kinds import MOST_ATTEMPTS
from work.queue import recover

__all__ = ["encoder", "prepared", "sent", "study", "var"]

pytestmark = [pytest.mark.django_db, pytest.mark.slow]


def test_a_training_becomes_a_model_that_scores(prepared, study):
    training = done(start_training(prepared, SETTINGS))
    assert (training.state, training.error) == ("finished", "")
    assert training.step == training.steps == 2 * 3
    assert training.started_at is not None
    assert training.finished_at is not None
    model = training.model
    assert model is not None
    assert (model.family, model.settings["recipe"], model.key) == ("classifier", "adept", training.key)
    assert model.files == file_hashes(Path(model.spec.source))
    assert model.file_hash == digest(model.files)
    run = start_run(study, model, "label")
    for chunk in Chunk.objects.filter(run=run):
        CHUNKS.work(chunk.pk, worker="w")
    run.refresh_from_db()
    assert (run.state, run.scored, run.unscored) == ("finished", 48, 0)
    score = run.scores.earliest("item__position")
    assert score.decision in study.task.scale.values
    assert sum(score.detail["probabilities"].values()) == pytest.approx(1)
    # On an ordered scale the strength is the expected degree.
    shares = score.detail["probabilities"].values()
    assert score.strength == pytest.approx(sum(degree * share for degree, share in enumerate(shares, 1)))


def test_what_a_classifier_was_asked_once_is_remembered(prepared, study, tmp_path, monkeypatch):
    model = model_of(done(start_training(prepared, SETTINGS)))
    first = scored(study, model)
    twin = load_study(write_study(tmp_path / "twin", adept_rows(), slug="twin")).study
    monkeypatch.setattr(asking, "open_scorer", None)
    second = scored(twin, model)
    assert second == first


def scored(study, model):
    """Decision, strength and detail of every item, once the worker has been."""
    run = start_run(study, model, "label")
    for chunk in Chunk.objects.filter(run=run):
        CHUNKS.work(chunk.pk, worker="w")
    return list(run.scores.order_by("item__position").values_list("decision", "strength", "detail"))


def test_the_held_out_accuracy_is_that_of_scoring_the_held_out_items(prepared, study):
    training = done(start_training(prepared, SETTINGS))
    run = start_run(study, model_of(training), "label")
    for chunk in Chunk.objects.filter(run=run):
        CHUNKS.work(chunk.pk, worker="w")
    held = {example.pair.second for example in prepared.split.held_out}
    scores = [score for score in run.scores.select_related("item") if score.item.content["modified"] in held]
    assert len(scores) == training.held_out_items
    right = sum(score.decision == score.item.reference for score in scores)
    assert right / len(scores) == pytest.approx(training.accuracy)


def test_the_card_says_what_it_is_and_has_no_date(encoder, prepared, var):
    training = done(start_training(prepared, SETTINGS))
    folder = var / "models" / training.key
    card = json.loads((folder / "card.json").read_text())
    assert card["base"]["files"] == prepared.base.files == file_hashes(encoder)
    assert card["items"]["train_sha256"] == training.train_sha256
    assert card["settings"] == SETTINGS.as_json()
    assert card["kept"]["held_out_accuracy"] == training.accuracy
    assert card["curves"] == training.curves
    assert json.loads((folder / "config.json").read_text())["id2label"] == {
        str(place): label for place, label in enumerate(training.labels)
    }
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert not workplace(training).exists()
    model_of(training).delete()
    again = done(start_training(prepared, SETTINGS))
    assert again.pk == training.pk
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_models_are_called_by_recipe_and_encoder_and_keep_their_name(prepared, var):
    first, second = (done(start_training(prepared, replace(SETTINGS, seed=seed))) for seed in (1, 2))
    names = [model_of(one).name for one in (first, second)]
    assert names == ["ADEPT, little-bert", "ADEPT, little-bert, seed 2"]
    shutil.rmtree(var / "models" / first.key)
    again = done(start_training(prepared, replace(SETTINGS, seed=1)))
    assert model_of(again).name == "ADEPT, little-bert"


def test_a_second_identical_request_returns_the_finished_model(prepared, monkeypatch):
    training = done(start_training(prepared, SETTINGS))
    before = Training.objects.values().get()
    monkeypatch.setattr(loop, "fit", None)
    again = done(start_training(prepared, SETTINGS))
    assert again.pk == training.pk
    assert Training.objects.values().get() == before


@pytest.mark.parametrize("in_grid", [False, True])
def test_a_finished_one_whose_folder_was_deleted_by_hand_is_trained_again(prepared, study, var, *, in_grid):
    training = done(start_training(prepared, SETTINGS, in_grid=in_grid))
    folder = var / "models" / training.key
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    first = scored(study, model_of(training))
    shutil.rmtree(folder)
    again = start_training(prepared, SETTINGS, in_grid=in_grid)
    assert (again.pk, again.state, again.step) == (training.pk, "queued", 0)
    again = done(again)
    assert (again.state, again.model) == ("finished", training.model)
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before
    assert list(model_of(again).runs.get().scores.order_by("pk").values_list("decision", "strength", "detail")) == first
    (folder / "model.safetensors").unlink()
    assert start_training(prepared, SETTINGS, in_grid=in_grid).state == "queued"


def test_other_weights_do_not_take_the_place_of_those_that_have_scored(prepared, study, var):
    """Trained again elsewhere, or with other versions, the last digits may differ."""
    training = done(start_training(prepared, SETTINGS))
    folder = var / "models" / training.key
    scored(study, model_of(training))
    model = model_of(training)
    model.files = model.files | {"model.safetensors": "0" * 64}
    model.save()
    shutil.rmtree(folder)
    again = done(start_training(prepared, SETTINGS))
    assert again.state == "failed"
    assert "its result differs from the one its model scored with (model.safetensors has changed)" in again.error
    assert not folder.exists()
    model.refresh_from_db()
    assert model.files["model.safetensors"] == "0" * 64
    # Nothing hangs on one that has scored nothing.
    model.runs.all().delete()
    assert done(go_on(again)).state == "finished"
    assert model_of(again).files == file_hashes(folder)


def test_whatever_decides_the_result_makes_another_training(encoder, study, prepared, tmp_path):
    one = start_training(prepared, SETTINGS)
    others = [
        start_training(prepared, replace(SETTINGS, seed=2)),
        start_training(prepared, replace(SETTINGS, weight_decay=0.1)),
        start_training(ready(encoder, [study], key="adept-no-context"), SETTINGS),
        start_training(ready(write_encoder(tmp_path / "other", seed=6), [study]), SETTINGS),
        start_training(ready(encoder, [study], settings=replace(SETTINGS, held_out=0.5)), SETTINGS),
    ]
    assert len({one.fingerprint, *(other.fingerprint for other in others)}) == 6
    assert [other.contest == one.contest for other in others] == [True, True, False, False, False]


def test_shape_and_tokenizer_decide_the_result_and_the_folder_does_not(encoder, study, prepared, tmp_path):
    one = start_training(prepared, SETTINGS)
    copy = Path(shutil.copytree(encoder, tmp_path / "copy"))
    again = start_training(ready(copy, [study]), SETTINGS)
    assert (again.pk, again.base["source"]) == (one.pk, str(copy))
    told = json.loads((copy / "tokenizer_config.json").read_text())
    (copy / "tokenizer_config.json").write_text(json.dumps(told | {"model_max_length": 30}))
    assert start_training(ready(copy, [study]), SETTINGS).pk != one.pk
    assert done(again).state == "failed"
    assert "tokenizer_config.json has changed" in again.error


def test_it_is_theirs_who_ask_for_it_or_everybodys(prepared, django_user_model):
    anna, ben = map(django_user_model.objects.create_user, ("anna", "ben"))
    for owner in (anna, ben, None):
        asked = start_training(prepared, SETTINGS, owner=owner)
    assert ({*asked.owners.all()}, asked.for_all) == ({anna, ben}, False)
    assert start_training(prepared, replace(SETTINGS, seed=2)).for_all


def test_another_study_with_the_same_texts_is_the_same_request(encoder, prepared, tmp_path):
    one = start_training(prepared, SETTINGS)
    twin = load_study(write_study(tmp_path / "twin", adept_rows(), slug="twin")).study
    again = start_training(ready(encoder, [twin]), SETTINGS)
    assert (again.pk, again.studies) == (one.pk, ["twin"])


def stopped_at(step, training, monkeypatch):
    """Let it train, with *Stop* pressed in that step."""
    plain = trainer.ClassifierTrainer.training_step

    def stopping(trainer, *given):
        if trainer.step == step:
            stop_training(Training.objects.get())
        return plain(trainer, *given)

    with monkeypatch.context() as patch:
        patch.setattr(trainer.ClassifierTrainer, "training_step", stopping)
        done(training)


def test_a_stopped_training_goes_on_where_it_was(prepared, monkeypatch, sent):
    monkeypatch.setattr(trainer, "TELL_SECONDS", 0.0)
    training = start_training(prepared, SETTINGS)
    whole = done(start_training(prepared, replace(SETTINGS, max_grad_norm=1.0)))
    assert whole.pk == training.pk
    weights = model_of(whole).file_hash
    model_of(whole).delete()
    Training.objects.all().delete()

    training = start_training(prepared, SETTINGS)
    stopped_at(3, training, monkeypatch)
    assert (training.state, training.model) == ("stopped", None)
    assert (workplace(training) / CHECKPOINT).exists()
    training = go_on(training)
    assert (training.state, sent[-1]) == ("queued", training.pk)
    done(training)
    assert training.state == "finished"
    assert model_of(training).file_hash == weights


@pytest.mark.parametrize(
    "spoil",
    [lambda data: data[:-100], lambda data: data.replace(b"history", b'hist"ry'), lambda data: b"{"],
    ids=["tensors", "state", "all"],
)
def test_a_damaged_state_is_named_and_without_it_training_begins_anew(prepared, monkeypatch, spoil):
    monkeypatch.setattr(trainer, "TELL_SECONDS", 0.0)
    training = start_training(prepared, SETTINGS)
    stopped_at(4, training, monkeypatch)
    saved = workplace(training) / CHECKPOINT
    saved.write_bytes(spoil(saved.read_bytes()))
    training = done(go_on(training))
    assert training.state == "failed"
    assert f"{saved} is damaged" in training.error
    assert "remove it to start over" in training.error
    saved.unlink()
    assert done(go_on(training)).state == "finished"


def test_stopping_what_waits_and_going_on(prepared):
    training = start_training(prepared, SETTINGS)
    stop_training(training)
    assert training.state == "stopped"
    assert done(training).state == "stopped"
    assert start_training(prepared, SETTINGS).state == "queued"


def test_items_that_changed_since_are_not_trained_on(prepared):
    training = start_training(prepared, SETTINGS)
    Item.objects.filter(external_id="lamp-dead").update(reference="more_likely")
    assert done(training).state == "failed"
    assert "have changed since" in training.error


def test_a_lost_training_goes_back_to_the_queue(prepared, sent):
    training = start_training(prepared, SETTINGS)
    until = timezone.now() + timedelta(hours=1)
    assert Training.objects.claim(training.pk, worker="here/0", until=until)
    assert Training.objects.claim(training.pk, worker="there/0", until=until) is None
    assert recover(worker="there/0") == 0
    assert recover(worker="here/0", crashed=False) == 1
    training.refresh_from_db()
    assert (training.state, training.attempts, training.worker) == ("queued", 0, "")
    assert sent == [training.pk]
    Training.objects.claim(training.pk, worker="here/0", until=timezone.now() - timedelta(seconds=1))
    assert recover() == 1


def test_a_training_that_keeps_ending_its_worker_fails(prepared):
    training = start_training(prepared, SETTINGS)
    Training.objects.update(attempts=MOST_ATTEMPTS)
    assert done(training).state == "failed"
    assert f"was cut off {MOST_ATTEMPTS} times" in training.error


def test_of_a_grid_only_the_best_is_kept(prepared, var):
    grid = [replace(SETTINGS, seed=seed, learning_rate=rate) for seed in (1, 2) for rate in (1e-5, 5e-3)]
    trainings = [done(start_training(prepared, point, in_grid=True)) for point in grid]
    for one in trainings:
        one.refresh_from_db()
    assert {one.state for one in trainings} == {"finished"}
    best = min(trainings, key=lambda one: one.rank)
    assert [one for one in trainings if one.model is not None] == [best]
    assert [folder.name for folder in (var / "models").iterdir()] == [best.key]
    # Asked for singly, one that was given up is trained again and kept.
    worse = next(one for one in trainings if one != best)
    point = Settings.of_json(worse.settings)
    assert start_training(prepared, point, in_grid=True).state == "finished"
    again = done(start_training(prepared, point))
    assert (again.pk, again.accuracy, again.model is not None) == (worse.pk, worse.accuracy, True)


def test_a_model_that_has_scored_is_not_given_up(prepared, study):
    first = done(start_training(prepared, replace(SETTINGS, learning_rate=1e-6), in_grid=True))
    start_run(study, model_of(first), "label")
    for seed in range(1, 6):
        second = done(start_training(prepared, replace(SETTINGS, epochs=4, seed=seed), in_grid=True))
        if second.rank < first.rank:
            break
    assert second.rank < first.rank
    first.refresh_from_db()
    assert first.model is not None
    assert second.model is not None


def test_studies_bases_and_lengths_that_do_not_fit_are_refused(encoder, study, prepared, tmp_path):
    other = load_study(
        write_study(tmp_path / "q", boolq_rows(), slug="q", task={"type": "yes_no"}, quality={"gold_distance": 1})
    ).study
    with pytest.raises(CannotCollect, match=r"adept reads plausibility items, but q has yes_no\."):
        ready(encoder, [study, other])
    with pytest.raises(CannotCollect, match=r"There is no study 'nonesuch'. Available: adept, q\."):
        find_studies(["adept", "nonesuch"])
    with pytest.raises(NoBase, match=r"There is no encoder 'gpt'\. Available: .*minilm-l6"):
        find_base("gpt")
    with pytest.raises(NoBase, match="has no config.json"):
        find_base(str(tmp_path))
    with pytest.raises(CannotTrain, match="adept reads no passage to cut"):
        start_training(prepared, replace(SETTINGS, max_length=20))
    with pytest.raises(CannotTrain, match="Epochs: '0' is not a whole number from 1 to 1000"):
        start_training(prepared, replace(SETTINGS, epochs=0))
    assert not Training.objects.exists()


def test_a_classifier_is_run_on_items_of_its_own_type_only(prepared, tmp_path):
    model = model_of(done(start_training(prepared, SETTINGS)))
    other = load_study(
        write_study(tmp_path / "q", boolq_rows(), slug="q", task={"type": "yes_no"}, quality={"gold_distance": 1})
    ).study
    assert model not in [found for found, _ in choices_for(other)]
    with pytest.raises(CannotRun, match="was trained on plausibility"):
        start_run(other, model, "label")


def test_a_finished_training_has_an_accuracy(prepared):
    training = start_training(prepared, SETTINGS)
    with pytest.raises(IntegrityError), transaction.atomic():
        Training.objects.filter(pk=training.pk).update(state="finished")
    with pytest.raises(IntegrityError), transaction.atomic():
        Training.objects.filter(pk=training.pk).update(state="asleep")
