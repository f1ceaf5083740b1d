"""The page of trainings: what it says, drawing the curves, stopping and going on."""

from dataclasses import replace
from typing import Any

import altair as alt
import pytest
from django.urls import reverse

from researcher.trainings.curves import accuracy_figure, loss_figure, rows, spark
from scoring.models import LanguageModel
from tests.training.classifier.cast import give_training
from training.classifier.settings import ADEPT
from training.models import Training

CURVES: dict[str, Any] = {
    "loss": [[4, 1.5], [8, 1.0], [12, 0.5]],
    "held_out": [
        {"epoch": 1, "step": 6, "accuracy": 0.6, "loss": 0.9},
        {"epoch": 2, "step": 12, "accuracy": 0.55, "loss": 1.1},
    ],
}


def page_of(client, **query) -> str:
    return str(client.get(reverse("trainings"), query).content.decode())


@pytest.mark.django_db
def test_without_trainings_it_says_how_to_start_one(client):
    page = page_of(client)
    assert "No trainings yet. Start one below." in page
    assert "No study of the type plausibility has items with a reference or a majority label." in page
    assert 'type="submit">Start training' not in page
    assert "hx-get" not in page


@pytest.mark.slow
@pytest.mark.django_db
def test_a_running_training_shows_progress_and_loss_and_keeps_itself_up_to_date(client):
    give_training("a", step=8, curves={"loss": CURVES["loss"][:2]})
    page = page_of(client)
    assert "8 of 12 steps, loss 1.000" in " ".join(page.split())
    assert "first epoch in progress" in page
    assert '<polyline points="40.0,1.0 80.0,27.0">' in page
    assert f'hx-get="{reverse("trainings_table")}"' in page
    assert 'id="loss-chart"' in page
    assert 'id="accuracy-chart"' not in page
    part = client.get(reverse("trainings_table")).content.decode()
    assert "8 of 12 steps" in part
    assert "<html" not in part


@pytest.mark.slow
@pytest.mark.django_db
def test_a_finished_training_shows_the_epoch_kept_its_interval_and_its_model(client):
    model = LanguageModel.objects.create(
        key="adept-minilm", name="m", family="classifier", method="classifier", location="models", source="m"
    )
    give_training("a", state="finished", accuracy=0.6, epoch=1, step=12, curves=CURVES, model=model)
    give_training("b", state="finished", accuracy=0.5, epoch=1, step=12, curves=CURVES)
    page = page_of(client)
    # 12 of 20, Wilson: .387 to .781.
    assert ".60 [.39, .78]" in page
    assert "after epoch 1" in page
    assert page.count("best on these items") == 1
    assert "<code>adept-minilm</code>" in page
    assert "weights not kept" in page
    assert "hx-get" not in page


@pytest.mark.slow
@pytest.mark.django_db
def test_an_accuracy_has_its_n_and_what_the_commonest_label_would_get(client):
    give_training("a", state="finished", accuracy=0.6, epoch=1, step=12, curves=CURVES, commonest_right=13)
    page = page_of(client)
    assert ".60 [.39, .78], n = 20" in page
    assert "most common label .65" in page


@pytest.mark.django_db
def test_trainings_that_differ_look_different(client):
    give_training("a", settings=ADEPT.as_json(), left_out={"no reference": 7})
    give_training("b", settings=replace(ADEPT, numbers="bfloat16", held_out=0.2).as_json(), apart_from=["adept-val"])
    page = page_of(client, show=Training.objects.get(fingerprint="a" * 10).pk)
    assert "5e-05 × 3 epochs × 32, seed 1<" in page
    assert "5e-05 × 3 epochs × 32, seed 1, held out 0.2, numbers bfloat16<" in page
    assert "adept-train, apart from adept-val" in page
    assert "20 held out; 7 left out: no reference." in page


@pytest.mark.slow
@pytest.mark.django_db
def test_curves_of_a_running_training_say_of_when_they_are(client):
    training = give_training("a", step=8, curves=CURVES)
    assert "Reload to update." in page_of(client)
    Training.objects.filter(pk=training.pk).update(state="stopped")
    assert "Reload to update." not in page_of(client)


@pytest.mark.slow
@pytest.mark.django_db
def test_stopping_and_going_on(client, queue):
    training = give_training("a")
    answer = client.post(reverse("training_stop", args=[training.pk]), follow=True)
    assert "stopped. You can resume it from the last saved step." in answer.content.decode()
    training.refresh_from_db()
    assert training.state == "stopped"
    answer = client.post(reverse("training_go_on", args=[training.pk]), follow=True)
    assert "started. You can close this page." in answer.content.decode()
    training.refresh_from_db()
    assert training.state == "queued"


@pytest.mark.django_db
@pytest.mark.slow
def test_going_on_is_stored_when_the_queue_is_silent(client):
    training = give_training("a", state="failed", error="the loss is nan at step 3")
    assert "the loss is nan at step 3" in page_of(client)
    answer = client.post(reverse("training_go_on", args=[training.pk]), follow=True)
    assert "The task queue cannot be reached" in answer.content.decode()
    training.refresh_from_db()
    assert (training.state, training.error) == ("queued", "")


@pytest.mark.slow
@pytest.mark.django_db
def test_the_curves_of_the_chosen_one_are_drawn_and_downloaded(client):
    first, second = (give_training(name, state="stopped", curves=CURVES) for name in "ab")
    page = page_of(client, show=first.pk)
    assert f'href="{reverse("training_curves", args=[first.pk])}"' in page
    assert f'href="{reverse("training_curves", args=[second.pk])}"' not in page
    lines = client.get(reverse("training_curves", args=[first.pk])).content.decode().splitlines()
    assert lines[:2] == ["part,step,epoch,loss,accuracy", "training part,4,,1.5,"]
    assert lines[-1] == "held-out part,12,2,1.1,0.55"


@pytest.mark.parametrize("curves", [CURVES, CURVES | {"held_out": CURVES["held_out"][:1]}, CURVES | {"held_out": []}])
def test_figures_keep_the_schema(curves):
    for figure in (loss_figure(curves), accuracy_figure(curves)):
        if figure is not None:
            alt.LayerChart.validate(figure)
    assert loss_figure(curves) is not None
    assert (accuracy_figure(curves) is None) == (curves["held_out"] == [])


def test_figures_are_none_where_there_is_nothing_to_draw():
    assert loss_figure({}) is None
    assert accuracy_figure({"loss": [[1, 2.0]], "held_out": []}) is None
    assert spark({"loss": [[1, 2.0]]}, steps=3) == ""
    assert list(rows({})) == [["part", "step", "epoch", "loss", "accuracy"]]


def test_a_level_curve_is_a_level_line():
    assert spark({"loss": [[1, 2.0], [2, 2.0]]}, steps=2) == "60.0,27.0 120.0,27.0"


@pytest.mark.slow
@pytest.mark.django_db
def test_curves_stand_in_the_page_and_are_saved_as_files(client):
    training = give_training("a", step=12, curves=CURVES)
    page = page_of(client)
    assert "<title>Accuracy after epoch 1: 0.6000</title>" in page
    for chart in ("loss", "accuracy"):
        assert f'id="{chart}-chart"' in page
        for kind, start in (("svg", b"<svg"), ("pdf", b"%PDF"), ("png", b"\x89PNG")):
            address = reverse("training_figure", args=[training.pk, chart, kind])
            assert f'href="{address}"' in page
            assert client.get(address).content.startswith(start)
    assert client.get(reverse("training_figure", args=[training.pk, "other", "svg"])).status_code == 404
