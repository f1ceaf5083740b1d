"""Starting a training on the page: the recipe's settings, what is refused, and that nothing is trained twice."""

from pathlib import Path

import pytest
from django.core.management import call_command
from django.urls import reverse

from annotation.loading import load_study
from scoring.models import LanguageModel
from scoring.scorers.networks.weights import file_hashes
from tests.browser import faults, log_in
from tests.scoring.scorers.little.bert import adept_rows, boolq_rows, write_encoder
from tests.studies import open_small_study, plausibility_rows, write_study
from training.classifier.settings import ADEPT, BOOLQ
from training.classifier.working import TRAININGS
from training.models import Training
from work.queue import messages_waiting


@pytest.fixture(autouse=True)
def var(tmp_path, settings):
    """An installation without packaged models."""
    settings.VAR_DIR = tmp_path / "var"
    settings.MODELS_DIR = tmp_path / "var" / "models"


@pytest.fixture
def encoder(db, tmp_path) -> LanguageModel:
    """A masked model of one's own, which is registered. Its files are not read before a worker trains."""
    row = {"name": "Little BERT", "family": "masked", "method": "masked", "location": "path"}
    row |= {"source": str(tmp_path / "little-bert")}
    return LanguageModel.objects.create(key="little-bert", files={"model.safetensors": "a" * 64}, **row)


@pytest.fixture
def adept(db, tmp_path):
    return load_study(write_study(tmp_path / "adept", adept_rows(), slug="adept")).study


@pytest.fixture
def boolq(db, tmp_path):
    task, quality = {"type": "yes_no"}, {"gold_distance": 1}
    return load_study(write_study(tmp_path / "boolq", boolq_rows(), slug="boolq", task=task, quality=quality)).study


def form_of(client, recipe="adept"):
    return client.get(reverse("trainings"), {"recipe": recipe}).context["form"]


def filled(client, recipe="adept", **changes):
    """What a browser sends of the form as it is shown, with some fields changed."""
    shown = {field.html_name: field.value() for field in form_of(client, recipe)}
    return {name: value for name, value in shown.items() if value is not None} | {"base": "little-bert"} | changes


def start(client, recipe="adept", **changes):
    return client.post(reverse("training_start", args=[recipe]), filled(client, recipe, **changes), follow=True)


def words(response) -> str:
    return str(response.content.decode())


@pytest.mark.slow
def test_the_form_begins_with_the_recipes_settings(client, encoder, adept, boolq):
    for recipe, told in (("adept", ADEPT), ("boolq", BOOLQ), ("boolq-question", BOOLQ)):
        form = form_of(client, recipe)
        names = set(told.as_json()) & set(form.fields)
        begins = told.as_json() | {"learns": ["all"], "without": ["none"]}
        assert {name: form[name].value() for name in names} == {name: begins[name] for name in names}
        # Of two labels none can be left out.
        assert set(told.as_json()) - names == {"adept": {"max_length"}, "boolq": {"without"}}.get(
            recipe, {"max_length", "without"}
        )
    page = words(client.get(reverse("trainings"), {"recipe": "boolq"}))
    assert 'value="2e-05"' in page
    assert '<option value="inverse_sqrt" selected>' in page
    assert '<option value="little-bert">Little BERT</option>' in page


@pytest.mark.slow
def test_only_studies_that_the_recipe_can_learn_from_are_offered(client, encoder, adept, boolq, tmp_path):
    open_small_study(tmp_path / "bare", plausibility_rows(2), slug="bare")
    assert form_of(client, "adept").fields["studies"].choices == [("adept", "The adept study (adept: 48 items)")]
    assert form_of(client, "boolq").fields["studies"].choices == [("boolq", "The boolq study (boolq: 24 items)")]


def test_without_an_encoder_it_says_what_to_do(client, adept):
    page = words(client.get(reverse("trainings")))
    assert "No encoder is installed. Ask the administrator for one (manage.py fetch_models)." in page
    assert 'type="submit">Start training' not in page


def test_an_unknown_recipe_is_not_found(client):
    assert client.get(reverse("trainings"), {"recipe": "snli"}).status_code == 404
    assert client.post(reverse("training_start", args=["snli"])).status_code == 404


@pytest.mark.slow
def test_the_page_and_the_command_ask_for_the_same_training(client, encoder, adept, queue):
    answer = start(client, studies=["adept"])
    training = Training.objects.get()
    assert (training.state, training.settings) == ("queued", ADEPT.as_json())
    assert "started. You can close this page." in words(answer)
    assert answer.redirect_chain[0][0] == f"{reverse('trainings')}?show={training.pk}&recipe=adept#curves"
    assert messages_waiting(Training.QUEUE) == 1
    call_command("train_classifier", "adept", recipe="adept", base="little-bert", no_wait=True)
    assert Training.objects.get() == training


@pytest.mark.slow
def test_several_values_that_are_ticked_start_a_training_each(client, encoder, adept, queue):
    answer = start(client, studies=["adept"], learns=["all", "new"], without=["none", "impossible"])
    found = {(one.settings["learns"], one.settings["without"]): one for one in Training.objects.all()}
    assert found.keys() == {("all", None), ("new", None), ("all", "impossible"), ("new", "impossible")}
    assert {key: len(one.labels) for key, one in found.items()} == {
        (learns, label): 4 if label else 5 for learns in ("all", "new") for label in (None, "impossible")
    }
    assert all(one.in_grid for one in found.values())
    assert words(answer).count("started. You can close this page.") == 4
    assert messages_waiting(Training.QUEUE) == 4
    call_command(
        "train_classifier", "adept", "--recipe", "adept", "--base", "little-bert", "--no-wait",
        "--learns", "all", "new", "--without", "none", "impossible",
    )  # fmt: skip
    assert Training.objects.count() == 4, "the command asks for the same"


@pytest.mark.slow
def test_a_second_identical_request_leads_to_the_finished_model(client, encoder, adept, queue):
    encoder.files = file_hashes(write_encoder(Path(encoder.source)))
    encoder.save()
    told = {"studies": ["adept"], "learning_rate": "0.005", "epochs": "1", "batch_size": "16", "held_out": "0.25"}
    start(client, **told)
    TRAININGS.work(Training.objects.get().pk, worker="test")
    before, waiting = Training.objects.values().get(), messages_waiting(Training.QUEUE)
    key = Training.objects.get().key
    assert LanguageModel.objects.get(key=key).family == "classifier"
    answer = start(client, **told)
    assert f"is already finished. Its model is {key}." in words(answer)
    assert Training.objects.values().get() == before
    assert messages_waiting(Training.QUEUE) == waiting
    assert f"<code>{key}</code>" in words(answer)


@pytest.mark.slow
def test_without_a_queue_it_is_stored(client, encoder, adept):
    answer = start(client, studies=["adept"])
    assert "The task queue cannot be reached" in words(answer)
    assert Training.objects.get().state == "queued"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"studies": []}, "This field is required."),
        ({"studies": ["nonesuch"]}, "nonesuch is not one of the available choices"),
        ({"base": "/etc"}, "/etc is not one of the available choices"),
        ({"epochs": "0"}, "Epochs: '0' is not a whole number from 1 to 1000."),
        ({"epochs": "9" * 400}, "99' is not a whole number from 1 to 1000."),
        ({"epochs": "9" * 5000}, "Enter a whole number."),
        ({"batch_size": "100000"}, "Batch size: '100000' is not a whole number from 1 to 4096."),
        ({"learning_rate": "nan"}, "Enter a number."),
        ({"learning_rate": ""}, "This field is required."),
        ({"max_grad_norm": "inf"}, "Enter a number."),
        ({"seed": "-1"}, "Seed: '-1' is not a whole number from 0"),
        ({"schedule": "\0"}, "is not one of the available choices"),
        ({"without": []}, "This field is required."),
        ({"without": ["probable"]}, "probable is not one of the available choices"),
        ({"held_out": "0.9"}, "Share held out: '0.9' is not a number above 0 and up to 0.5"),
        ({"apart_from": ["adept"]}, "There are 0 training items and 0 held-out items"),
    ],
)
def test_what_cannot_be_is_refused_beside_the_form(client, encoder, adept, changes, sentence):
    answer = start(client, **{"studies": ["adept"], "weight_decay": "0.125"} | changes)
    assert answer.status_code == 422
    assert sentence in words(answer).replace("&#x27;", "'")
    # What else was filled in is still there.
    assert 'value="0.125"' in words(answer)
    assert not Training.objects.exists()


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("has_script", [True, False], ids=["with JavaScript", "without"])
def test_in_a_browser(open_page, live_server, researcher, encoder, adept, boolq, queue, has_script):
    page = open_page(java_script_enabled=has_script)
    log_in(page, live_server, reverse("trainings"))
    assert page.get_by_label("Epochs", exact=True).input_value() == "3"
    page.select_option("#recipe", "boolq")
    if not has_script:
        page.get_by_role("button", name="Show settings").click()
    page.wait_for_url("**recipe=boolq**")
    assert page.get_by_label("Epochs", exact=True).input_value() == "10"
    page.get_by_label("The boolq study (boolq: 24 items)").check()
    page.get_by_label("Epochs", exact=True).fill("2")
    page.get_by_role("button", name="Start training").click()
    page.get_by_text("You can close this page.").wait_for()
    training = Training.objects.get()
    assert (training.recipe, training.settings["epochs"], training.studies) == ("boolq", 2, ["boolq"])


@pytest.mark.slow
@pytest.mark.django_db(transaction=True)
def test_the_form_reads_well_everywhere(browser_page, live_server, researcher, encoder, adept):
    log_in(browser_page, live_server, reverse("trainings"))
    browser_page.get_by_text("More settings").click()
    assert faults(browser_page) == []
